// Brings one webhook forward on the trail: event by event, in order, each only after the one before was taken.
import { randomUUID } from 'node:crypto'
import { type Event, headOf, readEvents } from '../../audit/events.ts'
import type { Parts } from '../../call.ts'
import { exactly } from '../../db/exactly.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { type DeliveryStep, nextStep } from '../../domain/webhook.ts'
import { freezeGuard } from '../organizations/frozen.ts'
import { type DeliveryRow, toldAnswer } from './delivery-row.ts'
import { disableBySystem, warnAdmins } from './fail-webhook.ts'
import { audienceOf, audienceWhileFrozen, FREEZE, type Sent, senderOf } from './send.ts'
import { doneUpTo, findWebhook, type LeasedWebhook, type WebhookRow } from './webhook-row.ts'

/** Longer than a batch and its last answer may take. */
export const LEASE_SECONDS = 30
const PAGE = 100
/** What was taken is written this often; a process that dies sends it again. Who may not be sent to any more is noticed as often. */
const WRITE_EVERY_MS = 1000
/** Then others have their turn. */
const TURN_MS = 10_000

type Try = Pick<DeliveryRow, 'event_id' | 'sequence' | 'type' | 'attempt' | 'outcome' | 'status' | 'error' | 'duration_ms' | 'answer'>

export async function deliver(parts: Parts, leased: LeasedWebhook): Promise<void> {
  const { query } = parts.db
  const until = performance.now() + TURN_MS
  let { lease } = leased
  while (performance.now() < until) {
    const looked = performance.now()
    const row = await findWebhook(query, leased.organization_id, leased.id).catch(() => undefined)
    if (!row || row.status === 'disabled') return
    if (row.owner_role !== 'admin') return disableBySystem(parts, leased, 'Its owner is no longer an organization admin.')
    const batch = await deliverBatch(parts, leased, row, looked)
    const kept = await write(parts, leased, row, lease, batch)
    if (!kept || batch.last?.step === 'retry' || (batch.last?.step === 'disable' && !kept.turned)) return
    lease = kept.lease
    if (batch.position >= row.head && (await headOf(query, row.organization_id)) <= batch.position) break
  }
  await query(sql`update webhooks set leased_until = null where organization_id = ${leased.organization_id} and id = ${leased.id}
    and ${exactly(sql`leased_until`)} = ${lease}`)
}

interface Batch {
  readonly tries: Try[]
  readonly position: number
  /** What became of the last try, if it was no success. */
  readonly last: Exclude<DeliveryStep, { step: 'delivered' }> | undefined
}

async function deliverBatch(
  parts: Parts,
  { organization_id: id, organization_slug: slug }: LeasedWebhook,
  row: WebhookRow,
  looked: number,
): Promise<Batch> {
  const send = senderOf(parts, row)
  const guard = freezeGuard(parts, id, looked)
  const audience = (row.frozen ? audienceWhileFrozen : audienceOf)({ id, slug }, row)
  const page = await readEvents(parts.db.query, audience, doneUpTo(row), row.head, PAGE)
  const tries: Try[] = []
  const until = performance.now() + WRITE_EVERY_MS
  let position = doneUpTo(row)
  for (const event of page.events) {
    if (!row.frozen && (await guard.frozen())) return { tries, position, last: undefined }
    if (wasSentWhileFrozen(row, event)) continue
    const sent = await send(event)
    const step = nextStep(tries.length ? FRESH : progressOf(row), sent.answer, new Date(), Math.random)
    tries.push(tryOf(event, tries.length ? 1 : row.tries + 1, sent, step))
    if (step.step !== 'delivered') return { tries, position: step.step === 'set_aside' ? event.sequence : position, last: step }
    position = event.sequence
    if (performance.now() > until) return { tries, position, last: undefined }
  }
  return { tries, position: page.position, last: undefined }
}

const wasSentWhileFrozen = (row: WebhookRow, { type, sequence }: Event) => type === FREEZE && sequence <= (row.frozen_position ?? 0)

const FRESH = { tries: 0, refusals: 0, setAside: 0, failingSince: null, warned: false }

const progressOf = (row: WebhookRow) => ({
  tries: row.tries,
  refusals: row.refusals,
  setAside: row.set_aside,
  failingSince: row.failing_since,
  warned: row.warned_at !== null,
})

