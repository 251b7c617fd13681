import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** One line of a bench: what was measured, in numbers that a later run can be held against. `good` false fails the run. */
export interface Measure {
  readonly what: string
  readonly numbers: Readonly<Record<string, number>>
  readonly good?: boolean
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const megabytes = (bytes: number) => Math.round(bytes / 1_048_576)

/**
 * How much memory this process took at most since it was last asked: in all, and in what it really holds. The first is what an operator
 * sees and grows with garbage until the engine cares to collect it; only the second tells whether memory grows with the work.
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
