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
const LOOK_MS = 50

/**
 * Sheds load by what actually runs out: requests being worked on,
 * callers waiting for a connection, the event loop's time.
 */
export function watchOverload(db: Database, maxLagMs: number): Overload {
  const lagAt = lastingLag(performance.now(), workedMs())
  let lag = 0
  let inFlight = 0
  const timer = setInterval(() => {
    lag = lagAt(performance.now(), workedMs())
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
 * How late two looks in a row were at least, as far as we worked meanwhile: where others keep the machine busy, being
 * late says nothing of our load. And a single stall is over when it is seen: nobody is helped when what comes next
 * is refused for it.
 */
export function lastingLag(began: number, workedBefore: number): (now: number, worked: number) => number {
  let last = began
  let lastWorked = workedBefore
  let before = 0
  return (now, worked) => {
    const late = Math.max(0, Math.min(now - last, worked - lastWorked) - LOOK_MS)
    const least = Math.min(before, late)
    last = now
    lastWorked = worked
    before = late
    return least
  }
}

/** The processor's time for this thread, or for the process where Node cannot tell them apart (before 24). */
function workedMs(): number {
  const { user, system } = process.threadCpuUsage?.() ?? process.cpuUsage()
  return (user + system) / 1000
}
