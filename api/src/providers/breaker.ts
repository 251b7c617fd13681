/**
 * Keeps one ailing ad system from taking the others down:
 * a cap on calls at once per provider, and a breaker per provider and host.
 */

export type BreakerOptions = { failures: number; restMs: number }

/**
 * Opens after so many failed calls in a row; then answers at once,
 * and lets a single call through after each rest.
 */
export function createBreaker({ failures, restMs }: BreakerOptions, clock: () => number) {
  let failed = 0
  let restsUntil = 0
  let probing = false
  return {
    /**
     * Whether a call may go out now.
     * One that may is settled by `report`, or by `withdraw` when it never went out.
     */
    admits(): boolean {
      if (failed < failures) return true
      if (probing || clock() < restsUntil) return false
      probing = true
      return true
    },
    withdraw(): void {
      probing = false
    },
    report(healthy: boolean): void {
      probing = false
      failed = healthy ? 0 : failed + 1
      if (failed >= failures) restsUntil = clock() + restMs
    },
  }
}

/** At most `places` at once; others wait, until their deadline, unless too many do. */
export function createBulkhead(places: number, waiters: number) {
  let taken = 0
  const waiting: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) next()
    else taken -= 1
  }
  return async (waitMs: number): Promise<(() => void) | null> => {
    if (taken < places) {
      taken += 1
      return leave
    }
    if (waiting.length >= waiters || waitMs <= 0) return null
    return new Promise((resolve) => {
      const enter = () => {
        clearTimeout(timer)
        resolve(leave)
      }
      const timer = setTimeout(() => {
        waiting.splice(waiting.indexOf(enter), 1)
        resolve(null)
      }, waitMs)
      waiting.push(enter)
    })
  }
}
