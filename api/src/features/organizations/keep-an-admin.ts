import { type RunQuery, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import type { MemberRow } from './member-row.ts'

/**
 * The last admin can neither be demoted nor leave.
 * Under the organization's lock: two admins must not end each other.
 */
export async function keepAnAdmin(query: RunQuery, organizationId: string, leaving: Pick<MemberRow, 'user_id' | 'role'>): Promise<void> {
  if (leaving.role !== 'admin') return
  const [another] = await query(
    sql`select from members where organization_id = ${organizationId} and role = 'admin' and user_id <> ${leaving.user_id} limit 1`,
  )
  if (!another) refuse('last_admin')
}
