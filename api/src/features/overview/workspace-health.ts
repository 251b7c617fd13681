import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'

interface WorkspaceDayRow {
  day: string
  verified: number
  rejected: number
  unreachable: number
}

const sums = sql`sum(d.verified)::int as verified, sum(d.rejected)::int as rejected, sum(d.unreachable)::int as unreachable`

/** From the counts of each day, never from the checks themselves. */
export const getWorkspaceHealth: Handler<'getWorkspaceHealth'> = async ({ parts, organization, workspace, query }) => ({
  days: await parts.db.query<WorkspaceDayRow>(sql`select d.day::text, ${sums} from integration_days d
    join integrations i on i.organization_id = d.organization_id and i.id = d.integration_id
    where d.organization_id = ${organization.id} and i.workspace_id = ${workspace.id}
      and d.day > (now() at time zone 'utc')::date - ${query.days}::int
    group by d.day order by d.day`),
})
