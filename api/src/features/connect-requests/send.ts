import { transact } from '../../audit/transact.ts'
import type { Call, Handler } from '../../call.ts'
import { enterInDirectory } from '../../db/directory.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { nextMail } from '../../domain/connect-request.ts'
import { refuse } from '../../refusal.ts'
import { newToken } from '../../vault/tokens.ts'
import { openRequest } from './change.ts'
import { clientTasks, mailRequest } from './mail-client.ts'
import { aboutRequest, findRequest, type ItemRow, itemsOf, type RequestRow, readRequest, requestBinding } from './request-row.ts'
import { isOpenItem } from './unfinished.ts'

type MailingCall = Call<'sendConnectRequest' | 'renewConnectRequest'>

export const sendConnectRequest: Handler<'sendConnectRequest'> = (call) =>
  transact(call, async (query, record) => {
    const row = await openRequest(query, call)
    if (row.expired) refuse('request_expired')
    if (!row.client_email) refuse('client_email_missing')
    if (row.mails_stopped) refuse('mails_stopped')
    const items = await itemsOf(query, row.organization_id, [row.id])
    if (!clientTasks(items).length) refuse('client_done')
    if (!(await send(call, query, row, items))) refuse('mails_stopped')
    await remindFromNow(query, row)
    record('connect_request.sent', { ...aboutRequest(row), metadata: { again: row.sent_at !== null } })
    return readRequest(call, query)
  })

/** False: the client wants no mail. */
async function send(call: MailingCall, query: RunQuery, row: RequestRow, items: readonly ItemRow[]): Promise<boolean> {
  const { id, parts, origin, caller, organization } = call
  const limited = { ip: origin.ip, caller, at: { organization }, body: { email: row.client_email } }
  Object.assign(call.headers, await parts.limitDone(query, id, limited))
  return mailRequest(parts, query, row, items, 'request')
}

async function remindFromNow(query: RunQuery, row: RequestRow): Promise<void> {
  const next = nextMail(0, row.now, row.expires_at)
  await query(sql`update connect_requests set sent_at = least(sent_at, now()), remind_from = now(), remind_step = ${next?.step ?? null},
    remind_at = ${next?.at ?? null}::timestamptz where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/** The old token is gone on every replica, and with it every link that was passed on from it. */
export const renewConnectRequest: Handler<'renewConnectRequest'> = (call) =>
  transact(call, async (query, record) => {
    const { parts, organization, body } = call
    const old = await openRequest(query, call)
    const token = newToken()
    const hash = parts.secrets.lookup('connect-request', token)
    await enterInDirectory(parts.db, query, organization.id, hash)
    await query(sql`update connect_requests set token_hash = ${hash},
        token_sealed = ${parts.vault.seal(token, requestBinding(organization.id, old.id))},
        expires_at = now() + make_interval(days => ${body.expiresInDays}), updated_at = now()
      where organization_id = ${organization.id} and id = ${old.id}`)
    const passedOn = await query(sql`update connect_items set token_hash = null, token_sealed = null, passed_on_at = null
      where organization_id = ${organization.id} and request_id = ${old.id} and passed_on_at is not null returning id`)
    await holdIntegrations(query, old)
    const row = await findRequest(query, call)
    if (row.sent_at && row.client_email && !row.mails_stopped) {
      const items = await itemsOf(query, row.organization_id, [row.id])
      if (clientTasks(items).length) await send(call, query, row, items)
      await remindFromNow(query, row)
    }
    record('connect_request.renewed', {
      ...aboutRequest(row),
      changes: [{ field: 'expiresAt', from: old.expires_at, to: row.expires_at }],
      metadata: { passedOnEnded: passedOn.length },
    })
    return readRequest(call, query)
  })

/** What another request asks for meanwhile stays with that one, so this one is not taken up again. */
async function holdIntegrations(query: RunQuery, { organization_id, id, expired }: RequestRow): Promise<void> {
  const open = sql`t.organization_id = ${organization_id} and t.request_id = ${id} and ${isOpenItem}`
  const [elsewhere] = await query(sql`select from connect_items t join integrations i on i.organization_id = t.organization_id
    and i.id = t.integration_id where ${open} and ${expired} and i.requested_until > now()`)
  if (elsewhere) refuse('request_open')
  await query(sql`update integrations i set requested_until = r.expires_at from connect_items t join connect_requests r
      on r.organization_id = t.organization_id and r.id = t.request_id
    where ${open} and i.organization_id = t.organization_id and i.id = t.integration_id`)
}
