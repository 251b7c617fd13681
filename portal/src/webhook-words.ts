import type { Output } from '@adjoin/contract/operations'
import type { Tone } from './design/notice.tsx'
import { plural } from './format.ts'

export type Webhook = Output<'getWebhook'>
export type WebhookDelivery = Output<'testWebhook'>
export type WebhookParams = { orgSlug: string; id: string }

type Words = { words: string; tone: Tone | 'quiet' }

export const statusWords: Record<Webhook['status'], Words> = {
  active: { words: 'Active', tone: 'good' },
  failing: { words: 'Failing', tone: 'bad' },
  disabled: { words: 'Disabled', tone: 'quiet' },
}

export const nameOf = ({ description, url }: Pick<Webhook, 'description' | 'url'>): string => description || url

/** How many events wait is only known when they were looked at: until then, some may be of kinds that were not chosen. */
const waiting = ({ behind, types, workspaceSlug }: Webhook, one: string, many: string): string =>
  `${types.length || workspaceSlug ? 'up to ' : ''}${plural(behind, one, many)}`
const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/** `12 events behind` */
export const behindInWords = (webhook: Webhook): string =>
  webhook.behind === 0
    ? 'Up to date'
    : `${capitalized(waiting(webhook, 'event', 'events'))} ${webhook.status === 'disabled' ? 'waiting' : 'behind'}`

/** `12 events are waiting.`, or nothing. */
export const waitingInWords = (webhook: Webhook): string =>
  webhook.behind === 0 ? '' : `${capitalized(waiting(webhook, 'event is', 'events are'))} waiting.`

export const ownerInWords = ({ owner }: Webhook, myEmail: string): string =>
  owner.email === myEmail ? 'You' : owner.name ? `${owner.name} (${owner.email})` : owner.email

/** What to know at the top of its page: what happened, why, what to do now. */
export function stateNotice(webhook: Webhook): { tone: Tone; title: string; detail: string } | undefined {
  const { status, statusDetail } = webhook
  const why = statusDetail ? `${faultInWords(statusDetail)} ` : ''
  if (status === 'failing')
    return {
      tone: 'bad',
      title: 'Deliveries are failing',
      detail: `${why}We’ll keep trying, and nothing is skipped. After 5 days without a success we’ll disable this webhook and email your admins.`,
    }
  if (status === 'disabled')
    return {
      tone: 'warn',
      title: 'This webhook is disabled',
      detail: `${why}${waitingInWords(webhook)} When you enable it, sending continues where it stopped.`.trim(),
    }
  return undefined
}

const faults: [RegExp, string][] = [
  [/ECONNREFUSED/, 'the connection was refused'],
  [/EHOSTUNREACH|ENETUNREACH/, 'the network could not be reached'],
  [/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_VERIFY/, 'its certificate is not valid'],
]
/** Networks speak in codes. */
export const faultInWords = (text: string): string =>
  text.replace(/\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b|\bE[A-Z]{4,}\b/g, (code) => {
    const known = faults.find(([pattern]) => pattern.test(code))
    return known?.[1] ?? 'the connection was interrupted'
  })

export function resultOf({ outcome, status, at }: WebhookDelivery, now = Date.now()): Words {
  if (outcome === 'delivered') return { words: `Delivered (${status})`, tone: 'good' }
  if (outcome === 'set_aside') return { words: status ? `Set aside (${status})` : 'Set aside', tone: 'warn' }
  if (outcome === 'failed') return { words: status ? `Failed (${status})` : 'Not reached', tone: 'bad' }
  return { words: now - new Date(at).getTime() < LONGEST_MS ? 'In progress' : 'Outcome unknown', tone: 'quiet' }
}
/** No delivery takes longer: one without an outcome was cut off. */
const LONGEST_MS = 60_000

export const attemptInWords = ({ kind, attempt }: WebhookDelivery): string =>
  kind === 'test' ? 'Test' : kind === 'redelivery' ? 'Redelivery' : `${attempt}`

/** What came back, as a sentence. */
export function answerInWords({ outcome, status, error, durationMs }: WebhookDelivery): string {
  const took = durationMs === null ? '' : ` in ${durationMs < 1000 ? `${durationMs} ms` : `${(durationMs / 1000).toFixed(1)} s`}`
  if (outcome === 'delivered') return `Your server accepted the event${took}.`
  if (outcome === 'set_aside')
    return `Your server rejected this event 5 times, so we set it aside and continued with the next one. Redeliver it when your server is fixed.`
  if (status !== null) return `Your server answered with ${status}${took}. It must answer with 2xx within 15 seconds.`
  return `We couldn’t reach your server: ${error ? faultInWords(error) : 'there was no answer'}.`
}
