import type { Database } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'

/** How long an entry of the directory is believed to lead somewhere. */
const CHECK_AFTER = sql`interval '30 days'`

/** What an organization still has of these hashes. */
const heldBy = (organizationId: string, hashes: readonly Buffer[]) => {
  const here = sql`organization_id = ${organizationId} and token_hash = any(${hashes}::bytea[])`
  return sql`select key_hash as hash from api_keys where organization_id = ${organizationId} and key_hash = any(${hashes}::bytea[])
    union all select token_hash from invitations where ${here}
    union all select uuid_send(id) from invitations where organization_id = ${organizationId} and uuid_send(id) = any(${hashes}::bytea[])
    union all select token_hash from connect_links where ${here}
    union all select token_hash from connect_requests where ${here}
    union all select token_hash from connect_items where ${here}
    union all select token_hash from receipts where ${here}
    union all select token_hash from client_mails where ${here}`
}

/**
 * Tokens are replaced and deleted without a word to the directory, which then leads to nothing: harmless, but it would grow
 * with time alone. So each entry is looked after once a month.
 */
export async function sweepDirectory(db: Pick<Database, 'query'>, batch: number): Promise<void> {
  for (let found = batch; found === batch; ) {
    const old = await db.query<{ hash: Buffer; organization_id: string }>(
      sql`select hash, organization_id from directory where checked_at < now() - ${CHECK_AFTER} limit ${batch}`,
    )
    found = old.length
    for (const [organizationId, entries] of Map.groupBy(old, ({ organization_id }) => organization_id)) {
      const hashes = entries.map(({ hash }) => hash)
      const held = (await db.query<{ hash: Buffer }>(heldBy(organizationId, hashes))).map(({ hash }) => hash)
      await db.query(sql`update directory set checked_at = now() where hash = any(${held}::bytea[])`)
      await db.query(sql`delete from directory where hash = any(${hashes}::bytea[]) and checked_at < now() - ${CHECK_AFTER}`)
    }
  }
}
