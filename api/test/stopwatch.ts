const TICK_MS = 20

/**
 * Milliseconds between now and the one time it is read, as far as this process has lived through them. While the
 * machine stands still or has no time for us, none pass: so a wait that should not have been is told from a slow machine.
 * It stands still with its process as well: what keeps that busy is measured in processor time.
 */
export function stopwatch(): () => number {
  let ticks = 0
  const timer = setInterval(() => ticks++, TICK_MS).unref()
  return () => {
    clearInterval(timer)
    return ticks * TICK_MS
  }
}
