import { type RunQuery, sql } from '../../db/sql.ts'

/** A change of a person is told in each organization they belong to. */
export async function inEachOrganization(query: RunQuery, userId: string, tell: (organizationId: string) => void): Promise<void> {
  const memberships = await query<{ organization_id: string }>(sql`select organization_id from members where user_id = ${userId}`)
  for (const { organization_id } of memberships) tell(organization_id)
}
