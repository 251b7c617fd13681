import { effectiveRole, inheritedRole, type OrganizationRole, type WorkspaceRole } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'

interface ReachedRow {
  slug: string
  name: string
  assigned: WorkspaceRole | null
}

/** Everyone who may ask sees every workspace themselves, so nothing is told here that the workspaces would not tell. */
export const listMemberWorkspaces: Handler<'listMemberWorkspaces'> = async ({ parts, organization, params }) => {
  const [member] = await parts.db.query<{ role: OrganizationRole }>(
    sql`select role from members where organization_id = ${organization.id} and user_id = ${params.userId}`,
  )
  if (!member) return refuse('not_found')
  const inherited = inheritedRole(member.role)
  const rows = await parts.db.query<ReachedRow>(sql`select w.slug, w.name, a.role as assigned from workspaces w
    left join workspace_members a on a.organization_id = w.organization_id and a.workspace_id = w.id and a.user_id = ${params.userId}
    where w.organization_id = ${organization.id} and (${inherited !== null} or a.role is not null) order by w.name_key, w.id`)
  const workspaces = rows.map(({ slug, name, assigned }) => ({
    slug,
    name,
    role: effectiveRole(inherited, assigned)!,
    access: assigned ? ('assigned' as const) : ('inherited' as const),
  }))
  return { workspaces }
}
