import type { KeyLevel } from '@adjoin/contract'
import { type RunQuery, sql } from '../../db/sql.ts'
import { KEY_PREFIX } from '../../domain/api-key.ts'

/** A key as an audit entry names it. */
export interface NamedKey {
  readonly id: string
  readonly name: string
  readonly prefix: string
}

interface Creator {
  readonly organizationId: string
  readonly userId: string
}

export const namedKey = sql`id, name, coalesce(prefix, ${KEY_PREFIX}) as prefix`

/**
 * Whoever loses a membership or an assignment loses the keys that came of it.
 * Under `lockOrganization`, as minting is: none slips through.
 */
export const revokeKeysOf = (query: RunQuery, of: Creator & { workspaceId?: string; levels: readonly KeyLevel[] }): Promise<NamedKey[]> =>
  query<NamedKey>(sql`update api_keys set revoked_at = now()
    where organization_id = ${of.organizationId} and creator_id = ${of.userId} and revoked_at is null and level = any (${of.levels})
      and workspace_id is not distinct from coalesce(${of.workspaceId ?? null}, workspace_id)
    returning ${namedKey}`)

/**
 * The organization keys that live on after their creator:
 * named when that person is removed, so that somebody can rotate them.
 */
export const survivingKeys = (query: RunQuery, of: Creator): Promise<NamedKey[]> =>
  query<NamedKey>(sql`select ${namedKey} from api_keys
    where organization_id = ${of.organizationId} and creator_id = ${of.userId} and level = 'organization'
      and revoked_at is null and (expires_at is null or expires_at > now())
    order by created_at, id`)
