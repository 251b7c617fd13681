import type { KeyLevel } from '@adjoin/contract'
import { type RunQuery, sql } from '../../db/sql.ts'
import { KEY_PREFIX } from '../../domain/api-key.ts'

/** What an audit entry says of a key. */
export interface NamedKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
}

interface Creator {
  readonly organizationId: string
  readonly userId: string
}

export const namedKeyColumns = sql`id, name, coalesce(prefix, ${KEY_PREFIX}) as prefix`

/**
 * Revokes a person's keys when they lose the membership or assignment that the keys depend on.
 * Call it under `lockOrganization`, as minting is, so that no new key appears meanwhile.
 */
export const revokeKeysOf = (query: RunQuery, of: Creator & { workspaceId?: string; levels: readonly KeyLevel[] }): Promise<NamedKey[]> =>
  query<NamedKey>(sql`update api_keys set revoked_at = now()
    where organization_id = ${of.organizationId} and creator_id = ${of.userId} and revoked_at is null and level = any (${of.levels})
      and workspace_id is not distinct from coalesce(${of.workspaceId ?? null}, workspace_id)
    returning ${namedKeyColumns}`)

/**
 * The organization keys that go on working without their creator.
 * The removal of that person names them, so that somebody can rotate them.
 */
export const survivingKeys = (query: RunQuery, of: Creator): Promise<NamedKey[]> =>
  query<NamedKey>(sql`select ${namedKeyColumns} from api_keys
    where organization_id = ${of.organizationId} and creator_id = ${of.userId} and level = 'organization'
      and revoked_at is null and (expires_at is null or expires_at > now())
    order by created_at, id`)
