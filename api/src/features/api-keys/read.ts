import { LISTED_KEYS } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { isBehind, pageOf, readCursor, writeCursor } from '../cursor.ts'
import { isWithinReach, type KeyRow, keysOf, reachedKey, reachOf, selectKeys, toApiKey } from './key-row.ts'

const isLive = sql`(k.revoked_at is null and (k.expires_at is null or k.expires_at > now()))`
/** As `keyStatus` says it. */
const status = sql`case when k.revoked_at is not null then 'revoked' when k.disabled_at is not null then 'disabled'
  when k.expires_at <= now() then 'expired' else 'active' end`

/** Live keys always fit; of the ended ones the newest fill the list, and a cursor leads to the others. */
export const listApiKeys: Handler<'listApiKeys'> = async (call) => {
  const { parts, organization, query } = call
  const list = `api-keys|${organization.id}|${query.status ?? ''}`
  const after = readCursor(parts.secrets, list, query.cursor)
  const rows = await parts.db.query<KeyRow>(sql`${keysOf(call)} and ${isWithinReach(call)}
      ${query.status ? sql`and ${status} = ${query.status}` : sql``}
      ${after ? sql`and not ${isLive} and ${isBehind(sql`k.created_at`, sql`k.id`, after)}` : sql``}
    order by ${isLive} desc, k.created_at desc, k.id desc limit ${LISTED_KEYS + 1}`)
  const { page, nextCursor } = pageOf(rows, LISTED_KEYS, ({ moment, id }) => writeCursor(parts.secrets, list, `${moment}_${id}`))
  const reached = page.filter((row) => reachOf(call, row))
  const apiKeys = reached.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime()).map(toApiKey)
  return { apiKeys, ...(nextCursor && { nextCursor }) }
}

export const getApiKey: Handler<'getApiKey'> = async (call) => toApiKey(await reachedKey(call.parts.db.query, call))

export const getCurrentApiKey: Handler<'getCurrentApiKey'> = async ({ parts, caller }) => {
  if (caller.class === 'session') throw new Error('the access matrix let a session into a verb for keys')
  const { id, organizationId, effectiveRole } = caller.key
  const [row] = await parts.db.query<KeyRow>(sql`${selectKeys(organizationId, null)} and k.id = ${id}`)
  const [organization] = await parts.db.query<{ slug: string; name: string }>(
    sql`select slug, name from organizations where id = ${organizationId}`,
  )
  return { ...toApiKey(row!), organization: organization!, effectiveRole }
}
