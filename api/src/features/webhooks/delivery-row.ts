import type { Answer } from '@adjoin/contract'
import { sql } from '../../db/sql.ts'
import type { PostAnswer } from '../../gateway/post-webhook.ts'
import { redactText } from '../../redact.ts'

export interface DeliveryRow {
  id: string
  at: Date
  kind: 'event' | 'test' | 'redelivery'
  event_id: string
  sequence: number | null
  type: string
  attempt: number
  outcome: 'delivered' | 'failed' | 'set_aside' | null
  status: number | null
  error: string | null
  duration_ms: number | null
  answer: string | null
}

export const deliveryColumns = sql`id, at, kind, event_id, sequence, type, attempt, outcome, status, error, duration_ms, answer`

export const toDelivery = ({ event_id, duration_ms, ...rest }: DeliveryRow): Answer<'testWebhook'> => ({
  ...rest,
  eventId: event_id,
  durationMs: duration_ms,
})

/** What a consumer said is a stranger's text: nothing that looks like a secret is kept, nor what PostgreSQL does not take. */
export function toldAnswer(answer: PostAnswer, hidden: readonly string[]): Pick<DeliveryRow, 'status' | 'error' | 'answer'> {
  if ('error' in answer) return { status: null, error: answer.error.slice(0, 200), answer: null }
  const longestFirst = hidden.toSorted((a, b) => b.length - a.length)
  const text = longestFirst.reduce((all, secret) => all.replaceAll(secret, '[redacted]'), answer.text)
  return { status: answer.status, error: null, answer: redactText(text).toWellFormed().replaceAll('\0', '\ufffd') || null }
}