const tryOf = ({ id, sequence, type }: Event, attempt: number, { answer, durationMs, hidden }: Sent, { step }: DeliveryStep): Try => ({
  event_id: id,
  sequence,
  type,
  attempt,
  outcome: step === 'delivered' ? 'delivered' : step === 'set_aside' ? 'set_aside' : 'failed',
  duration_ms: durationMs,
  ...toldAnswer(answer, hidden),
})

/** One statement: how far it came and what was said, if the webhook is still ours. Answers until when it is ours now, and whether it begins anew. */
async function write(
  parts: Parts,
  leased: LeasedWebhook,
  row: WebhookRow,
  lease: string,
  { tries, position, last }: Batch,
): Promise<{ lease: string; turned: boolean } | undefined> {
  const column = <K extends keyof Try>(name: K) => tries.map((one) => one[name])
  const progress = last && 'progress' in last ? last.progress : tries.length ? FRESH : progressOf(row)
  const failing = last && 'failing' in last ? last.failing : false
  const detail = failing ? failureOf(tries.at(-1)!) : null
  // Frozen or thawed meanwhile: something else is next, it need not wait, and what failed before says nothing about it.
  const turned = sql`(select frozen_at is not null from organizations where id = ${leased.organization_id}) <> ${row.frozen}`
  const unlessTurned = (column: Fragment, value: Fragment) => sql`${column} = case when ${turned} then ${column} else ${value} end`
  const [kept] = await parts.db.query<{ lease: string; turned: boolean }>(sql`with kept as (
      update webhooks set ${row.frozen ? sql`frozen_position` : sql`position`} = ${position},
        ${unlessTurned(sql`tries`, sql`${progress.tries}::int`)}, ${unlessTurned(sql`refusals`, sql`${progress.refusals}::int`)},
        ${unlessTurned(sql`set_aside`, sql`${progress.setAside}::int`)}, ${unlessTurned(sql`failing_since`, sql`${progress.failingSince}::timestamptz`)},
        ${unlessTurned(sql`warned_at`, progress.warned ? sql`least(warned_at, now())` : sql`null`)},
        status = ${tries.length ? (failing ? 'failing' : 'active') : sql`status`}, status_detail = ${tries.length ? sql`${detail}` : sql`status_detail`},
        last_success_at = ${tries.some(({ outcome }) => outcome === 'delivered') ? sql`now()` : sql`last_success_at`},
        last_failure_at = ${last === undefined ? sql`last_failure_at` : sql`now()`},
        due_at = now() + case when ${turned} then interval '0' else make_interval(secs => ${last?.step === 'retry' ? last.seconds : 0}) end,
        leased_until = ${last?.step === 'retry' ? sql`null` : sql`now() + make_interval(secs => ${LEASE_SECONDS})`}
      where organization_id = ${leased.organization_id} and id = ${leased.id} and status <> 'disabled' and ${exactly(sql`leased_until`)} = ${lease}
      returning organization_id, id, coalesce(${exactly(sql`leased_until`)}, 'free') as lease, ${turned} as turned),
    told as (insert into webhook_deliveries (organization_id, webhook_id, id, kind, event_id, sequence, type, attempt, outcome, status, error,
        duration_ms, answer)
      select kept.organization_id, kept.id, t.id, 'event', t.event_id, t.sequence, t.type, t.attempt, t.outcome, t.status, t.error, t.duration_ms, t.answer
      from kept cross join unnest(${tries.map(() => randomUUID())}::uuid[], ${column('event_id')}::uuid[], ${column('sequence')}::bigint[],
        ${column('type')}::text[], ${column('attempt')}::int[], ${column('outcome')}::text[], ${column('status')}::int[], ${column('error')}::text[],
        ${column('duration_ms')}::int[], ${column('answer')}::text[])
        as t (id, event_id, sequence, type, attempt, outcome, status, error, duration_ms, answer))
    select lease, turned from kept`)
  if (!kept || kept.turned) return kept
  if (last?.step === 'disable') await disableBySystem(parts, leased, last.why)
  if (last?.step === 'retry' && last.warn) await warnAdmins(parts, leased)
  return kept
}

const failureOf = ({ status, error }: Try): string =>
  status === null ? `Your server could not be reached: ${error}.` : `Your server answered with ${status}.`
