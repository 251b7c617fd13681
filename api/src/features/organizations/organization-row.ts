import type { Answer, OrganizationRole } from '@adjoin/contract'
import { sql } from '../../db/sql.ts'

export interface OrganizationRow {
  id: string
  slug: string
  name: string
  domain: string | null
  auto_join: boolean
  created_at: Date
}

export const organizationColumns = sql`o.id, o.slug, o.name, o.domain, o.auto_join, o.created_at`

export const toOrganization = (row: OrganizationRow, role: OrganizationRole): Answer<'getOrganization'> => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  role,
  ...(row.domain && { domain: row.domain }),
  autoJoin: row.auto_join,
  createdAt: row.created_at,
})
