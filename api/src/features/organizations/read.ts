import type { OrganizationRole } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { type MemberRow, memberRows, toMember } from './member-row.ts'
import { type OrganizationRow, organizationColumns, toOrganization } from './organization-row.ts'

/**
 * A person's own, oldest first; a key belongs to one.
 * An organization key has its own role there, a user key its creator's.
 */
export const listOrganizations: Handler<'listOrganizations'> = async ({ parts, caller }) => {
  const only = caller.class === 'session' ? null : caller.key.organizationId
  if (caller.class === 'organizationKey') {
    const [row] = await parts.db.query<OrganizationRow>(sql`select ${organizationColumns} from organizations o where o.id = ${only}`)
    return { organizations: [toOrganization(row!, caller.key.role!)] }
  }
  const rows = await parts.db.query<OrganizationRow & { role: OrganizationRole }>(sql`
    select ${organizationColumns}, m.role from members m join organizations o on o.id = m.organization_id
    where m.user_id = ${caller.user.id} and (${only}::uuid is null or m.organization_id = ${only}) order by o.created_at, o.id`)
  return { organizations: rows.map((row) => toOrganization(row, row.role)) }
}

export const getOrganization: Handler<'getOrganization'> = async ({ parts, organization }) => {
  const [row] = await parts.db.query<OrganizationRow>(
    sql`select ${organizationColumns} from organizations o where o.id = ${organization.id}`,
  )
  return toOrganization(row!, organization.role)
}

export const listOrganizationMembers: Handler<'listOrganizationMembers'> = async ({ parts, organization }) => {
  const rows = await parts.db.query<MemberRow>(sql`${memberRows(organization.id)} order by m.created_at, m.id`)
  return { members: rows.map(toMember) }
}
