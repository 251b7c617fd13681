import type { Answer } from '@adjoin/contract'
import { type Fragment, sql } from '../../db/sql.ts'
import type { VisibleRow } from './integration-row.ts'

/** What an integration's last 30 days add up to; null where it was not checked. */
export interface HealthRow {
  verified: number | null
  rejected: number | null
}

export const healthColumns = sql`h.verified, h.rejected`
/** Of an integration `i`, from the counts of its days. */
export const withHealth = (
  organizationId: string,
): Fragment => sql`left join lateral (select sum(d.verified)::int as verified, sum(d.rejected)::int as rejected from integration_days d
  where d.organization_id = ${organizationId} and d.integration_id = i.id and d.day > (now() at time zone 'utc')::date - 30) h on true`

/** An ad system that could not be reached says nothing of the access: it is not counted. */
export function toHealth(row: VisibleRow & HealthRow): Answer<'getIntegration'>['health'] {
  const verified = row.verified ?? 0
  const answered = verified + (row.rejected ?? 0)
  return {
    since: row.status_since,
    uptime30d: answered === 0 ? null : verified / answered,
    grantEndsAt: row.grant_ends_at,
    grantEnd: row.grant_end,
  }
}
