import type { IntegrationStatus } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { mustAct } from '../../domain/integration.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { refuse } from '../../refusal.ts'
import { findIntegration, placeOf, type ShownRow, shown, shownIntegrations, toIntegration } from './integration-row.ts'

/** Oldest first, whole. */
export const listIntegrations: Handler<'listIntegrations'> = async ({ parts, organization, workspace, query }) => {
  const rows = await parts.db.query<ShownRow>(
    sql`${shownIntegrations(sql`i.organization_id = ${organization.id} and i.workspace_id = ${workspace.id}
      and (${query.status ?? null}::text is null or i.status = ${query.status ?? null})
      and (${query.provider ?? null}::text is null or i.provider = ${query.provider ?? null})`)} order by i.created_at, i.id`,
  )
  return { integrations: rows.map((row) => toIntegration(parts, row)) }
}

export const getIntegration: Handler<'getIntegration'> = (call) => shown(call.parts, call.parts.db.query, placeOf(call))

/** Ninety days of a check every quarter of an hour. */
const MOST_CHECKS = 9000

interface CheckRow {
  id: string
  kind: 'connect' | 'verify' | 'check' | 'refresh'
  outcome: 'verified' | 'rejected' | 'unreachable'
  reason: string | null
  detail: string | null
  status: IntegrationStatus
  status_reason: string | null
  duration_ms: number
  checked_at: Date
}

export const listIntegrationChecks: Handler<'listIntegrationChecks'> = async (call) => {
  const { parts, organization, params } = call
  if (!(await findIntegration(parts.db.query, placeOf(call)))) refuse('not_found')
  const rows =
    await parts.db.query<CheckRow>(sql`select id, kind, outcome, reason, detail, status, status_reason, duration_ms, checked_at from integration_checks
    where organization_id = ${organization.id} and integration_id = ${params.id} order by checked_at desc limit ${MOST_CHECKS}`)
  return {
    checks: rows.map(({ duration_ms, checked_at, status_reason, ...rest }) => ({
      ...rest,
      ...standing(rest, status_reason),
      durationMs: duration_ms,
      checkedAt: checked_at,
    })),
  }
}

/** As the integration stood afterwards. Checks from before this was kept: what they found, unless it left an older error as it was. */
function standing({ status, outcome, reason }: Pick<CheckRow, 'status' | 'outcome' | 'reason'>, kept: string | null) {
  const left = outcome === 'unreachable' && status === 'error'
  const statusReason = kept ?? (left ? null : reason)
  const unknown = outcome !== 'verified' && statusReason === null
  return { statusReason, mustAct: unknown ? null : mustAct(status, whoMustAct(statusReason), true) }
}
