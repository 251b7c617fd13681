import type { CallEffect, CallOutcome } from '@adjoin/contract'
import type { Database } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import type { Log } from '../../log.ts'

export interface CountedCall {
  readonly organizationId: string
  readonly integrationId: string
  readonly caller: string
  readonly effect: CallEffect
  readonly outcome: CallOutcome
}

export interface Usage {
  /** One more; costs the request nothing. */
  count(call: CountedCall): void
  /** Writes what is still to be written. */
  flush(): Promise<void>
  stop(): Promise<void>
}

/**
 * Calls counted by hour, written in batches off the request's path;
 * a batch that failed goes with the next one.
 */
export function countUsage(db: Pick<Database, 'query'>, log: Log, everyMs = 5000): Usage {
  let counts = new Map<string, CountedCall & { hour: Date; calls: number }>()
  let writing: Promise<void> = Promise.resolve()

  const add = (call: CountedCall, hour: Date, calls: number) => {
    const key = [call.organizationId, call.integrationId, call.caller, call.effect, call.outcome, hour.getTime()].join('|')
    const counted = counts.get(key) ?? { ...call, hour, calls: 0 }
    counted.calls += calls
    counts.set(key, counted)
  }
  const write = async () => {
    const batch = [...counts.values()]
    counts = new Map()
    if (!batch.length) return
    const column = <K extends keyof (typeof batch)[number]>(name: K) => batch.map((counted) => counted[name])
    try {
      // An integration that was deleted meanwhile has nobody left to ask.
      await db.query(sql`insert into call_usage as u (organization_id, integration_id, hour, caller, effect, outcome, calls)
        select b.* from unnest(${column('organizationId')}::uuid[], ${column('integrationId')}::uuid[], ${column('hour')}::timestamptz[],
          ${column('caller')}::text[], ${column('effect')}::text[], ${column('outcome')}::text[], ${column('calls')}::int[])
          as b (organization_id, integration_id, hour, caller, effect, outcome, calls)
        join integrations i on i.organization_id = b.organization_id and i.id = b.integration_id
        order by 1, 2, 3, 4, 5, 6
        on conflict (organization_id, integration_id, hour, caller, effect, outcome) do update set calls = u.calls + excluded.calls`)
    } catch (error) {
      for (const { hour, calls, ...call } of batch) add(call, hour, calls)
      log.warn({ err: error }, 'the usage of integrations was not written; the next batch tries again')
    }
  }
  const flush = () => {
    writing = writing.then(write)
    return writing
  }
  const timer = setInterval(() => void flush(), everyMs)
  timer.unref()
  return {
    count: (call) => add(call, new Date(Math.floor(Date.now() / HOUR_MS) * HOUR_MS), 1),
    flush,
    async stop() {
      clearInterval(timer)
      await flush()
    },
  }
}

const HOUR_MS = 3_600_000
