import type { CallEffect, CallOutcome } from '@adjoin/contract'
import type { Database } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { Log } from '../../log.ts'
import { type Counted, type HourlyCounts, hourlyCounts } from '../hourly-counts.ts'

export interface CountedCall {
  readonly organizationId: string
  readonly integrationId: string
  readonly caller: string
  readonly effect: CallEffect
  readonly outcome: CallOutcome
}

export const countUsage = (db: Pick<Database, 'query'>, log: Log, everyMs?: number): HourlyCounts<CountedCall> =>
  hourlyCounts({
    keyOf: ({ organizationId, integrationId, caller, effect, outcome }: CountedCall) => [
      organizationId,
      integrationId,
      caller,
      effect,
      outcome,
    ],
    write: (batch) => writeUsage(db, batch),
    log,
    failed: 'the usage of integrations was not written; the next batch tries again',
    ...(everyMs && { everyMs }),
  })

/** An integration that was deleted meanwhile has nobody left to ask. */
function writeUsage(db: Pick<Database, 'query'>, batch: readonly Counted<CountedCall>[]) {
  const column = <K extends keyof Counted<CountedCall>>(name: K) => batch.map((counted) => counted[name])
  return db.query(sql`insert into call_usage as u (organization_id, integration_id, hour, caller, effect, outcome, calls)
    select b.* from unnest(${column('organizationId')}::uuid[], ${column('integrationId')}::uuid[], ${column('hour')}::timestamptz[],
      ${column('caller')}::text[], ${column('effect')}::text[], ${column('outcome')}::text[], ${column('calls')}::int[])
      as b (organization_id, integration_id, hour, caller, effect, outcome, calls)
    join integrations i on i.organization_id = b.organization_id and i.id = b.integration_id
    order by 1, 2, 3, 4, 5, 6
    on conflict (organization_id, integration_id, hour, caller, effect, outcome) do update set calls = u.calls + excluded.calls`)
}
