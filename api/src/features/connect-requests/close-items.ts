import type { Parts } from '../../call.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { isComplete } from '../../domain/connect-request.ts'
import { Refusal } from '../../refusal.ts'
import type { IntegrationRow } from '../integrations/integration-row.ts'
import { openReceiptUrl, type SealedReceipt } from '../integrations/receipt-row.ts'
import { mailConfirmation } from './mail-client.ts'
import { itemsOf, type RequestRow, requestRows, stateOfItem } from './request-row.ts'
import { isUnfinished, requestedUntil } from './unfinished.ts'

interface OpenItem {
  request_id: string
  access_until: string | null
  live: boolean
}

type Held = Pick<IntegrationRow, 'organization_id' | 'id' | 'unfinished_since'>

/** Items `t` of requests `r` that still ask for an integration, as it was before this attempt. */
const openOf = ({ organization_id, id, unfinished_since }: Held): Fragment => sql`t.organization_id = ${organization_id}
  and t.integration_id = ${id} and (t.connected_at is null or t.connected_at >= ${unfinished_since})
  and r.organization_id = ${organization_id} and r.id = t.request_id and r.canceled_at is null`

/**
 * An integration whose row is held was connected, by whatever way: its items are done, and so may be their requests; unless something
 * is missing. With its consent the client has agreed to the day on which access ends; one that has passed is no longer agreed.
 */
export async function closeItems(parts: Parts, query: RunQuery, row: Held): Promise<void> {
  const { organization_id, id } = row
  const open = openOf(row)
  const items = await query<OpenItem>(sql`select t.request_id, t.access_until::text as access_until, r.expires_at > now() as live
    from connect_items t, connect_requests r where ${open} order by r.expires_at desc`)
  await query(sql`update connect_items t set connected_at = now(), declined_at = null, failed_reason = null, token_hash = null, token_sealed = null
    from connect_requests r where ${open}`)
  const [agreed] = await query<{ today: string; access_until: string | null }>(sql`select (now() at time zone 'utc')::date::text as today,
    access_until::text as access_until from integrations where organization_id = ${organization_id} and id = ${id}`)
  const kept = agreed?.access_until && agreed.access_until > agreed.today ? agreed.access_until : null
  await query(sql`update integrations i set requested_until = ${requestedUntil(organization_id)}, access_noted = null,
      access_until = ${items.find(({ live }) => live)?.access_until ?? kept}::date
    where i.organization_id = ${organization_id} and i.id = ${id}`)
  await finishRequests(parts, query, organization_id, items)
}

/** What was missing is there: its items, which were connected before, are done. */
export async function finishItems(parts: Parts, query: RunQuery, row: Held): Promise<void> {
  const { organization_id, id } = row
  const items = await query<Pick<OpenItem, 'request_id'>>(sql`update connect_items t set failed_reason = null
    from connect_requests r where ${openOf(row)} and t.connected_at is not null returning t.request_id`)
  await query(sql`update integrations i set requested_until = ${requestedUntil(organization_id)}
    where i.organization_id = ${organization_id} and i.id = ${id}`)
  await finishRequests(parts, query, organization_id, items)
}

/** The connection has ended before it was finished: its items ask for it again. */
export async function reopenItems(query: RunQuery, row: Held, reason: string): Promise<void> {
  const { organization_id, id } = row
  await query(sql`update connect_items t set connected_at = null, failed_reason = ${reason} from connect_requests r
    where ${openOf(row)} and t.connected_at is not null`)
  await query(sql`update integrations set unfinished_since = null where organization_id = ${organization_id} and id = ${id}`)
}

/** Why what the client added last does not work. */
export async function noteFailure(query: RunQuery, row: Held, reason: string): Promise<void> {
  await query(sql`update connect_items t set failed_reason = ${reason} from connect_requests r
    where ${openOf(row)} and t.connected_at is not null`)
}

async function finishRequests(parts: Parts, query: RunQuery, organizationId: string, items: readonly { request_id: string }[]) {
  for (const request of items.map(({ request_id }) => request_id).sort()) await finishRequest(parts, query, organizationId, request)
}

/** Held before it is looked at: of two items that are done at the same moment the second sees the first. */
export async function finishRequest(parts: Parts, query: RunQuery, organizationId: string, requestId: string): Promise<void> {
  await query(sql`select from connect_requests where organization_id = ${organizationId} and id = ${requestId} for update`)
  const [row] = await query<RequestRow>(requestRows(sql`r.organization_id = ${organizationId} and r.id = ${requestId}`))
  const items = await itemsOf(query, organizationId, [requestId])
  if (!row || row.completed_at || !isComplete(items.map(stateOfItem))) return
  await query(sql`update connect_requests set completed_at = now(), updated_at = now(), remind_at = null
    where organization_id = ${organizationId} and id = ${requestId}`)
  await confirm(parts, query, row)
}

/** Mails the receipts of what is connected, if anything is: when everything is done, or when the link has expired before that. */
export async function confirm(parts: Parts, query: RunQuery, row: RequestRow): Promise<void> {
  const receipts = await query<
    SealedReceipt & { provider: string; unfinished: boolean }
  >(sql`select c.organization_id, c.integration_id, c.token_sealed, i.provider, ${isUnfinished} as unfinished
    from connect_items t join receipts c on c.organization_id = t.organization_id and c.integration_id = t.integration_id
    join integrations i on i.organization_id = t.organization_id and i.id = t.integration_id
    where t.organization_id = ${row.organization_id} and t.request_id = ${row.id} and t.connected_at is not null and c.ended_at is null
    order by t.position`)
  if (row.client_email && !row.mails_stopped && receipts.length && (await isWithinLimits(parts, query, row)))
    await mailConfirmation(
      parts,
      query,
      row,
      receipts.map((receipt) => ({ provider: receipt.provider, unfinished: receipt.unfinished, link: openReceiptUrl(parts, receipt) })),
    )
}

/** It counts as every mail to a client does; past the limit it is left out, and nobody is kept from connecting. */
async function isWithinLimits(parts: Parts, query: RunQuery, row: RequestRow): Promise<boolean> {
  const subject = { ip: '', at: { organization: { id: row.organization_id } }, body: { email: row.client_email } }
  return parts.limitDone(query, 'sendConnectRequest', subject).then(
    () => true,
    (error) => {
      if (error instanceof Refusal) return false
      throw error
    },
  )
}
