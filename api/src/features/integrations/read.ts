import { type IntegrationStatus, integrationStatuses } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { type Query, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { findIntegration, type IntegrationRow, selectIntegrations, toIntegration } from './integration-row.ts'

/** Oldest first, whole. */
export const listIntegrations: Handler<'listIntegrations'> = async ({ parts, organization, workspace, query }) => {
  const rows = await parts.db.query<IntegrationRow>(
    sql`${selectIntegrations(sql`i.organization_id = ${organization.id} and i.workspace_id = ${workspace.id}
      and (${query.status ?? null}::text is null or i.status = ${query.status ?? null})
      and (${query.provider ?? null}::text is null or i.provider = ${query.provider ?? null})`)} order by i.created_at, i.id`,
  )
  return { integrations: rows.map((row) => toIntegration(parts, row)) }
}

export const getIntegration: Handler<'getIntegration'> = async ({ parts, organization, workspace, params }) => {
  const row = await findIntegration(parts.db.query, { organizationId: organization.id, workspaceId: workspace.id, id: params.id })
  return row ? toIntegration(parts, row) : refuse('not_found')
}

export const listIntegrationChecks: Handler<'listIntegrationChecks'> = async ({ parts, organization, workspace, params }) => {
  const at = { organizationId: organization.id, workspaceId: workspace.id, id: params.id }
  if (!(await findIntegration(parts.db.query, at))) refuse('not_found')
  const rows =
    await parts.db.query<CheckRow>(sql`select id, kind, outcome, reason, detail, status, duration_ms, checked_at from integration_checks
    where organization_id = ${organization.id} and integration_id = ${params.id} order by checked_at desc limit ${MOST_CHECKS}`)
  return {
    checks: rows.map(({ duration_ms, checked_at, ...rest }) => ({ ...rest, durationMs: duration_ms, checkedAt: checked_at })),
  }
}

/** Ninety days of a check every quarter of an hour. */
const MOST_CHECKS = 9000

interface CheckRow {
  id: string
  kind: 'connect' | 'verify' | 'check' | 'refresh'
  outcome: 'verified' | 'rejected' | 'unreachable'
  reason: string | null
  detail: string | null
  status: IntegrationStatus
  duration_ms: number
  checked_at: Date
}

export type IntegrationCounts = Record<IntegrationStatus, number>

/** How many integrations of each status the workspaces of an organization have. */
export async function integrationCounts(
  query: Query,
  organizationId: string,
  workspaceIds: readonly string[],
): Promise<Map<string, IntegrationCounts>> {
  const rows = await query<{
    workspace_id: string
    status: IntegrationStatus
    n: number
  }>(sql`select workspace_id, status, count(*)::int as n from integrations
    where organization_id = ${organizationId} and workspace_id = any (${[...workspaceIds]}::uuid[]) group by workspace_id, status`)
  const none = () => Object.fromEntries(integrationStatuses.map((status) => [status, 0])) as IntegrationCounts
  const counts = new Map(workspaceIds.map((id) => [id, none()]))
  for (const { workspace_id, status, n } of rows) counts.get(workspace_id)![status] = n
  return counts
}
