import type { OrganizationRole, WorkspaceRole } from '@adjoin/contract'
import { type RunQuery, sql } from '../../db/sql.ts'
import type { HeldRoles } from '../../domain/invitation.ts'
import type { InvitationPlace } from './invitation-row.ts'

/** What the holder of an address has in a place now; nothing, if the address has no account. */
export async function heldRolesOf(query: RunQuery, { organization, workspace }: InvitationPlace, email: string): Promise<HeldRoles> {
  const [row] = await query<{ organization_role: OrganizationRole | null; assigned_role: WorkspaceRole | null }>(sql`
    select m.role as organization_role, a.role as assigned_role from users u
    left join members m on m.organization_id = ${organization.id} and m.user_id = u.id
    left join workspace_members a on a.organization_id = ${organization.id} and a.workspace_id = ${workspace?.id ?? null} and a.user_id = u.id
    where u.email = ${email}`)
  return { organization: row?.organization_role ?? null, assigned: row?.assigned_role ?? null }
}
