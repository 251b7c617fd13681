import type { Answer } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Call } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { extendedExpiry } from '../../domain/invitation.ts'
import { refuse } from '../../refusal.ts'
import { lockOrganization } from '../organizations/lock.ts'
import { openInvitation } from './close-invitation.ts'
import { entryOf, isInPlace, mailInvitation, readInvitation, toInvitation, tokenBinding } from './invitation-row.ts'
import { checkPendingQuota, expireLapsed } from './open-invitations.ts'

type ResendCall = Call<'resendOrganizationInvitation'> | Call<'resendWorkspaceInvitation'>

/**
 * The same link once more, valid for 48 hours longer;
 * an expired one comes back to life unless a newer one has taken its place.
 */
export const resendInvitation = (call: ResendCall): Promise<Answer<ResendCall['id']>> =>
  transact(call, async (query, record) => {
    const { parts, organization, now } = call
    await lockOrganization(query, organization.id)
    const old = await openInvitation(query, call)
    await expireLapsed(query, call, old.email)
    const [newer] = await query(sql`select from invitations
      where ${isInPlace(call)} and email = ${old.email} and status = 'pending' and id <> ${old.id}`)
    if (newer) refuse('invitation_pending', { detail: 'A newer invitation for this address is already pending. Resend that one.' })
    const expiresAt = extendedExpiry(old.expires_at, now) ?? refuse('invitation_too_far')
    const [sealed] = await query<{ token_sealed: string }>(sql`update invitations set status = 'pending', expires_at = ${expiresAt}
      where organization_id = ${organization.id} and id = ${old.id} returning token_sealed`)
    // A pending one has its place already.
    if (old.status === 'expired') await checkPendingQuota(query, call, { id: old.inviter_id, email: old.inviter_email })
    const row = await readInvitation(query, organization.id, old.id)
    await mailInvitation(call, query, row, parts.vault.open(sealed!.token_sealed, tokenBinding(organization.id, row.id)))
    record('invitation.resent', { ...entryOf(row), changes: [{ field: 'expiresAt', from: old.expires_at, to: expiresAt }] })
    return toInvitation(row)
  })
