import { type RunQuery, sql } from '../../db/sql.ts'
import { type EndedMembership, endMembership } from '../organizations/end-membership.ts'

export type EndedGuest = EndedMembership & { readonly userId: string; readonly email: string }

/** A guest belongs to the organization only through assignments: with none left, keys and membership end. */
export async function endStrandedGuests(query: RunQuery, organizationId: string, userIds: string[]): Promise<EndedGuest[]> {
  const stranded = await query<{
    user_id: string
    email: string
  }>(sql`select m.user_id, u.email from members m join users u on u.id = m.user_id
    where m.organization_id = ${organizationId} and m.user_id = any (${userIds}::uuid[]) and m.role = 'guest'
      and not exists (select 1 from workspace_members a where a.organization_id = ${organizationId} and a.user_id = m.user_id)
    order by m.user_id`)
  const ended: EndedGuest[] = []
  for (const { user_id: userId, email } of stranded) ended.push({ userId, email, ...(await endMembership(query, organizationId, userId)) })
  return ended
}
