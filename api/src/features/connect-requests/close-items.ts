import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { isComplete } from '../../domain/connect-request.ts'
import { Refusal } from '../../refusal.ts'
import { openReceiptUrl, type SealedReceipt } from '../integrations/receipt-row.ts'
import { mailConfirmation } from './mail-client.ts'
import { itemsOf, type RequestRow, requestRows, stateOfItem } from './request-row.ts'

interface OpenItem {
  request_id: string
  access_until: string | null
  live: boolean
}

/**
 * An integration whose row is held was connected, by whatever way: its items are done, and so may be their requests.
 * With its consent the client has agreed to the day on which access ends; one that has passed is no longer agreed.
 */
export async function closeItems(parts: Parts, query: RunQuery, { organization_id, id }: { organization_id: string; id: string }) {
  const open = sql`t.organization_id = ${organization_id} and t.integration_id = ${id} and t.connected_at is null
    and r.organization_id = ${organization_id} and r.id = t.request_id and r.canceled_at is null`
  const items = await query<OpenItem>(sql`select t.request_id, t.access_until::text as access_until, r.expires_at > now() as live
    from connect_items t, connect_requests r where ${open} order by r.expires_at desc`)
  await query(sql`update connect_items t set connected_at = now(), declined_at = null, failed_reason = null, token_hash = null, token_sealed = null
    from connect_requests r where ${open}`)
  const [row] = await query<{ today: string; access_until: string | null }>(sql`select (now() at time zone 'utc')::date::text as today,
    access_until::text as access_until from integrations where organization_id = ${organization_id} and id = ${id}`)
  const kept = row?.access_until && row.access_until > row.today ? row.access_until : null
  await query(sql`update integrations set requested_until = null, access_noted = null,
      access_until = ${items.find(({ live }) => live)?.access_until ?? kept}::date
    where organization_id = ${organization_id} and id = ${id}`)
  for (const request of items.map(({ request_id }) => request_id).sort()) await finishRequest(parts, query, organization_id, request)
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
    SealedReceipt & { provider: string }
  >(sql`select c.organization_id, c.integration_id, c.token_sealed, i.provider
    from connect_items t join receipts c on c.organization_id = t.organization_id and c.integration_id = t.integration_id
    join integrations i on i.organization_id = t.organization_id and i.id = t.integration_id
    where t.organization_id = ${row.organization_id} and t.request_id = ${row.id} and t.connected_at is not null and c.ended_at is null
    order by t.position`)
  if (row.client_email && !row.mails_stopped && receipts.length && (await isWithinLimits(parts, query, row)))
    await mailConfirmation(
      parts,
      query,
      row,
      receipts.map((receipt) => ({ provider: receipt.provider, link: openReceiptUrl(parts, receipt) })),
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
