import { type Fragment, sql } from '../../db/sql.ts'

/** The name of who created a row of a workspace, while they can see it: who was removed speaks for nobody. */
export const requesterOf = (row: Fragment): Fragment => sql`(select u.name from users u
    join members m on m.organization_id = ${row}.organization_id and m.user_id = u.id
    where u.id = ${row}.created_by and (m.role <> 'guest' or exists (select from workspace_members a
      where a.organization_id = ${row}.organization_id and a.workspace_id = ${row}.workspace_id and a.user_id = m.user_id)))`
