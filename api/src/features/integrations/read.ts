import type { IntegrationStatus } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { mustAct } from '../../domain/integration.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { refuse } from '../../refusal.ts'
import { openRequestOf } from '../connect-requests/request-row.ts'
import { pageOf, readCursor, writeCursor } from '../cursor.ts'
import { type HealthRow, healthColumns, toHealth, withHealth } from './health.ts'
import {
  findIntegration,
  integrationRef,
  matchesRef,
  toIntegration,
  type VisibleRow,
  visibleColumns,
  visibleIntegrations,
  withPeopleAndLink,
} from './integration-row.ts'

/** Oldest first, whole. */
export const listIntegrations: Handler<'listIntegrations'> = async ({ parts, organization, workspace, query }) => {
  const rows = await parts.db.query<VisibleRow>(
    sql`${visibleIntegrations(sql`i.organization_id = ${organization.id} and i.workspace_id = ${workspace.id}
      and (${query.status ?? null}::text is null or i.status = ${query.status ?? null})
      and (${query.provider ?? null}::text is null or i.provider = ${query.provider ?? null})`)} order by i.created_at, i.id`,
  )
  return { integrations: rows.map((row) => toIntegration(parts, row)) }
}

export const getIntegration: Handler<'getIntegration'> = async (call) => {
  const { parts } = call
  const [row] = await parts.db.query<VisibleRow & HealthRow & { request_id: string | null }>(sql`select ${visibleColumns}, ${healthColumns},
      ${openRequestOf(call.organization.id)} as request_id
    from integrations i ${withPeopleAndLink} ${withHealth(call.organization.id)} where ${matchesRef(integrationRef(call))}`)
  return row ? { ...toIntegration(parts, row), health: toHealth(row), connectRequestId: row.request_id } : refuse('not_found')
}

/** Ninety days of a check every quarter of an hour. */
const MAX_CHECKS = 9000

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

/**
 * Whole, or in pages for those who ask for them.
 * A page begins behind a check; once that one is swept, nothing older is left either.
 */
export const listIntegrationChecks: Handler<'listIntegrationChecks'> = async (call) => {
  const { parts, organization, params } = call
  const { cursor, limit = cursor === undefined ? undefined : 50 } = call.query
  if (!(await findIntegration(parts.db.query, integrationRef(call)))) refuse('not_found')
  const list = `checks|${organization.id}|${params.id}`
  const after = readCursor(parts.secrets, list, cursor)
  const here = sql`organization_id = ${organization.id} and integration_id = ${params.id}`
  const older = after ? sql`and (checked_at, id) < (select checked_at, id from integration_checks where ${here} and id = ${after})` : sql``
  const rows = await parts.db.query<CheckRow>(sql`select id, kind, outcome, reason, detail, status, status_reason, duration_ms, checked_at
    from integration_checks where ${here} ${older} order by checked_at desc, id desc limit ${limit ? limit + 1 : MAX_CHECKS}`)
  if (!limit) return { checks: rows.map(toCheck) }
  const { page, nextCursor } = pageOf(rows, limit, ({ id }) => writeCursor(parts.secrets, list, id))
  return { checks: page.map(toCheck), nextCursor }
}

const toCheck = ({ duration_ms, checked_at, status_reason, ...rest }: CheckRow) => ({
  ...rest,
  ...statusAfter(rest, status_reason),
  durationMs: duration_ms,
  checkedAt: checked_at,
})

/**
 * As the integration stood afterwards. Checks from before this was kept:
 * what they found, unless it left an older error as it was.
 */
function statusAfter({ status, outcome, reason }: Pick<CheckRow, 'status' | 'outcome' | 'reason'>, kept: string | null) {
  const left = outcome === 'unreachable' && status === 'error'
  const statusReason = kept ?? (left ? null : reason)
  const unknown = outcome !== 'verified' && statusReason === null
  return { statusReason, mustAct: unknown ? null : mustAct(status, whoMustAct(statusReason), true) }
}
