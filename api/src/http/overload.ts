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
const LOOK_MS = 50

/**
 * Sheds load by what actually runs out: requests being worked on,
 * callers waiting for a connection, the event loop's time.
 */
export function watchOverload(db: Database, maxLagMs = MAX_LAG_MS): Overload {
  const lagAt = lastingLag(performance.now())
  let lag = 0
  let inFlight = 0
  const timer = setInterval(() => {
    lag = lagAt(performance.now())
  }, LOOK_MS)
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
    },
  }
}

/**
 * How late two looks in a row were at least. A single stall, of ours or of the machine, is over when it is seen:
 * nobody is helped when what comes next is refused for it.
 */
export function lastingLag(began: number): (now: number) => number {
  let last = began
  let before = 0
  return (now) => {
    const late = Math.max(0, now - last - LOOK_MS)
    const least = Math.min(before, late)
    last = now
    before = late
    return least
  }
}
