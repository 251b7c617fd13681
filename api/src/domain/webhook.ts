// The rules of webhooks: where they may lead, how a delivery is signed, and what becomes of one that failed.
import { createHmac } from 'node:crypto'

/** The address as it is called, or null. https alone; http on this very machine, in development. */
export function acceptableWebhookUrl(text: string, development: boolean): URL | null {
  if (/[\p{Cc}\s\\]/u.test(text) || text.length > 2048 || !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  if (url.username || url.password || url.hash) return null
  return url.protocol === 'https:' || (development && isLocal(url)) ? url : null
}

/** Only what is spelled as this machine: a name that happens to lead here does not count. */
export const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname)

/** Paths hold secrets of their consumers: what is shown is where it leads. */
export const shownUrl = ({ origin }: URL): string => `${origin}/…`

const PREFIX = 'whsec_'

export const secretText = (bytes: Buffer): string => PREFIX + bytes.toString('base64')

/** The headers of a delivery by Standard Webhooks 1.0; one signature for each secret. */
export function signedHeaders(id: string, body: string, secrets: readonly string[], now: Date): Record<string, string> {
  const timestamp = String(Math.floor(now.getTime() / 1000))
  const sign = (secret: string) =>
    `v1,${createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64')}`
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': secrets.map(sign).join(' ') }
}

/** What a consumer said, or why it said nothing. */
export type DeliveryResult = { readonly status: number; readonly retryAfter?: number | undefined } | { readonly error: string }

/** How far a webhook has come with the event that is next. */
export interface Progress {
  readonly tries: number
  readonly refusals: number
  /** Events set aside in a row. */
  readonly setAside: number
  readonly failingSince: Date | null
  /** Its owner and the admins were told that it fails. */
  readonly warned: boolean
}

export type DeliveryStep =
  /** Done with it: the next one follows. */
  | { readonly step: 'delivered' }
  /** Refused so often that it is passed over; kept, so that it can be sent again. */
  | { readonly step: 'set_aside'; readonly failing: boolean; readonly progress: Progress }
  | { readonly step: 'retry'; readonly seconds: number; readonly failing: boolean; readonly warn: boolean; readonly progress: Progress }
  | { readonly step: 'disable'; readonly why: string }

const WAITS = [5, 30, 120, 600, 1800, 3600, 10_800]
const LONGEST_WAIT = 6 * 3600
const DAY_MS = 86_400_000
const DISABLED_AFTER_DAYS = 5
/** Refusals after which an event is set aside, and events in a row after which none is any more. */
const MOST_REFUSALS = 5
const MOST_SET_ASIDE = 3
/** Failed tries in a row after which people should look at it. */
const FAILING_TRIES = 3

/** The consumer says no to this very event. Too early, too much and too slow are not about the event. */
const isRefusal = (status: number): boolean => status >= 400 && status < 500 && ![408, 410, 425, 429].includes(status)

export function nextStep(before: Progress, result: DeliveryResult, now: Date, random: () => number): DeliveryStep {
  if ('status' in result && result.status >= 200 && result.status < 300) return { step: 'delivered' }
  if ('status' in result && result.status === 410) return { step: 'disable', why: 'Your server answered 410 Gone.' }
  const failingSince = before.failingSince ?? now
  const failedMs = now.getTime() - failingSince.getTime()
  if (failedMs >= DISABLED_AFTER_DAYS * DAY_MS) return { step: 'disable', why: `All deliveries failed for ${DISABLED_AFTER_DAYS} days.` }
  const refused = 'status' in result && isRefusal(result.status)
  const refusals = before.refusals + (refused ? 1 : 0)
  if (refused && refusals >= MOST_REFUSALS && before.setAside < MOST_SET_ASIDE) {
    const setAside = before.setAside + 1
    return {
      step: 'set_aside',
      failing: setAside >= MOST_SET_ASIDE,
      progress: { ...before, failingSince, tries: 0, refusals: 0, setAside },
    }
  }
  const warn = !before.warned && failedMs >= DAY_MS
  const tries = before.tries + 1
  return {
    step: 'retry',
    seconds: waitSeconds(before.tries, 'status' in result ? result.retryAfter : undefined, random),
    failing: tries >= FAILING_TRIES || before.setAside >= MOST_SET_ASIDE,
    warn,
    progress: { tries, refusals, setAside: before.setAside, failingSince, warned: before.warned || warn },
  }
}

/** A tenth either way: consumers that failed together are not asked together again. */
function waitSeconds(failedBefore: number, asked: number | undefined, random: () => number): number {
  if (asked !== undefined) return Math.min(LONGEST_WAIT, Math.max(WAITS[0]!, asked))
  return (WAITS[failedBefore] ?? LONGEST_WAIT) * (0.9 + 0.2 * random())
}
