import type { Answer, OrganizationRole } from '@adjoin/contract'
import { sql } from '../../db/sql.ts'

export interface OrganizationRow {
  id: string
  slug: string
  name: string
  domain: string | null
  auto_join: boolean
  frozen_at: Date | null
  frozen_by: string | null
  frozen_reason: string | null
  created_at: Date
}

export const organizationColumns = sql`o.id, o.slug, o.name, o.domain, o.auto_join, o.frozen_at, o.frozen_by, o.frozen_reason, o.created_at`

export const toOrganization = (row: OrganizationRow, role: OrganizationRole): Answer<'getOrganization'> => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  role,
  ...(row.domain && { domain: row.domain }),
  autoJoin: row.auto_join,
  frozen: row.frozen_at && { at: row.frozen_at, by: row.frozen_by!, reason: row.frozen_reason! },
  createdAt: row.created_at,
})
