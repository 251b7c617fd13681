import { transact } from '../../audit/transact.ts'
import { type Call, type GuardedVerb, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { endMembership } from './end-membership.ts'
import { keepAnAdmin } from './keep-an-admin.ts'
import { lockOrganization } from './lock.ts'
import { type MemberRow, memberRows } from './member-row.ts'

/** Admins remove anyone; anyone leaves. */
export const removeOrganizationMember: GuardedVerb<'removeOrganizationMember'> = {
  may: mayRemoveMember,
  run: (call) =>
    transact(call, async (query, record) => {
      const { id } = call.organization
      const { userId } = call.params
      const leaves = mayRemoveMember(call)
      await lockOrganization(query, id)
      const [member] = await query<MemberRow>(sql`${memberRows(id)} and m.user_id = ${userId}`)
      if (!member) return refuse('not_found')
      await keepAnAdmin(query, id, member)
      const ended = await endMembership(query, id, userId, call.query.organizationKeys)
      record('member.removed', {
        target: { type: 'member', id: userId, name: member.name },
        changes: [{ field: 'role', from: member.role, to: null }],
        metadata: { email: member.email, left: leaves, ...ended },
      })
      return undefined
    }),
}

/** True: it is themselves. */
function mayRemoveMember(call: Call<'removeOrganizationMember'>): boolean {
  const leaves = person(call).user.id === call.params.userId
  if (!leaves && call.organization.role !== 'admin')
    refuse('role_too_low', { detail: 'Only organization admins can remove other people. You can remove yourself.' })
  if (call.query.organizationKeys === 'revoke' && call.organization.role !== 'admin')
    refuse('role_too_low', { detail: 'Only organization admins can revoke its keys. Leave without `organizationKeys=revoke`.' })
  return leaves
}
