// What was refused or cut because somebody asked too much:
// counted by share, and logged without a stack, a line a second at most.
import type { Log } from '../log.ts'
import type { Metrics } from '../metrics.ts'

export type Shed = 'load' | 'address' | 'caller' | 'organization' | 'connections' | 'pipelining' | 'unread'

/** `who`: an address, a caller or an organization, whichever the share is of. */
export type Shedding = (share: Shed, who?: string) => void

const EVERY_MS = 1000

export function watchShedding(log: Log, metrics: Metrics): Shedding {
  let resting: NodeJS.Timeout | undefined
  let more: Partial<Record<Shed, number>> = {}
  const tellRest = () => {
    resting = undefined
    if (!Object.keys(more).length) return
    log.warn({ refused: more }, 'more requests refused: too many at once')
    more = {}
    rest()
  }
  const rest = () => {
    resting = setTimeout(tellRest, EVERY_MS).unref()
  }
  return (share, who) => {
    metrics.shed(share)
    if (resting) {
      more[share] = (more[share] ?? 0) + 1
      return
    }
    log.warn({ share, ...(who && { who }) }, 'request refused: too many at once')
    rest()
  }
}
