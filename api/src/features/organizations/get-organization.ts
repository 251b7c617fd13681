import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'

export const getOrganization: Handler<'getOrganization'> = async ({ parts, organization }) => {
  const [row] = await parts.db.query<{ domain: string | null; created_at: Date }>(
    sql`select domain, created_at from organizations where id = ${organization.id}`,
  )
  const { id, slug, name, role } = organization
  return { id, slug, name, role, ...(row!.domain && { domain: row!.domain }), createdAt: row!.created_at }
}
