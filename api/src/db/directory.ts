// From the hash of a key or a token to the organization that it belongs to. What a secret opens is then looked for
// in that organization alone: on one database that costs nothing, and on several it is the way to the right one.
import type { Database } from './pool.ts'
import { type RunQuery, sql } from './sql.ts'

/** No organization has this id, and no person. A comparison with null would be dropped from a statement, and with it where to look. */
export const NOWHERE = '00000000-0000-0000-0000-000000000000'
export const NOBODY = NOWHERE

/** In the transaction that stores the hash itself. On one database a trigger does it, without a round trip; a shard's trigger could not. */
export async function enterInDirectory(
  { sharded }: Pick<Database, 'sharded'>,
  query: RunQuery,
  organizationId: string,
  ...hashes: readonly Buffer[]
): Promise<void> {
  if (!sharded) return
  const entered = await query(sql`insert into directory as d (hash, organization_id)
    select hash, ${organizationId}::uuid from unnest(${hashes}::bytea[]) as hash
    on conflict (hash) do update set checked_at = excluded.checked_at where d.organization_id = excluded.organization_id returning 1`)
  if (entered.length < hashes.length) throw new Error('The directory has this hash for another organization. Nothing was changed.')
}

/** `NOWHERE` if nobody has it: what is asked next then finds nothing, and takes as long. */
export async function organizationOf({ query }: { query: RunQuery }, hash: Buffer): Promise<string> {
  const [row] = await query<{ organization_id: string }>(sql`select organization_id from directory where hash = ${hash}`)
  return row?.organization_id ?? NOWHERE
}

/** As the directory knows what has an id, and no secret. */
export const idHash = (id: string): Buffer => Buffer.from(id.replaceAll('-', ''), 'hex')
