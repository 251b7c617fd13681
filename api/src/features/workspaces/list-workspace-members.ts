import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { toWorkspaceMember, type WorkspaceMemberRow, workspaceMemberRows } from './workspace-member-row.ts'

/** Guests, and workspace keys, which stand no higher, learn the addresses of those they work with here, not of the whole organization. */
export const listWorkspaceMembers: Handler<'listWorkspaceMembers'> = async ({ parts, organization, workspace }) => {
  const rows = await parts.db.query<WorkspaceMemberRow>(sql`${workspaceMemberRows(organization.id, workspace.id)}
    and (${organization.role !== 'guest'} or a.role is not null) order by created_at, m.user_id`)
  return { members: rows.map(toWorkspaceMember) }
}
