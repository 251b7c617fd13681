import { domainOf, type OrganizationRole, openToAll } from '@adjoin/contract'
import { type Recorder, userActor } from '../../audit/transact.ts'
import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { isPublicMailbox } from '../../domain/mailbox-domain.ts'
import type { UserRow } from '../account/user-row.ts'
import { announceJoin } from '../organizations/announce-joins.ts'
import { lockOrganization } from '../organizations/lock.ts'

/**
 * A proved address of exactly the organization's domain becomes a member;
 * a guest is raised. Whoever was removed or left stays out.
 */
export async function provision({ jobs }: Pick<Parts, 'jobs'>, query: RunQuery, record: Recorder, user: UserRow): Promise<void> {
  const domain = domainOf(user.email)
  const [home] = await query<{ id: string }>(sql`select id from organizations where domain = ${domain} and auto_join`)
  if (!home || isPublicMailbox(domain) || !(await mayJoin(query, home.id, user))) return
  // Looked at again behind the lock: a removal under way is waited for,
  // and the quota holds when many sign in at once.
  await lockOrganization(query, home.id)
  const standing = await mayJoin(query, home.id, user)
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
  await announceJoin(jobs, query, home.id, user.id)
}

/**
 * Null: automatic joining is off, the person is a member already,
 * or there is no room; or their mailbox was removed, or is a viewer,
 * under another tag. Nobody comes back, or gets a higher role than an admin gave them, as `intern+1@`.
 */
async function mayJoin(query: RunQuery, organizationId: string, user: UserRow): Promise<{ role: OrganizationRole | null } | null> {
  const [row] = await query<{ open: boolean; role: OrganizationRole | null; known: boolean; count: number }>(sql`select
    (select auto_join from organizations where id = ${organizationId}) as open,
    (select role from members where organization_id = ${organizationId} and user_id = ${user.id}) as role,
    exists (select 1 from users u where canonical_mailbox(u.email) = canonical_mailbox(${user.email}) and (
      exists (select 1 from member_removals r where r.organization_id = ${organizationId} and r.user_id = u.id)
      or u.id <> ${user.id} and exists (select 1 from members m where m.organization_id = ${organizationId} and m.user_id = u.id and m.role = 'viewer'))) as known,
    (select count(*) from members where organization_id = ${organizationId}) as count`)
  const { open, role, known, count } = row!
  return !open || known || (role ? role !== 'guest' : count >= openToAll('members')) ? null : { role }
}
