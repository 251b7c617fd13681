import { type Answer, effectiveRole, inheritedRole, type OrganizationRole, type WorkspaceRole } from '@adjoin/contract'
import { type Fragment, sql } from '../../db/sql.ts'

export interface WorkspaceMemberRow {
  user_id: string
  email: string
  name: string
  organization_role: OrganizationRole
  assigned_role: WorkspaceRole | null
  created_at: Date
}

/** Everyone who can see the workspace: by assignment, or by an organization role above guest. */
export const workspaceMemberRows = (organizationId: string, workspaceId: string): Fragment => sql`
  select m.user_id, u.email, u.name, m.role as organization_role, a.role as assigned_role, coalesce(a.created_at, m.created_at) as created_at
  from members m join users u on u.id = m.user_id
  left join workspace_members a on a.organization_id = m.organization_id and a.workspace_id = ${workspaceId} and a.user_id = m.user_id
  where m.organization_id = ${organizationId} and (a.role is not null or m.role <> 'guest')`

export const toWorkspaceMember = (row: WorkspaceMemberRow): Answer<'setWorkspaceMember'> => ({
  userId: row.user_id,
  email: row.email,
  name: row.name,
  role: effectiveRole(inheritedRole(row.organization_role), row.assigned_role)!,
  access: row.assigned_role ? 'assigned' : 'inherited',
  createdAt: row.created_at,
})
