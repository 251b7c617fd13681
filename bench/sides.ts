// Servers side by side on one machine: loaded by turns in short slices (A B B A …),
// so that whatever else happens there hits all of them.
import { type ChildProcess, fork } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { LoadOptions, LoadResult } from './load.ts'

export interface Side {
  readonly name: string
  readonly url: string
  /** The processes whose CPU time is counted: the server's own, not that of the database they share. */
  readonly pids: readonly number[]
  readonly requests: LoadOptions['requests']
}

export interface Slice extends LoadResult {
  /** CPU time of the server for one request, in microseconds. */
  readonly cpuMicros: number
}

export interface Compared {
  /** The middle one of a side's slices, each figure for itself. */
  of(name: string): Slice
  /** The first as a share of the second, in each round for itself; the middle one of the rounds. */
  ratio(figure: keyof Slice, name: string, other: string): number
}

export interface CompareOptions {
  readonly rounds?: number
  readonly seconds?: number
  /**
   * How many a side has answered before it is measured:
   * code is compiled by how often it ran. A slow side is waited for only so long.
   */
  readonly warmUpRequests?: number
  readonly warmUpSeconds?: number
  /** Before every slice: what was written is cleared away, say. */
  readonly before?: () => Promise<void>
}

export async function compare(sides: readonly Side[], turns: CompareOptions = {}): Promise<Compared> {
  const { rounds = 8, seconds = 2, warmUpRequests = 5000, warmUpSeconds = 20, before } = turns
  const generator = fork(fileURLToPath(new URL('load.ts', import.meta.url)))
  const slices = new Map<string, Slice[]>(sides.map(({ name }) => [name, []]))
  try {
    const measure = async (side: Side, forSeconds: number): Promise<Slice> => {
      await before?.()
      const spent = cpuSeconds(side.pids)
      const answered = await send(generator, { port: Number(new URL(side.url).port), requests: side.requests, seconds: forSeconds })
      return { ...answered, cpuMicros: ((cpuSeconds(side.pids) - spent) / answered.count) * 1e6 }
    }
    for (const side of sides) {
      const until = performance.now() + warmUpSeconds * 1000
      for (let warm = 0; warm < warmUpRequests && performance.now() < until; ) warm += (await measure(side, Math.min(seconds, 1))).count
    }
    for (let round = 0; round < rounds; round++)
      for (const side of round % 2 ? sides.toReversed() : sides) slices.get(side.name)!.push(await measure(side, seconds))
  } finally {
    generator.disconnect()
  }
  const figures = (name: string, figure: keyof Slice) => slices.get(name)!.map((slice) => slice[figure])
  return {
    of(name) {
      const middle = (figure: keyof Slice) => median(figures(name, figure))
      return {
        count: middle('count'),
        perSecond: middle('perSecond'),
        p50: middle('p50'),
        p99: middle('p99'),
        cpuMicros: middle('cpuMicros'),
      }
    },
    ratio(figure, name, other) {
      const others = figures(other, figure)
      return median(figures(name, figure).map((value, round) => value / others[round]!))
    },
  }
}

const send = (generator: ChildProcess, load: LoadOptions): Promise<LoadResult> =>
  new Promise((resolve, reject) => {
    const gone = () => reject(new Error('the load generator ended'))
    generator.once('exit', gone)
    generator.once('message', ({ answered, error }: { answered?: LoadResult; error?: string }) => {
      generator.off('exit', gone)
      if (answered) resolve(answered)
      else reject(new Error(error))
    })
    generator.send(load)
  })

/**
 * What the kernel has counted for these processes, all threads,
 * in user and system mode (Linux: hundredths of a second).
 */
export const cpuSeconds = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => {
    // After the name, which may hold anything but a second closing
    // bracket at the end, come the numbered fields from the third on.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ')
    return sum + (Number(fields[11]) + Number(fields[12])) / 100
  }, 0)

export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  return sorted.length % 2 ? sorted[half]! : (sorted[half - 1]! + sorted[half]!) / 2
}
