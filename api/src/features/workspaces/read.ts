import { effectiveRole, inheritedRole, type WorkspaceRole } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { NOBODY } from '../../db/directory.ts'
import { sql } from '../../db/sql.ts'
import { toWorkspaceMember, type WorkspaceMemberRow, workspaceMemberRows } from './workspace-member-row.ts'
import { readWorkspace, toWorkspace, type WorkspaceRow, workspaceColumns } from './workspace-row.ts'

/**
 * Guests see the workspaces they are assigned to, everyone else all of them.
 * An organization key inherits, whatever its creator was assigned.
 */
export const listWorkspaces: Handler<'listWorkspaces'> = async ({ parts, caller, organization }) => {
  const inherited = inheritedRole(organization.role)
  const person = caller.class === 'organizationKey' ? NOBODY : caller.user.id
  const rows = await parts.db.query<WorkspaceRow & { assigned_role: WorkspaceRole | null }>(sql`
    select ${workspaceColumns(organization.id)}, a.role as assigned_role from workspaces w
    left join workspace_members a on a.organization_id = w.organization_id and a.workspace_id = w.id and a.user_id = ${person}
    where w.organization_id = ${organization.id} and (${inherited !== null} or a.role is not null) order by w.created_at, w.id`)
  const workspaces = rows.map((row) => {
    const role = effectiveRole(inherited, row.assigned_role)!
    return toWorkspace(row, { role, access: row.assigned_role ? 'assigned' : 'inherited' })
  })
  return { workspaces }
}

export const getWorkspace: Handler<'getWorkspace'> = ({ parts, organization, workspace }) =>
  readWorkspace(parts.db.query, organization.id, workspace)

/**
 * Guests, and workspace keys, which stand no higher,
 * learn the addresses of those they work with here, not of the whole organization.
 */
export const listWorkspaceMembers: Handler<'listWorkspaceMembers'> = async ({ parts, organization, workspace }) => {
  const rows = await parts.db.query<WorkspaceMemberRow>(sql`${workspaceMemberRows(organization.id, workspace.id)}
    and (${organization.role !== 'guest'} or a.role is not null) order by created_at, m.user_id`)
  return { members: rows.map(toWorkspaceMember) }
}
