import { atLeast, type WorkspaceRole } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { endInvitations, intoWorkspace } from '../invitations/end-invitations.ts'
import { lockWorkspace } from '../organizations/lock.ts'
import { toWorkspaceMember, type WorkspaceMemberRow, workspaceMemberRows } from './workspace-member-row.ts'

/**
 * For members of the organization; others are invited.
 * An assignment raises an inherited role and never lowers it.
 */
export const setWorkspaceMember: Handler<'setWorkspaceMember'> = (call) =>
  transact(call, async (query, record) => {
    const { organization, workspace, params, body } = call
    await lockWorkspace(query, organization.id, workspace.id)
    const [member] = await query(sql`select from members where organization_id = ${organization.id} and user_id = ${params.userId}`)
    if (!member) return refuse('not_found')
    const [old] = await query<{ role: WorkspaceRole }>(sql`select role from workspace_members
      where organization_id = ${organization.id} and workspace_id = ${workspace.id} and user_id = ${params.userId}`)
    await query(sql`insert into workspace_members (organization_id, workspace_id, user_id, role)
      values (${organization.id}, ${workspace.id}, ${params.userId}, ${body.role})
      on conflict (organization_id, workspace_id, user_id) do update set role = excluded.role`)
    const [row] = await query<WorkspaceMemberRow>(
      sql`${workspaceMemberRows(organization.id, workspace.id)} and m.user_id = ${params.userId}`,
    )
    const lowered = old && !atLeast(body.role, old.role)
    if (old?.role !== body.role)
      record(old ? 'workspace_member.updated' : 'workspace_member.assigned', {
        target: { type: 'workspace_member', id: params.userId, name: row!.name },
        changes: [{ field: 'role', from: old?.role ?? null, to: body.role }],
        ...(lowered && { metadata: { ...(await endInvitations(query, organization.id, params.userId, intoWorkspace(workspace.id))) } }),
      })
    return toWorkspaceMember(row!)
  })
