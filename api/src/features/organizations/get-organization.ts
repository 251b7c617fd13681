import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { type OrganizationRow, organizationColumns, toOrganization } from './organization-row.ts'

export const getOrganization: Handler<'getOrganization'> = async ({ parts, organization }) => {
  const [row] = await parts.db.query<OrganizationRow>(
    sql`select ${organizationColumns} from organizations o where o.id = ${organization.id}`,
  )
  return toOrganization(row!, organization.role)
}
