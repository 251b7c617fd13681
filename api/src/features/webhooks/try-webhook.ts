// One delivery that somebody asks for now, and whose answer they are shown.
import { randomUUID } from 'node:crypto'
import type { Answer, AuditKind } from '@adjoin/contract'
import { type Event, lastBefore, readEvents } from '../../audit/events.ts'
import { transact } from '../../audit/transact.ts'
import { type Call, type Handler, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse, refuseField } from '../../refusal.ts'
import { freezeGuard } from '../organizations/frozen.ts'
import { type DeliveryRow, deliveryColumns, toDelivery, toldAnswer } from './delivery-row.ts'
import { audienceOf, senderOf } from './send.ts'
import { entryOf, findWebhook, toWebhook, type WebhookRow } from './webhook-row.ts'

type TryCall = Call<'testWebhook'> | Call<'redeliverWebhook'>

/** In the trail before it leaves, then sent once; the cursor of the webhook stays where it is. */
async function tryNow(call: TryCall, kind: AuditKind, what: 'test' | 'redelivery', eventOf: (row: WebhookRow) => Promise<Event>) {
  const { parts, organization, params } = call
  const { query: read } = parts.db
  const event = await eventOf(await findWebhook(read, organization.id, params.id))
  const id = randomUUID()
  const guard = freezeGuard(parts, organization.id, performance.now())
  const row = await transact(call as Call<'testWebhook'>, async (query, record) => {
    const locked = await findWebhook(query, organization.id, params.id, 'lock')
    if (locked.status === 'disabled') refuse('webhook_disabled')
    if (locked.frozen) refuse('organization_frozen')
    await query(sql`insert into webhook_deliveries (organization_id, webhook_id, id, kind, event_id, sequence, type, attempt)
      values (${organization.id}, ${locked.id}, ${id}, ${what}, ${event.id}, ${event.sequence || null}, ${event.type}, 1)`)
    record(kind, { ...entryOf(locked), ...(what === 'redelivery' && { metadata: { eventId: event.id, sequence: event.sequence } }) })
    return locked
  })
  await guard.pass()
  const { answer, durationMs, hidden } = await senderOf(parts, row)(event)
  const told = toldAnswer(answer, hidden)
  const outcome = told.status !== null && told.status >= 200 && told.status < 300 ? 'delivered' : 'failed'
  const [ended] =
    await read<DeliveryRow>(sql`update webhook_deliveries set outcome = ${outcome}, status = ${told.status}, error = ${told.error},
      answer = ${told.answer}, duration_ms = ${durationMs}
    where organization_id = ${organization.id} and webhook_id = ${row.id} and id = ${id} returning ${deliveryColumns}`)
  return ended ? toDelivery(ended) : refuse('not_found')
}

export const testWebhook: Handler<'testWebhook'> = (call): Promise<Answer<'testWebhook'>> =>
  tryNow(call, 'webhook.tested', 'test', async () => testEvent(call, randomUUID()))

const testEvent = (call: TryCall, id: string): Event => ({
  id,
  sequence: 0,
  type: 'webhook.test',
  createdAt: call.now,
  organization: { slug: call.organization.slug },
  workspace: null,
  actor: { type: 'user', name: person(call).user.name },
  data: { changes: [] },
})

export const redeliverWebhook: Handler<'redeliverWebhook'> = (call) =>
  tryNow(call, 'webhook.redelivered', 'redelivery', async (row) => {
    const { parts, organization, params } = call
    const [delivery] = await parts.db.query<{
      event_id: string
      sequence: number | null
    }>(sql`select event_id, sequence from webhook_deliveries
      where organization_id = ${organization.id} and webhook_id = ${row.id} and id = ${params.deliveryId}`)
    if (!delivery) return refuse('not_found')
    if (delivery.sequence === null) return testEvent(call, delivery.event_id)
    const { types: _, ...audience } = audienceOf(organization, row)
    const { events } = await readEvents(parts.db.query, audience, delivery.sequence - 1, delivery.sequence, 1)
    return events[0] ?? refuse('not_found')
  })

const MOST_DAYS = 30

/** Only ever back: nothing is skipped by it. */
export const replayWebhook: Handler<'replayWebhook'> = (call) =>
  transact(call, async (query, record) => {
    const { organization, params, body, now } = call
    const row = await findWebhook(query, organization.id, params.id, 'lock')
    const from = new Date(body.from)
    if (from > now) refuseField('from', 'must be in the past')
    if (now.getTime() - from.getTime() > MOST_DAYS * 86_400_000) refuseField('from', `must be at most ${MOST_DAYS} days ago`)
    const position = Math.min((await lastBefore(query, organization.id, from)) ?? row.position, row.position)
    // Whoever is delivering now has lost the right to say how far it came.
    await query(sql`update webhooks set position = ${position}, frozen_position = null, tries = 0, refusals = 0, due_at = now(), leased_until = null
      where organization_id = ${organization.id} and id = ${row.id}`)
    record('webhook.replayed', { ...entryOf(row), metadata: { from: from.toISOString() } })
    return toWebhook({ ...row, position })
  })
