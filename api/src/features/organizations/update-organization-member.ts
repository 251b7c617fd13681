import { atLeast } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { dropOwnership } from '../integrations/owner.ts'
import { endInvitations, INTO_ORGANIZATION } from '../invitations/end-invitations.ts'
import { keepAnAdmin } from './keep-an-admin.ts'
import { lockOrganization } from './lock.ts'
import { type MemberRow, memberRows, toMember } from './member-row.ts'

/**
 * Roles are read anew with every request, so that a new one
 * counts from this answer on, for sessions and for keys.
 */
export const updateOrganizationMember: Handler<'updateOrganizationMember'> = (call) =>
  transact(call, async (query, record) => {
    const { id } = call.organization
    const { userId } = call.params
    const { role } = call.body
    await lockOrganization(query, id)
    const [member] = await query<MemberRow>(sql`${memberRows(id)} and m.user_id = ${userId}`)
    if (!member) return refuse('not_found')
    if (role === member.role) return toMember(member)
    if (role !== 'admin') await keepAnAdmin(query, id, member)
    await query(sql`update members set role = ${role} where organization_id = ${id} and user_id = ${userId}`)
    await dropOwnership(query, id, userId)
    const lowered = !atLeast(role, member.role)
    record('member.updated', {
      target: { type: 'member', id: userId, name: member.name },
      changes: [{ field: 'role', from: member.role, to: role }],
      ...(lowered && { metadata: { ...(await endInvitations(query, id, userId, INTO_ORGANIZATION)) } }),
    })
    return toMember({ ...member, role })
  })
