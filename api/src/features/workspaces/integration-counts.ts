import type { Answer } from '@adjoin/contract'
import { type Query, sql } from '../../db/sql.ts'

export type IntegrationCounts = Answer<'getWorkspace'>['integrationCounts']

export const NO_INTEGRATIONS: IntegrationCounts = { pending: 0, active: 0, error: 0, disabled: 0 }

/** How many integrations of each status the workspaces of an organization hold, or one of them; a workspace without any is left out. */
export async function integrationCounts(
  query: Query,
  organizationId: string,
  workspaceId?: string,
): Promise<Map<string, IntegrationCounts>> {
  const rows = await query<{ workspace_id: string; status: keyof IntegrationCounts; count: number }>(sql`
    select workspace_id, status, count(*) as count from integrations
    where organization_id = ${organizationId} and (${workspaceId ?? null}::uuid is null or workspace_id = ${workspaceId ?? null})
    group by workspace_id, status`)
  const counts = new Map<string, IntegrationCounts>()
  for (const { workspace_id, status, count } of rows)
    counts.set(workspace_id, { ...(counts.get(workspace_id) ?? NO_INTEGRATIONS), [status]: count })
  return counts
}
