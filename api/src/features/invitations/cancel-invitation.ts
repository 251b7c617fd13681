import { transact } from '../../audit/transact.ts'
import type { Call } from '../../call.ts'
import { type Query, sql } from '../../db/sql.ts'
import { lockOrganization } from '../organizations/lock.ts'
import { close, openInvitation } from './close-invitation.ts'
import { entryOf } from './invitation-row.ts'

type CancelCall = Call<'cancelOrganizationInvitation'> | Call<'cancelWorkspaceInvitation'>

/** An expired one can be canceled too: then it cannot be brought back to life. */
export const cancelInvitation = (call: CancelCall): Promise<undefined> =>
  transact(call, async (query, record) => {
    await lockOrganization(query, call.organization.id)
    const row = await openInvitation(query, call)
    await close(query, row, 'canceled')
    record('invitation.canceled', entryOf(row))
    return undefined
  })

/** All that still lead an address into the organization or one of its workspaces. */
export async function cancelInvitationsTo(query: Query, organizationId: string, email: string): Promise<string[]> {
  const rows = await query<{ id: string }>(sql`update invitations set status = 'canceled', closed_at = now(), token_sealed = null
    where organization_id = ${organizationId} and email = ${email} and status in ('pending', 'expired') returning id`)
  return rows.map(({ id }) => id)
}
