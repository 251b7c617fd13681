import { effectiveRole, inheritedRole, type WorkspaceRole } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { toWorkspace, type WorkspaceRow, workspaceColumns } from './workspace-row.ts'

/** Guests see the workspaces they are assigned to, everyone else all of them. An organization key inherits, whatever its creator was assigned. */
export const listWorkspaces: Handler<'listWorkspaces'> = async ({ parts, caller, organization }) => {
  const inherited = inheritedRole(organization.role)
  const person = caller.class === 'organizationKey' ? null : caller.user.id
  const rows = await parts.db.query<WorkspaceRow & { assigned_role: WorkspaceRole | null }>(sql`
    select ${workspaceColumns}, a.role as assigned_role from workspaces w
    left join workspace_members a on a.organization_id = w.organization_id and a.workspace_id = w.id and a.user_id = ${person}
    where w.organization_id = ${organization.id} and (${inherited !== null} or a.role is not null) order by w.created_at, w.id`)
  const workspaces = rows.map((row) => {
    const role = effectiveRole(inherited, row.assigned_role)!
    return toWorkspace(row, { role, access: row.assigned_role ? 'assigned' : 'inherited' })
  })
  return { workspaces }
}
