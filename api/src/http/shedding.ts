// Requests that were refused or cut because somebody sent too many:
// counted by share, and logged without a stack, at most one line a second.
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'

export type Shed = 'load' | 'address' | 'caller' | 'organization' | 'connections' | 'pipelining' | 'unread'

/** `who`: the address, caller or organization whose share is used up. */
export type Shedding = (share: Shed, who?: string) => void

const LOG_EVERY_MS = 1000

export function watchShedding(log: Log, metrics: Metrics): Shedding {
  let pause: NodeJS.Timeout | undefined
  let unlogged: Partial<Record<Shed, number>> = {}
  const startPause = () => {
    pause = setTimeout(endPause, LOG_EVERY_MS).unref()
  }
  const endPause = () => {
    pause = undefined
    if (!Object.keys(unlogged).length) return
    log.warn({ refused: unlogged }, 'more requests refused: too many at once')
    unlogged = {}
    startPause()
  }
  return (share, who) => {
    metrics.shed(share)
    if (pause) {
      unlogged[share] = (unlogged[share] ?? 0) + 1
      return
    }
    log.warn({ share, ...(who && { who }) }, 'request refused: too many at once')
    startPause()
  }
}
