import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { type MemberRow, memberRows, toMember } from './member-row.ts'

export const listOrganizationMembers: Handler<'listOrganizationMembers'> = async ({ parts, organization }) => {
  const rows = await parts.db.query<MemberRow>(sql`${memberRows(organization.id)} order by m.created_at, m.id`)
  return { members: rows.map(toMember) }
}
