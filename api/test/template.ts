// What every test file finds: servers, and on them a migrated database that it clones.
import type {} from 'vitest'

declare module 'vitest' {
  interface ProvidedContext {
    server: string
    /** The other servers that a test's database is on, if the first one is the coordinator of a Citus cluster. */
    workers: readonly string[]
  }
}

export const TEMPLATE = 'adjoin_template'
