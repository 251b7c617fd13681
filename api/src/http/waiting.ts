// How a request waits for news of its organization: it uses nobody's share meanwhile, and no connection.
import type { ServerResponse } from 'node:http'
import type { Identified } from '../access/identify.ts'
import type { Parts, Wait } from '../call.ts'
import type { UnderWay } from '../under-way.ts'
import type { Place } from './place.ts'
import { requesterOf } from './shares.ts'

/** News that brought nothing for this caller: the next are looked at after so long, doubled each time up to a second. */
const FIRST_REST_MS = 100
const LONGEST_REST_MS = 1000

export interface WaitingOptions {
  readonly notices: Parts['notices']
  readonly found: Identified
  readonly place: Place
  readonly response: ServerResponse
  readonly underWay: UnderWay
  /** Powers may be taken during a wait: identifies and authorizes the caller again. */
  readonly renew: () => Promise<void>
}

/** `end`: the request no longer counts as one that waits. */
export function waitingOf({ notices, found, place, response, underWay, renew }: WaitingOptions): { wait: Wait; end(): void } {
  const organizationId = found.organization?.id ?? ''
  let leave: (() => void) | undefined
  let restMs = 0
  let wake = () => {}
  underWay.addEventListener('abort', () => wake())
  const waitOnce = async (ms: number, seen: number) => {
    const { isQuiet, ended, end } = notices.wait(organizationId, { ms, seen, restMs, response })
    wake = end
    try {
      return (await isQuiet()) ? await place.pause(() => ended) : 'news'
    } finally {
      end()
    }
  }
  return {
    end: () => leave?.(),
    async wait(ms, seen) {
      leave ??= await notices.enter(organizationId, requesterOf(found).caller)
      const why = await waitOnce(ms, seen)
      underWay.check()
      restMs = Math.min(LONGEST_REST_MS, restMs * 2 || FIRST_REST_MS)
      if (why === 'stopping') return false
      await renew()
      return why === 'news'
    },
  }
}
