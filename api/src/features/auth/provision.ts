import { domainOf, quotas } from '@adjoin/contract'
import { type Recorder, userActor } from '../../audit/transact.ts'
import { type Query, sql } from '../../db/sql.ts'
import type { UserRow } from '../account/user-row.ts'

/** A proved address of exactly the organization's domain becomes a member; a guest is raised. Whoever was removed or left stays out. */
export async function provision(query: Query, record: Recorder, user: UserRow): Promise<void> {
  const domain = domainOf(user.email)
  // Locked first: a removal under way is waited for, and the next statement sees that it happened.
  const [member] = await query<{ role: string }>(sql`select m.role from members m join organizations o on o.id = m.organization_id
    where o.domain = ${domain} and m.user_id = ${user.id} for update of m`)
  if (member && member.role !== 'guest') return
  const [joined] = await query<{ organization_id: string }>(sql`
    insert into members as m (organization_id, user_id, role)
    select o.id, ${user.id}, 'member' from organizations o
    where o.domain = ${domain}
      and not exists (select from member_removals r where r.organization_id = o.id and r.user_id = ${user.id})
      and (${member !== undefined} or (select count(*) from members c where c.organization_id = o.id) < ${quotas.members})
    on conflict (organization_id, user_id) do update set role = 'member' where m.role = 'guest'
    returning organization_id`)
  if (!joined) return
  record('member.provisioned', {
    organizationId: joined.organization_id,
    actor: userActor(user),
    target: { type: 'member', id: user.id, name: user.name },
    changes: [{ field: 'role', from: member?.role ?? null, to: 'member' }],
    metadata: { domain },
  })
}
