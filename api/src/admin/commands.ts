import type { Config } from '../config.ts'
import { migrate } from '../db/migrate.ts'
import { type Opened, openDatabase, openVault } from './database.ts'
import { progressBar } from './progress-bar.ts'
import { keyCounts, missingKeys, reseal } from './reseal.ts'

export interface Command {
  readonly summary: string
  /** The exit code. */
  run(config: Config, args: readonly string[]): Promise<number>
}

const onDatabase =
  (work: (opened: Opened, config: Config, args: readonly string[]) => Promise<number>) =>
  async (config: Config, args: readonly string[]): Promise<number> => {
    const opened = await openDatabase(config)
    try {
      return await work(opened, config, args)
    } finally {
      await opened.close()
    }
  }

const say = (text: string) => process.stdout.write(`${text}\n`)

export const commands: Record<string, Command> = {
  migrate: {
    summary: 'Bring the schema up to date',
    run: onDatabase(async ({ connection }) => {
      const { applied } = await migrate(connection)
      say(applied.length ? `applied: ${applied.join(', ')}` : 'the schema is up to date')
      return 0
    }),
  },
  keys: {
    summary: 'Which key of the ring seals how much; fails while a key in use is missing',
    run: onDatabase(async ({ db }, config) => {
      const ring = openVault(config).keyIds
      for (const { column, key, count } of await keyCounts(db))
        say(`${column.padEnd(28)} ${key.padEnd(16)} ${String(count).padStart(8)}${ring.includes(key) ? '' : '   NOT IN THE RING'}`)
      return (await missingKeys(db, ring)).length ? 1 : 0
    }),
  },
  reseal: {
    summary: 'Seal everything with the first key of the ring; may be stopped and run again, and run beside the service',
    run: onDatabase(async ({ db }, config) => {
      const bar = progressBar('resealing')
      const { done, unreadable } = await reseal(db, openVault(config), bar.show)
      bar.end()
      say(
        unreadable
          ? `${done} resealed, ${unreadable} cannot be opened: put their key back into SEAL_KEYS and run again`
          : `${done} resealed; older keys can be dropped`,
      )
      return unreadable ? 1 : 0
    }),
  },
}
