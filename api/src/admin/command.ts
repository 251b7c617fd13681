// What every command of adjoin-admin is made of.
import type { Config } from '../config.ts'
import { type OpenedDatabase, openDatabase } from './database.ts'

export interface AdminCommand {
  readonly summary: string
  /** What it takes, behind its name. */
  readonly takes?: string
  /** The exit code. */
  run(config: Config, args: readonly string[]): Promise<number>
}

/** Called in a way that it does not understand. */
export class UsageError extends Error {}

export const onDatabase =
  (work: (opened: OpenedDatabase, config: Config, args: readonly string[]) => Promise<number>) =>
  async (config: Config, args: readonly string[]): Promise<number> => {
    const opened = await openDatabase(config)
    try {
      return await work(opened, config, args)
    } finally {
      await opened.close()
    }
  }

export const say = (text: string) => process.stdout.write(`${text}\n`)

export function only([name, ...rest]: readonly string[], what: 'FILE' | 'ORG'): string {
  if (!name || rest.length) throw new UsageError(`exactly one ${what} is required`)
  return name
}

/** What `parseArgs` says about what was typed. */
export function asUsage<T>(parse: () => T): T {
  try {
    return parse()
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}
