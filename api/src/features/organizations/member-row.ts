import type { Answer, OrganizationRole } from '@adjoin/contract'
import { type Fragment, sql } from '../../db/sql.ts'

export interface MemberRow {
  id: string
  user_id: string
  email: string
  name: string
  role: OrganizationRole
  created_at: Date
}

export const memberRows = (organizationId: string): Fragment => sql`select m.id, m.user_id, u.email, u.name, m.role, m.created_at
  from members m join users u on u.id = m.user_id where m.organization_id = ${organizationId}`

export const toMember = (row: MemberRow): Answer<'updateOrganizationMember'> => ({
  id: row.id,
  userId: row.user_id,
  email: row.email,
  name: row.name,
  role: row.role,
  createdAt: row.created_at,
})
