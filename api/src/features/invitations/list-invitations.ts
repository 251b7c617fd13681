import { type Answer, listedInvitations } from '@adjoin/contract'
import type { Call } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { type InvitationRow, invitationRows, isInPlace, toInvitation } from './invitation-row.ts'

type ListCall = Call<'listOrganizationInvitations'> | Call<'listWorkspaceInvitations'>

/**
 * Closed ones stay listed, so that inviters see what became of them,
 * until they are swept; open ones never make room for closed ones.
 */
export const listInvitations = async (call: ListCall): Promise<Answer<ListCall['id']>> => {
  const rows = await call.parts.db.query<InvitationRow>(sql`${invitationRows}
    join (select id from invitations where ${isInPlace(call)} order by status = 'pending' desc, created_at desc limit ${listedInvitations}) listed on listed.id = i.id
    where i.organization_id = ${call.organization.id} order by i.created_at, i.id`)
  return { invitations: rows.map(toInvitation) }
}
