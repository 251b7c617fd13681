// What agents asked for with a key: counted as they ask, and shown to those who see the key.
import type { Handler } from '../../call.ts'
import type { Database } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { Log } from '../../log.ts'
import { type Counted, type HourlyCounts, hourlyCounts } from '../hourly-counts.ts'
import { reachedKey } from './key-row.ts'

export interface CountedTool {
  readonly organizationId: string
  readonly keyId: string
  readonly tool: string
  /** The slug of the client's workspace; empty where it was not about one. */
  readonly workspace: string
  readonly outcome: 'ok' | 'refused' | 'failed'
}

export const countTools = (db: Pick<Database, 'query'>, log: Log): HourlyCounts<CountedTool> =>
  hourlyCounts({
    keyOf: ({ organizationId, keyId, tool, workspace, outcome }: CountedTool) => [organizationId, keyId, tool, workspace, outcome],
    write: (batch) => writeTools(db, batch),
    log,
    failed: 'what agents asked for was not counted; the next batch tries again',
  })

function writeTools(db: Pick<Database, 'query'>, batch: readonly Counted<CountedTool>[]) {
  const column = <K extends keyof Counted<CountedTool>>(name: K) => batch.map((counted) => counted[name])
  return db.query(sql`insert into tool_usage as u (organization_id, key_id, hour, tool, workspace, outcome, calls)
    select b.* from unnest(${column('organizationId')}::uuid[], ${column('keyId')}::uuid[], ${column('hour')}::timestamptz[],
      ${column('tool')}::text[], ${column('workspace')}::text[], ${column('outcome')}::text[], ${column('calls')}::int[])
      as b (organization_id, key_id, hour, tool, workspace, outcome, calls)
    join api_keys k on k.organization_id = b.organization_id and k.id = b.key_id
    order by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, key_id, hour, tool, workspace, outcome) do update set calls = u.calls + excluded.calls`)
}

export const getApiKeyUsage: Handler<'getApiKeyUsage'> = async (call) => {
  const { parts, organization, query: asked } = call
  const { id, lastRequestIp } = await reachedKey(parts.db.query, call)
  const usage = await parts.db.query<{ tool: string; workspace: string; outcome: CountedTool['outcome']; calls: number; last: Date }>(sql`
    select tool, workspace, outcome, sum(calls)::int as calls, max(hour) as last from tool_usage
    where organization_id = ${organization.id} and key_id = ${id} and hour >= now() - make_interval(days => ${asked.days})
    group by tool, workspace, outcome order by calls desc, tool, workspace, outcome limit ${MOST_ROWS}`)
  return { usage: usage.map(({ workspace, ...row }) => ({ ...row, workspace: workspace || null })), lastRequestIp }
}

const MOST_ROWS = 1000
