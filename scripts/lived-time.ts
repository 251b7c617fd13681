// Time-outs of vitest's (of a test, a hook, a poll) count what their process lives through: none of it passes while the
// machine stands still. Vitest keeps its own timers in one place, so that fake timers do not stop it: here they are replaced.
const TICK_MS = 100
type Timers = Pick<typeof globalThis, 'setTimeout' | 'setInterval' | 'clearInterval'> & { lived?: true }

const key = Object.getOwnPropertySymbols(globalThis).find(({ description }) => description === 'vitest:SAFE_TIMERS')
const timers = (globalThis as unknown as Record<symbol, Timers | undefined>)[key!]
if (!timers) throw new Error('vitest keeps its timers elsewhere now: scripts/lived-time.ts must follow')
// Files share a worker, and this runs for each of them.
if (!timers.lived) {
  const { setTimeout, setInterval, clearInterval } = timers
  const livedTimeout = (callback: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    if (ms < 1000) return setTimeout(callback, ms, ...args)
    let left = ms / TICK_MS
    const timer = setInterval(() => {
      if (--left > 0) return
      clearInterval(timer)
      callback(...args)
    }, TICK_MS)
    return timer
  }
  Object.assign(timers, { setTimeout: livedTimeout, lived: true })
}
