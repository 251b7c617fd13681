import type { IntegrationStatus } from '@adjoin/contract'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { pageOf, readCursor, writeCursor } from '../cursor.ts'
import { findIntegration, placeOf } from './integration-row.ts'

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

/** Whole, or in pages for those who ask for them. A page begins behind a check; once that one is swept, nothing older is left either. */
export const listIntegrationChecks: Handler<'listIntegrationChecks'> = async (call) => {
  const { parts, organization, params } = call
  const { cursor, limit = cursor === undefined ? undefined : 50 } = call.query
  if (!(await findIntegration(parts.db.query, placeOf(call)))) refuse('not_found')
  const list = `checks|${organization.id}|${params.id}`
  const after = readCursor(parts.secrets, list, cursor)
  const here = sql`organization_id = ${organization.id} and integration_id = ${params.id}`
  const older = after ? sql`and (checked_at, id) < (select checked_at, id from integration_checks where ${here} and id = ${after})` : sql``
  const rows = await parts.db.query<CheckRow>(sql`select id, kind, outcome, reason, detail, status, duration_ms, checked_at
    from integration_checks where ${here} ${older} order by checked_at desc, id desc limit ${limit ? limit + 1 : MOST_CHECKS}`)
  if (!limit) return { checks: rows.map(toCheck) }
  const { page, nextCursor } = pageOf(rows, limit, ({ id }) => writeCursor(parts.secrets, list, id))
  return { checks: page.map(toCheck), nextCursor }
}

const toCheck = ({ duration_ms, checked_at, ...rest }: CheckRow) => ({ ...rest, durationMs: duration_ms, checkedAt: checked_at })
