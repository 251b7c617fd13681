import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Database } from '../db/pool.ts'

export interface Overload {
  /** True: refuse this request now, cheaply, before it costs memory or makes others wait. */
  shed(): boolean
  /**
   * Work begins and ends: who calls, the verb.
   * Waiting for a body, for a turn or for the reader of an answer is no load.
   */
  enter(): void
  leave(): void
  readonly inFlight: number
  stop(): void
}

const MAX_IN_FLIGHT = 1000
/**
 * Organizations, callers and addresses, not their requests:
 * who asks for much waits for their own share, and must not look like a crowd.
 */
const MAX_WAITING_PER_CONNECTION = 20
const MAX_LAG_MS = 500

/**
 * Sheds load by what actually runs out: requests being worked on,
 * callers waiting for a connection, the event loop's time.
 */
export function watchOverload(db: Database, maxLagMs = MAX_LAG_MS): Overload {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  delay.enable()
  let lag = 0
  let inFlight = 0
  const timer = setInterval(() => {
    lag = delay.percentile(50) / 1e6
    delay.reset()
  }, 500)
  timer.unref()
  return {
    shed() {
      const { groups, max } = db.load()
      return inFlight > MAX_IN_FLIGHT || groups > max * MAX_WAITING_PER_CONNECTION || lag > maxLagMs
    },
    enter: () => void inFlight++,
    leave: () => void inFlight--,
    get inFlight() {
      return inFlight
    },
    stop() {
      clearInterval(timer)
      delay.disable()
    },
  }
}
