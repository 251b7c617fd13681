import type { Caller, OrganizationScope, Person } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { refuseBeyondQuota, refuseBeyondShare } from '../organizations/quota.ts'
import { type InvitationPlace, isInPlace } from './invitation-row.ts'

/**
 * A dead one still counts as pending in the index that allows one
 * for each address and place; stored as expired it makes room.
 */
export async function expireLapsed(query: RunQuery, place: InvitationPlace, email: string): Promise<void> {
  await query(sql`update invitations set status = 'expired'
    where ${isInPlace(place)} and email = ${email} and status = 'pending' and expires_at <= now()`)
}

/** After the change, under the organization's lock: one too many, and the transaction undoes it. */
export async function checkPendingQuota(
  query: RunQuery,
  { caller, organization }: { caller: Caller; organization: OrganizationScope },
  inviter: Pick<Person, 'id' | 'email'> = caller.user,
): Promise<void> {
  const [open] = await query<{ total: number; own: number }>(sql`
    select count(*) as total, count(*) filter (where inviter_id = ${inviter.id}) as own from invitations
    where organization_id = ${organization.id} and status = 'pending' and expires_at > now()`)
  refuseBeyondShare('pendingInvitations', open!.own, inviter, caller)
  refuseBeyondQuota('pendingInvitations', open!.total, organization.role === 'admin')
}
