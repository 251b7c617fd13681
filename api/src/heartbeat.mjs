// What a supervisor knows of a process that it started: whether its event loop still turns, and how long to wait
// before it is started again. Plain JavaScript: the supervisor of a single process should cost next to nothing.

const FIRST_WAIT_MS = 250
const LONGEST_WAIT_MS = 30_000
/** A process that has run for this long has not crashed at once: the next wait is a short one again. */
const STEADY_MS = 60_000

export const BEAT_MS = 1000
/** Beats that may be missing before a process is told to stop, and then before it is ended. */
const MISSED_BEATS = 15
const MISSED_BEATS_MORE = 5

/** A process stops by itself within 20 seconds; one whose event loop is blocked can't, and is ended. */
export const STOP_WITHIN_MS = 22_000

/** In a debugger, standing still is not a fault. */
const debugged = process.execArgv.some((argument) => argument.startsWith('--inspect'))

/**
 * Ends a process that was ready and then says nothing any more. Beats are counted, not timed: while the whole
 * machine sleeps or has no time for anybody, the supervisor does not count either.
 */
export function watchHeartbeat(child, onStuck) {
  let missed
  child.on('message', () => {
    missed = 0
  })
  const timer = setInterval(() => {
    if (missed === undefined || debugged) return
    missed++
    if (missed === MISSED_BEATS) {
      onStuck(MISSED_BEATS)
      child.kill('SIGTERM')
    } else if (missed >= MISSED_BEATS + MISSED_BEATS_MORE) child.kill('SIGKILL')
  }, BEAT_MS)
  const end = () => clearInterval(timer)
  child.once('exit', end)
  child.once('error', end)
}

/** Ends a process that was told to stop and has not. */
export function killAfter(child, ms) {
  const timer = setTimeout(() => child.kill('SIGKILL'), ms)
  child.once('exit', () => clearTimeout(timer))
}

/** How long to wait before the next start: longer each time, unless the process ran for a while. */
export function createBackOff() {
  let wait = FIRST_WAIT_MS
  return (ranMs) => {
    if (ranMs > STEADY_MS) wait = FIRST_WAIT_MS
    const now = wait
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
    return now
  }
}
