import { domainOf, type OrganizationRole, openToAll } from '@adjoin/contract'
import { type Recorder, userActor } from '../../audit/transact.ts'
import { type Query, sql } from '../../db/sql.ts'
import type { UserRow } from '../account/user-row.ts'
import { lockOrganization } from '../organizations/lock.ts'

/** A proved address of exactly the organization's domain becomes a member; a guest is raised. Whoever was removed or left stays out. */
export async function provision(query: Query, record: Recorder, user: UserRow): Promise<void> {
  const domain = domainOf(user.email)
  const [home] = await query<{ id: string }>(sql`select id from organizations where domain = ${domain}`)
  if (!home || !(await mayJoin(query, home.id, user.id))) return
  // Looked at again behind the lock: a removal under way is waited for, and the quota holds when many sign in at once.
  await lockOrganization(query, home.id)
  const standing = await mayJoin(query, home.id, user.id)
  if (!standing) return
  await query(sql`insert into members (organization_id, user_id, role) values (${home.id}, ${user.id}, 'member')
    on conflict (organization_id, user_id) do update set role = 'member'`)
  record('member.provisioned', {
    organizationId: home.id,
    actor: userActor(user),
    target: { type: 'member', id: user.id, name: user.name },
    changes: [{ field: 'role', from: standing.role, to: 'member' }],
    metadata: { domain },
  })
}

/** Null: the person is a member already, was removed, or there is no room. */
async function mayJoin(query: Query, organizationId: string, userId: string): Promise<{ role: OrganizationRole | null } | null> {
  const [row] = await query<{ role: OrganizationRole | null; removed: boolean; count: number }>(sql`select
    (select role from members where organization_id = ${organizationId} and user_id = ${userId}) as role,
    exists (select from member_removals where organization_id = ${organizationId} and user_id = ${userId}) as removed,
    (select count(*) from members where organization_id = ${organizationId}) as count`)
  const { role, removed, count } = row!
  return removed || (role ? role !== 'guest' : count >= openToAll('members')) ? null : { role }
}
