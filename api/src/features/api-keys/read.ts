import { LISTED_KEYS } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { type KeyRow, keysOf, reachedKey, reachOf, selectKeys, toApiKey } from './key-row.ts'

/** The list has room for all live keys; the newest revoked and expired ones fill the rest. */
export const listApiKeys: Handler<'listApiKeys'> = async (call) => {
  const rows = await call.parts.db.query<KeyRow>(sql`${keysOf(call)}
    order by k.revoked_at is null and (k.expires_at is null or k.expires_at > now()) desc, k.created_at desc, k.id limit ${LISTED_KEYS}`)
  const visible = rows.filter((row) => reachOf(call, row))
  return { apiKeys: visible.sort((one, other) => other.createdAt.getTime() - one.createdAt.getTime()).map(toApiKey) }
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
