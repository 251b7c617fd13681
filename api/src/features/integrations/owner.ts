// Who looks after an integration: always somebody who can see it.
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'

/** A person `u` sees a workspace of an organization: a guest where they are assigned, everyone else everywhere. */
export const sees = (u: Fragment, organization: Fragment, workspace: Fragment): Fragment => sql`exists (select 1 from members m
  where m.organization_id = ${organization} and m.user_id = ${u} and (m.role <> 'guest' or exists (select 1 from workspace_members a
    where a.organization_id = ${organization} and a.workspace_id = ${workspace} and a.user_id = m.user_id)))`

export async function seesWorkspace(
  query: RunQuery,
  { organization_id, workspace_id }: { organization_id: string; workspace_id: string },
  userId: string,
): Promise<boolean> {
  const [row] = await query<{ sees: boolean }>(
    sql`select ${sees(sql`${userId}::uuid`, sql`${organization_id}::uuid`, sql`${workspace_id}::uuid`)} as sees`,
  )
  return row!.sees
}

/** After a role was lowered or ended: what the person no longer sees, somebody else looks after. */
export async function dropOwnership(query: RunQuery, organizationId: string, userId: string): Promise<void> {
  await query(sql`update integrations i set owner_id = null where i.organization_id = ${organizationId} and i.owner_id = ${userId}
    and not ${sees(sql`i.owner_id`, sql`${organizationId}::uuid`, sql`i.workspace_id`)}`)
}
