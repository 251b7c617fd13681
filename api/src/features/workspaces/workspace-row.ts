import type { Answer } from '@adjoin/contract'
import type { WorkspaceScope } from '../../call.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { type CountsRow, countsColumn, toCounts } from './integration-counts.ts'

export interface WorkspaceRow extends CountsRow {
  id: string
  slug: string
  name: string
  created_at: Date
  updated_at: Date
}

export const ownColumns = sql`w.id, w.slug, w.name, w.created_at, w.updated_at`
export const workspaceColumns = (organizationId: string): Fragment => sql`${ownColumns}, ${countsColumn(organizationId)}`

/** What the workspace is to the caller. */
export type CallerAccess = Pick<WorkspaceScope, 'role' | 'access'>

export const toWorkspace = (row: WorkspaceRow, { role, access }: CallerAccess): Answer<'getWorkspace'> => ({
  id: row.id,
  slug: row.slug,
  name: row.name,
  role,
  access,
  integrationCounts: toCounts(row),
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** One workspace as the caller sees it, in one statement; refused if deleted since the request was let in. */
export async function readWorkspace(query: RunQuery, organizationId: string, workspace: WorkspaceScope): Promise<Answer<'getWorkspace'>> {
  const [row] = await query<WorkspaceRow>(
    sql`select ${workspaceColumns(organizationId)} from workspaces w where w.organization_id = ${organizationId} and w.id = ${workspace.id}`,
  )
  return row ? toWorkspace(row, workspace) : refuse('not_found')
}
