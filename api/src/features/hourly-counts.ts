// Counts by the hour, kept in memory and written in batches off the request's path; a batch that failed goes with the next one.
import type { Log } from '../log.ts'

export interface HourlyCounts<T> {
  /** One more; costs the request nothing. */
  count(counted: T): void
  /** Writes what is still to be written. */
  flush(): Promise<void>
  stop(): Promise<void>
}

export type Counted<T> = T & { readonly hour: Date; readonly calls: number }

export interface HourlyOptions<T> {
  readonly keyOf: (counted: T) => readonly string[]
  readonly write: (batch: readonly Counted<T>[]) => Promise<unknown>
  readonly log: Log
  /** What is logged when a batch could not be written. */
  readonly failed: string
  readonly everyMs?: number
}

const HOUR_MS = 3_600_000

export function hourlyCounts<T extends object>({ keyOf, write, log, failed, everyMs = 5000 }: HourlyOptions<T>): HourlyCounts<T> {
  let counts = new Map<string, { counted: T; hour: Date; calls: number }>()
  let writing: Promise<void> = Promise.resolve()

  const add = (counted: T, hour: Date, calls: number) => {
    const key = `${keyOf(counted).join('|')}|${hour.getTime()}`
    const known = counts.get(key)
    if (known) known.calls += calls
    else counts.set(key, { counted, hour, calls })
  }
  const writeAll = async () => {
    const batch = [...counts.values()]
    counts = new Map()
    if (!batch.length) return
    try {
      await write(batch.map(({ counted, hour, calls }) => ({ ...counted, hour, calls })))
    } catch (error) {
      for (const { counted, hour, calls } of batch) add(counted, hour, calls)
      log.warn({ err: error }, failed)
    }
  }
  const flush = () => {
    writing = writing.then(writeAll)
    return writing
  }
  const timer = setInterval(() => void flush(), everyMs)
  timer.unref()
  return {
    count: (counted) => add(counted, new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS), 1),
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}
