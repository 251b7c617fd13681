import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** What a number must reach to be good, and what it is meant to reach. */
export type Bar = ({ readonly least: number } | { readonly most: number }) & { readonly aim?: number }

/**
 * One line of a bench: what was measured, in numbers that a later run can be held against.
 * A missed bar, or `good` false, fails the run.
 */
export interface Measure {
  readonly what: string
  readonly numbers: Readonly<Record<string, number>>
  /** By the names of the numbers. */
  readonly bars?: Readonly<Record<string, Bar>>
  readonly good?: boolean
}

const holds = (number: number, bar: Bar) => ('least' in bar ? number >= bar.least : number <= bar.most)

/** Undefined: this line is a figure only. */
export function reaches({ numbers, bars, good }: Measure): boolean | undefined {
  if (!bars) return good
  return good !== false && Object.entries(bars).every(([name, bar]) => holds(numbers[name]!, bar))
}

export const shown = (bar: Bar): string =>
  `${'least' in bar ? `≥ ${bar.least}` : `≤ ${bar.most}`}${bar.aim === undefined ? '' : ` (aim ${bar.aim})`}`

/** Figures to compare, not to calculate with: three digits tell as much as the machine's noise lets them. */
export const rounded = (number: number): number => Number(number.toPrecision(3))

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const megabytes = (bytes: number) => Math.round(bytes / 1_048_576)

/**
 * How much memory this process took at most since it was last asked: in all, and in what it really holds.
 * The first is what an operator sees and grows with garbage until the engine
 * cares to collect it; only the second tells whether memory grows with the work.
 */
export function watchMemory(everyMs = 1000): { peak(): { peakMegabytes: number; heldMegabytes: number }; stop(): void } {
  let most = 0
  let held = 0
  const look = () => {
    most = Math.max(most, process.memoryUsage.rss())
    collectGarbage()
    held = Math.max(held, process.memoryUsage().heapUsed)
  }
  const timer = setInterval(look, everyMs)
  return {
    peak() {
      look()
      const peak = { peakMegabytes: megabytes(most), heldMegabytes: megabytes(held) }
      most = 0
      held = 0
      return peak
    },
    stop: () => clearInterval(timer),
  }
}
