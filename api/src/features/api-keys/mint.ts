import type { OrganizationRole } from '@adjoin/contract'
import { enterInDirectory } from '../../db/directory.ts'
import type { Database } from '../../db/pool.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { displayPrefix, newApiKey } from '../../domain/api-key.ts'
import { digest } from '../../vault/tokens.ts'
import { lockOrganization } from '../organizations/lock.ts'
import { checkKeyQuota, type Minting } from './key-quota.ts'
import type { KeyRow } from './key-row.ts'

/**
 * Minting waits its turn with every change of members, assignments and workspaces:
 * the quota holds, and nobody mints on a role that is just being taken away.
 * Whoever takes it away finds the new key among those to revoke.
 */
export async function lockMinting(
  query: RunQuery,
  organizationId: string,
  userId: string,
): Promise<{ now: Date; role: OrganizationRole | null }> {
  await lockOrganization(query, organizationId)
  const [row] = await query<{ now: Date; role: OrganizationRole | null }>(sql`select now() as now,
    (select role from members where organization_id = ${organizationId} and user_id = ${userId}) as role`)
  return row!
}

type NewKey = Pick<KeyRow, 'id' | 'name' | 'level' | 'role' | 'workspaceId' | 'createdAt' | 'expiresAt'>

/** Stores the hash of a new key of the caller's and gives the key itself: nobody can read it again. */
export async function mint(db: Pick<Database, 'sharded'>, query: RunQuery, minting: Minting, key: NewKey): Promise<string> {
  const raw = newApiKey()
  await enterInDirectory(db, query, minting.organization.id, digest(raw))
  await query(sql`insert into api_keys (organization_id, id, level, role, workspace_id, name, prefix, key_hash, creator_id, created_at, expires_at)
    values (${minting.organization.id}, ${key.id}, ${key.level}, ${key.role}, ${key.workspaceId}, ${key.name}, ${displayPrefix(raw)}, ${digest(raw)},
      ${minting.caller.user.id}, ${key.createdAt}, ${key.expiresAt})`)
  await checkKeyQuota(query, minting)
  return raw
}
