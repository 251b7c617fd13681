import { type RunQuery, sql } from '../../db/sql.ts'
import { type NamedKey, revokeKeysOf, survivingKeys } from '../api-keys/keys-of-creator.ts'
import { dropOwnership } from '../integrations/owner.ts'
import { ANYWHERE, type EndedInvitations, endInvitations } from '../invitations/end-invitations.ts'

export interface EndedMembership extends EndedInvitations {
  /** Named in the audit entry: these keys work on, and someone who stays should rotate them. */
  readonly organizationKeys: NamedKey[]
  readonly revokedKeys: NamedKey[]
}

/**
 * Membership, assignments (by cascade), user and workspace keys and open
 * invitations end at once; no sign-in by domain brings the person back.
 * Organization keys outlive their creator, unless they are to be revoked as well.
 */
export async function endMembership(
  query: RunQuery,
  organizationId: string,
  userId: string,
  organizationKeys: 'keep' | 'revoke' = 'keep',
): Promise<EndedMembership> {
  await query(sql`delete from members where organization_id = ${organizationId} and user_id = ${userId}`)
  await query(sql`insert into member_removals (organization_id, user_id) values (${organizationId}, ${userId})
    on conflict (organization_id, user_id) do update set removed_at = excluded.removed_at`)
  await dropOwnership(query, organizationId, userId)
  const levels = ['user', 'workspace', ...(organizationKeys === 'revoke' ? (['organization'] as const) : [])] as const
  const revokedKeys = await revokeKeysOf(query, { organizationId, userId, levels })
  return {
    revokedKeys,
    organizationKeys: await survivingKeys(query, { organizationId, userId }),
    ...(await endInvitations(query, organizationId, userId, ANYWHERE)),
  }
}
