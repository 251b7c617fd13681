import { isDeepStrictEqual } from 'node:util'
import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { checkedReturnUrl } from '../integrations/checked-input.ts'
import { knownMailbox } from './client-mailbox.ts'
import {
  aboutRequest,
  findRequest,
  itemsOf,
  lockRequest,
  type RequestPlace,
  type RequestRow,
  readRequest,
  statusOf,
} from './request-row.ts'
import { requestedUntil } from './unfinished.ts'

async function heldRequest(query: RunQuery, at: RequestPlace) {
  await lockRequest(query, at.organization.id, at.params.requestId)
  const row = await findRequest(query, at)
  return { row, status: statusOf(row, await itemsOf(query, row.organization_id, [row.id])) }
}

/** Held, and not over: what is complete or canceled stays as it is. */
export async function openRequest(query: RunQuery, at: RequestPlace): Promise<RequestRow> {
  const { row, status } = await heldRequest(query, at)
  return status === 'canceled' || status === 'complete' ? refuse('request_closed') : row
}

const fieldsOf = (row: RequestRow) => ({
  title: row.title,
  message: row.message,
  language: row.language,
  clientEmail: row.client_email,
  clientName: row.client_name,
  returnUrl: row.return_url,
  reminders: row.reminders,
})
type Fields = ReturnType<typeof fieldsOf>

export const updateConnectRequest: Handler<'updateConnectRequest'> = (call) =>
  transact(call, async (query, record) => {
    const { parts, organization, body } = call
    const row = await openRequest(query, call)
    const before = fieldsOf(row)
    const { returnUrl, ...rest } = body
    const after = {
      ...before,
      ...(rest as Partial<Fields>),
      ...(returnUrl !== undefined && { returnUrl: returnUrl && checkedReturnUrl(call, returnUrl) }),
    }
    const changed = (Object.keys(after) as (keyof Fields)[]).filter((field) => !isDeepStrictEqual(after[field], before[field]))
    if (changed.length) {
      const mailbox = await knownMailbox(parts, query, organization.id, after.clientEmail)
      await query(sql`update connect_requests set title = ${after.title}, message = ${after.message || null}, language = ${after.language},
          client_email = ${after.clientEmail}, client_name = ${after.clientName}, return_url = ${after.returnUrl}, reminders = ${after.reminders},
          mailbox_hash = ${mailbox}, updated_at = now()
        where organization_id = ${organization.id} and id = ${row.id}`)
      // Where a client reads mail stays between those who work with them: the trail is read by others, too.
      const shown = (field: keyof Fields, value: unknown) => (field === 'clientEmail' && value !== null ? '•••' : value)
      record('connect_request.updated', {
        ...aboutRequest({ id: row.id, title: after.title }),
        changes: changed.map((field) => ({ field, from: shown(field, before[field]), to: shown(field, after[field]) })),
      })
    }
    return readRequest(call, query)
  })

/** Ends the links; the integrations stay. One that is complete stays so: its link alone ends. */
export const cancelConnectRequest: Handler<'cancelConnectRequest'> = (call) =>
  transact(call, async (query, record) => {
    const { organization } = call
    const { row, status } = await heldRequest(query, call)
    const complete = status === 'complete'
    if (status === 'canceled' || (complete && row.token_sealed === null)) refuse('request_closed')
    await query(sql`update connect_requests set canceled_at = ${complete ? sql`canceled_at` : sql`now()`}, updated_at = now(), token_hash = null, token_sealed = null, remind_at = null
      where organization_id = ${organization.id} and id = ${row.id}`)
    await query(sql`update connect_items set token_hash = null, token_sealed = null
      where organization_id = ${organization.id} and request_id = ${row.id}`)
    if (!complete) await releaseIntegrations(query, row)
    record(complete ? 'connect_request.link_ended' : 'connect_request.canceled', aboutRequest(row))
    return undefined
  })

/** What it asked for may be part of another by now. */
async function releaseIntegrations(query: RunQuery, { organization_id, id }: RequestRow): Promise<void> {
  await query(sql`update integrations i set requested_until = ${requestedUntil(organization_id)} where i.organization_id = ${organization_id}
    and i.id in (select integration_id from connect_items where organization_id = ${organization_id} and request_id = ${id})`)
}
