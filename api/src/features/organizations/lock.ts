import { type RunQuery, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'

/**
 * Members, invitations and workspaces of one organization change, and its keys are minted, one at a time:
 * last admins, quotas and open invitations are decided by looking at several rows.
 * Taken first in a transaction; it keeps no reader and no insert elsewhere waiting.
 */
export async function lockOrganization(query: RunQuery, organizationId: string): Promise<void> {
  await query(sql`select lock_organization(${organizationId})`)
}

/** The same for a change in a workspace, which may have been deleted since the request was let in. */
export async function lockWorkspace(query: RunQuery, organizationId: string, workspaceId: string): Promise<void> {
  await lockOrganization(query, organizationId)
  const [there] = await query(sql`select from workspaces where organization_id = ${organizationId} and id = ${workspaceId}`)
  if (!there) refuse('not_found')
}
