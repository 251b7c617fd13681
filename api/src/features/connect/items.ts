import { transact } from '../../audit/transact.ts'
import type { Call, Handler } from '../../call.ts'
import { enterInDirectory } from '../../db/directory.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { newToken } from '../../vault/tokens.ts'
import { finishRequest } from '../connect-requests/close-items.ts'
import { itemBinding, lockRequest } from '../connect-requests/request-row.ts'
import { requestedUntil } from '../connect-requests/unfinished.ts'
import { connectUrl } from '../integrations/integration-row.ts'
import { findLiveItem, isStillLive, type LinkRow, refuseLink } from './find-link.ts'
import { auditContextOf, client } from './note-start.ts'
import { readPublicItem } from './public-request.ts'

/** Passed on to so many, a request would be no one's. */
const MOST_PASSED_ON = 5

interface ItemState {
  optional: boolean
  declined: boolean
  token_sealed: string | null
  title: string
  name: string
}

/** Held, and still open under this very link. */
async function holdItem(query: RunQuery, link: LinkRow): Promise<ItemState> {
  await lockRequest(query, link.organization_id, link.request_id!)
  if (link.reconnects || !(await isStillLive(query, link))) refuse('item_closed')
  const [item] = await query<ItemState>(sql`select t.optional, t.declined_at is not null as declined, t.token_sealed, r.title, i.name
    from connect_items t join connect_requests r on r.organization_id = t.organization_id and r.id = t.request_id
    join integrations i on i.organization_id = t.organization_id and i.id = t.integration_id
    where t.organization_id = ${link.organization_id} and t.id = ${link.item_id}`)
  return item ?? refuseLink()
}

const entryOf = (link: LinkRow, { title, name }: ItemState) => ({
  actor: client,
  target: { type: 'connect_request' as const, id: link.request_id!, name: title },
  metadata: { item: link.item_id, integrationId: link.integration_id, name },
})

/** Its own link, if it was passed on, ends with it. */
export const declineConnectItem: Handler<'declineConnectItem'> = async (call) => {
  const { parts } = call
  const link = await findLiveItem(parts, call.params)
  await transact(auditContextOf(call, link), async (query, record) => {
    const item = await holdItem(query, link)
    if (!item.optional) refuse('item_required')
    if (item.declined) refuse('item_closed')
    await query(sql`update connect_items set declined_at = now(), token_hash = null, token_sealed = null
      where organization_id = ${link.organization_id} and id = ${link.item_id}`)
    await query(sql`update connect_requests set started_at = least(started_at, now())
      where organization_id = ${link.organization_id} and id = ${link.request_id}`)
    await query(sql`update integrations i set requested_until = ${requestedUntil(link.organization_id)}
      where i.organization_id = ${link.organization_id} and i.id = ${link.integration_id}`)
    record('connect_request.item_declined', entryOf(link, item))
    await finishRequest(parts, query, link.organization_id, link.request_id!)
  })
  return readPublicItem(parts, link.organization_id, link.item_id!)
}

/** Asked for again, it is the same link. */
export const passOnConnectItem: Handler<'passOnConnectItem'> = async (call: Call<'passOnConnectItem'>) => {
  const { parts } = call
  const link = await findLiveItem(parts, call.params)
  const binding = itemBinding(link.organization_id, link.item_id!)
  const token = await transact(auditContextOf(call, link), async (query, record) => {
    const item = await holdItem(query, link)
    if (item.declined) refuse('item_closed')
    if (item.token_sealed) return parts.vault.open(item.token_sealed, binding)
    const [passed] = await query<{ n: number }>(sql`select count(*)::int as n from connect_items
      where organization_id = ${link.organization_id} and request_id = ${link.request_id} and passed_on_at is not null`)
    if (passed!.n >= MOST_PASSED_ON)
      refuse('quota_reached', { detail: `At most ${MOST_PASSED_ON} items of a request can be passed on. Connect this one from the list.` })
    const made = newToken()
    const hash = parts.secrets.lookup('connect-link', made)
    await enterInDirectory(parts.db, query, link.organization_id, hash)
    await query(sql`update connect_items set token_hash = ${hash}, token_sealed = ${parts.vault.seal(made, binding)},
      passed_on_at = now() where organization_id = ${link.organization_id} and id = ${link.item_id}`)
    await query(sql`update connect_requests set started_at = least(started_at, now())
      where organization_id = ${link.organization_id} and id = ${link.request_id}`)
    record('connect_request.item_passed_on', entryOf(link, item))
    return made
  })
  return { connectUrl: connectUrl(parts, token), expiresAt: link.expires_at }
}
