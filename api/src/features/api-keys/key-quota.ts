import { shares } from '@adjoin/contract'
import type { Caller, OrganizationScope } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { keyStatus } from '../../domain/api-key.ts'
import { refuse } from '../../refusal.ts'
import { refuseBeyondQuota, refuseBeyondShare } from '../organizations/quota.ts'
import type { KeyRow } from './key-row.ts'

export interface Minting {
  readonly caller: Caller
  readonly organization: Pick<OrganizationScope, 'id' | 'role'>
  /** The key that is being replaced, as it was, and whether it lives out a grace window. */
  readonly replaced?: { readonly old: KeyRow; readonly grace: boolean }
}

/**
 * After the change, under the organization's lock: one too many, and the transaction undoes it.
 * Replacing a live key adds nothing to its owner's share, so that everyone can always rotate;
 * retiring keys have a share of their own, so that nobody hoards by rotating.
 */
export async function checkKeyQuota(query: RunQuery, { caller, organization, replaced }: Minting): Promise<void> {
  const old = replaced && keyStatus(replaced.old, replaced.old.now) === 'active' ? replaced.old : null
  const retiring = old !== null && replaced!.grace
  const [live] = await query<{ total: number; own: number; retiring: number }>(sql`select count(*) as total,
      count(*) filter (where creator_id = ${caller.user.id} and replaced_at is null) as own,
      count(*) filter (where creator_id = ${old?.creatorId ?? null} and replaced_at is not null) as retiring
    from api_keys where organization_id = ${organization.id} and revoked_at is null and (expires_at is null or expires_at > now())`)
  const admin = organization.role === 'admin'
  // An admin may take over the keys of someone who left, however many there are.
  if (!(old && (admin || old.creatorId === caller.user.id))) refuseBeyondShare('liveApiKeys', live!.own, caller.user, caller)
  if (retiring && live!.retiring > shares.liveApiKeys)
    refuse('quota_reached', {
      detail: `${old.creatorEmail} has ${live!.retiring - 1} keys in their grace window, the maximum per person. Rotate without grace, or wait until one expires.`,
    })
  if (!old || retiring) refuseBeyondQuota('liveApiKeys', live!.total, admin, retiring ? 'Rotate without grace' : undefined)
}
