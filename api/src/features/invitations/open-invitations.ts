import { quotas } from '@adjoin/contract'
import { type Query, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { type InvitationPlace, inPlace } from './invitation-row.ts'

/** A dead one still counts as pending in the index that allows one for each address and place; stored as expired it makes room. */
export async function expireDead(query: Query, place: InvitationPlace, email: string): Promise<void> {
  await query(sql`update invitations set status = 'expired'
    where ${inPlace(place)} and email = ${email} and status = 'pending' and expires_at <= now()`)
}

/** After the change, under the organization's lock: one too many, and the transaction undoes it. */
export async function checkPendingQuota(query: Query, organizationId: string): Promise<void> {
  const [open] = await query<{ count: number }>(sql`select count(*) as count from invitations
    where organization_id = ${organizationId} and status = 'pending' and expires_at > now()`)
  if (open!.count > quotas.pendingInvitations)
    refuse('quota_reached', { detail: `An organization has at most ${quotas.pendingInvitations} pending invitations. Cancel some first.` })
}
