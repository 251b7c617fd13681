import type { Answer } from '@adjoin/contract'
import type { WorkspaceScope } from '../../call.ts'
import { type Query, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { type IntegrationCounts, NO_INTEGRATIONS } from './integration-counts.ts'

export interface WorkspaceRow {
  id: string
  slug: string
  name: string
  created_at: Date
  updated_at: Date
}

export const workspaceColumns = sql`w.id, w.slug, w.name, w.created_at, w.updated_at`

/** What the workspace is to the caller. */
export type Standpoint = Pick<WorkspaceScope, 'role' | 'access'>

export const toWorkspace = (
  row: WorkspaceRow,
  { role, access }: Standpoint,
  counts: IntegrationCounts = NO_INTEGRATIONS,
): Answer<'getWorkspace'> => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  role,
  access,
  integrationCounts: counts,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** One workspace as the caller sees it, in one statement; gone, if it was deleted since the request was let in. */
export async function readWorkspace(query: Query, organizationId: string, workspace: WorkspaceScope): Promise<Answer<'getWorkspace'>> {
  const [row] = await query<WorkspaceRow & { counts: Partial<IntegrationCounts> | null }>(sql`
    select ${workspaceColumns}, (select json_object_agg(status, count) from (select status, count(*) from integrations i
      where i.organization_id = w.organization_id and i.workspace_id = w.id group by status) as by_status) as counts
    from workspaces w where w.organization_id = ${organizationId} and w.id = ${workspace.id}`)
  if (!row) return refuse('not_found')
  return toWorkspace(row, workspace, { ...NO_INTEGRATIONS, ...row.counts })
}
