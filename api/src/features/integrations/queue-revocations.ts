// Access to be ended at ad systems after its integrations are gone: stored in the transaction that deletes them.
import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { providers } from '../../providers/index.ts'
import { isSealBroken } from '../../vault/seal.ts'
import { openCredential, sealForRevocation } from './credential.ts'

/** The ad systems that can end an access. */
export const revocable: readonly string[] = providers.filter(({ revoke }) => revoke).map(({ id }) => id)

/** Between two batches the event loop serves others: opening and sealing take processor time. */
const BATCH = 100

interface ConnectedRow {
  organization_id: string
  workspace_id: string
  id: string
  credential: string
}

/**
 * Of the integrations of a workspace, or of one of them. What a running check may be renewing waits
 * until that check is over: its new tokens are stored here, and are the ones to revoke.
 */
export async function queueRevocations(
  parts: Pick<Parts, 'vault' | 'log'>,
  query: RunQuery,
  { organizationId, workspaceId, id }: { organizationId: string; workspaceId: string; id?: string },
): Promise<void> {
  const here = sql`i.organization_id = ${organizationId} and i.workspace_id = ${workspaceId} ${id === undefined ? sql`` : sql`and i.id = ${id}`}`
  for (let after = '00000000-0000-0000-0000-000000000000', found = BATCH; found === BATCH; ) {
    const rows = await query<ConnectedRow>(sql`select i.organization_id, i.workspace_id, i.id, i.credential from integrations i
      where ${here} and i.id > ${after} and i.credential is not null and i.provider = any(${revocable}) order by i.id limit ${BATCH}`)
    found = rows.length
    if (!found) return
    after = rows.at(-1)!.id
    const sealed = rows.flatMap((row) => sealAgain(parts, row) ?? [])
    await query(sql`insert into revocations (organization_id, id, provider, credential, credential_version, grant_hash, working, due_at)
      select i.organization_id, i.id, i.provider, s.credential, i.credential_version, i.grant_hash, i.status = 'active',
        greatest(now(), i.leased_until)
      from integrations i join unnest(${sealed.map((one) => one.id)}::uuid[], ${sealed.map((one) => one.credential)}::text[]) as s (id, credential)
        on s.id = i.id where ${here} on conflict (organization_id, id) do update set
        credential = excluded.credential, credential_version = excluded.credential_version, grant_hash = excluded.grant_hash,
        working = excluded.working, tries = 0, due_at = excluded.due_at, leased_until = null, ends_at = excluded.ends_at`)
  }
}

/** A text that no longer opens is of no use to anybody. */
function sealAgain(parts: Pick<Parts, 'vault' | 'log'>, row: ConnectedRow): { id: string; credential: string } | undefined {
  try {
    return { id: row.id, credential: sealForRevocation(parts, row, openCredential(parts, row, row.credential)) }
  } catch (error) {
    if (!isSealBroken(error)) throw error
    parts.log.warn({ integration: row.id }, 'access at the ad system can’t be revoked: its credential does not open')
    return undefined
  }
}
