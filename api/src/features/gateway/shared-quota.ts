// The operator's daily quota at an ad system, shared out among organizations over all replicas.
import type { Parts } from '../../call.ts'
import type { Database } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'
import { type DailyCalls, dailyCallsOf } from '../../gateway/daily-calls.ts'
import type { Log } from '../../log.ts'
import { providers } from '../../providers/index.ts'
import type { Provider } from '../../providers/provider.ts'
import { refuse } from '../../refusal.ts'

/** Whose calls, where. */
export interface QuotaSubject {
  readonly organizationId: string
  readonly provider: string
}

/** One call less; or none left, and in how many seconds the ad system's day ends. */
export type TakenQuota = { readonly taken: true } | { readonly taken: false; readonly endsIn: number }

export interface SharedQuota {
  take(subject: QuotaSubject, daily: DailyCalls): Promise<TakenQuota>
  stop(): Promise<void>
}

/** Taken from the database at once, handed out here without asking again. */
interface Reserve {
  readonly subject: QuotaSubject
  readonly day: string
  left: number
  /** By performance.now(): the reserve of a day is worth nothing on the next. */
  readonly endsAt: number
  /** Nothing was left to take: the database is not asked again before this. */
  readonly emptyUntil: number
  idle: boolean
}

/** Of an organization's share, so that what idle processes hold is never missed; and a bound for large ones. */
const BATCH_PART = 100
const LARGEST_BATCH = 100
const ASK_AGAIN_MS = 5000

export function shareQuota(db: Pick<Database, 'query'>, log: Log, idleMs = 15_000): SharedQuota {
  const reserves = new Map<string, Reserve>()
  const filling = new Map<string, Promise<Reserve>>()

  const fill = async (subject: QuotaSubject, { share, most, zone }: DailyCalls): Promise<Reserve> => {
    const wanted = Math.max(1, Math.min(LARGEST_BATCH, Math.floor(share / BATCH_PART)))
    const [row] = await db.query<{ granted: number; day: string; ends_in: number }>(sql`select granted, day::text as day, ends_in
      from take_quota(${subject.organizationId}, ${subject.provider}, ${zone}, ${wanted}, ${share}, ${most})`)
    const { granted, day, ends_in } = row!
    const now = performance.now()
    return { subject, day, left: granted, endsAt: now + ends_in * 1000, emptyUntil: granted ? 0 : now + ASK_AGAIN_MS, idle: false }
  }
  /** One statement for all that wait for it. */
  const filled = (key: string, subject: QuotaSubject, daily: DailyCalls): Promise<Reserve> => {
    const under = filling.get(key)
    if (under) return under
    const fresh = fill(subject, daily)
      .then((reserve) => {
        reserves.set(key, reserve)
        return reserve
      })
      .finally(() => filling.delete(key))
    filling.set(key, fresh)
    return fresh
  }
  const giveBack = async ({ subject, day, left }: Reserve) => {
    try {
      await db.query(sql`select give_back_quota(${subject.organizationId}, ${subject.provider}, ${day}, ${left})`)
    } catch (error) {
      log.warn({ err: error, calls: left }, 'unused calls of a daily quota were not given back')
    }
  }
  const giveBackIdle = async (all = false) => {
    for (const [key, reserve] of reserves) {
      const over = reserve.endsAt <= performance.now()
      if (!all && !over && !reserve.idle) reserve.idle = true
      else {
        reserves.delete(key)
        if (reserve.left && !over) await giveBack(reserve)
      }
    }
  }
  const timer = setInterval(() => void giveBackIdle(), idleMs)
  timer.unref()

  return {
    async take(subject, daily) {
      const key = `${subject.provider}|${subject.organizationId}`
      for (;;) {
        const now = performance.now()
        const kept = reserves.get(key)
        const reserve = kept && kept.endsAt > now && (kept.left > 0 || kept.emptyUntil > now) ? kept : await filled(key, subject, daily)
        if (reserve.emptyUntil) return { taken: false, endsIn: Math.max(1, Math.ceil((reserve.endsAt - now) / 1000)) }
        // Those who waited for the same batch may have used it up.
        if (reserve.left <= 0) continue
        reserve.left--
        reserve.idle = false
        return { taken: true }
      }
    },
    async stop() {
      clearInterval(timer)
      await giveBackIdle(true)
    },
  }
}

/** What the operator may call in a day at this system. Null: as often as the vendor lets them. */
export const dailyCallsAt = ({ config, vendorSessions }: Pick<Parts, 'config' | 'vendorSessions'>, provider: Provider) =>
  dailyCallsOf(provider, config.providerSettings, vendorSessions.settingsOf(provider).twin)

/** Takes one call from the organization's share, or refuses until the ad system's day ends. Each sending is a call to the ad system. */
export async function takeFromShare(
  parts: Pick<Parts, 'config' | 'vendorSessions' | 'quota'>,
  call: { readonly organizationId: string; readonly provider: Provider; readonly host: string },
): Promise<void> {
  const { organizationId, provider, host } = call
  const daily = dailyCallsAt(parts, provider)
  if (!daily || (daily.host && daily.host !== host)) return
  const answer = await parts.quota.take({ organizationId, provider: provider.id }, daily)
  if (answer.taken) return
  const ends = new Date(Date.now() + answer.endsIn * 1000).toISOString().slice(0, 16)
  refuse('quota_share', {
    detail:
      `Your organization has used its share of today’s calls to ${provider.name}, which all organizations here share; organizations with the same admin ` +
      'have one share together. ' +
      `The next day begins at ${ends.replace('T', ' ')} UTC (midnight in ${daily.zone}). Until then, ask for less at a time.`,
    headers: { 'retry-after': String(answer.endsIn) },
  })
}

/** How the organization stands today. */
export async function readShare(parts: Pick<Parts, 'config' | 'vendorSessions' | 'db'>, organizationId: string, provider: Provider) {
  const daily = dailyCallsAt(parts, provider)
  if (!daily) return null
  const { share, most, zone } = daily
  const [row] = await parts.db.query<{ own: number; used: number; theirs: number; ends_at: Date }>(sql`
    with today as (select (now() at time zone ${zone})::date as day)
    select coalesce(s.calls, 0) as own, coalesce(d.calls, 0) as used, coalesce(p.calls, 0) as theirs, (today.day + 1)::timestamp at time zone ${zone} as ends_at
    from today
    left join quota_days d on d.provider = ${provider.id} and d.day = today.day
    left join quota_shares s on s.organization_id = ${organizationId} and s.provider = ${provider.id} and s.day = today.day
    left join lateral (select max(q.calls) as calls from members m
      join quota_people q on q.user_id = m.user_id and q.provider = ${provider.id} and q.day = today.day
      where m.organization_id = ${organizationId} and m.role = 'admin') p on true`)
  const { own, used, theirs, ends_at } = row!
  return { calls: share, used: own, left: Math.max(0, Math.min(share - own, share - theirs, most - used)), endsAt: ends_at, timeZone: zone }
}

/** Of every ad system whose day has a limit, for those who watch. */
export async function quotasToday(parts: Pick<Parts, 'config' | 'vendorSessions' | 'db'>) {
  const limited = providers.flatMap((provider) => {
    const daily = dailyCallsAt(parts, provider)
    return daily ? [{ provider: provider.id, ...daily }] : []
  })
  if (!limited.length) return []
  const rows = await parts.db.query<{ provider: string; used: number }>(sql`select q.provider, coalesce(d.calls, 0) as used
    from unnest(${limited.map(({ provider }) => provider)}::text[], ${limited.map(({ zone }) => zone)}::text[]) as q (provider, zone)
    left join quota_days d on d.provider = q.provider and d.day = (now() at time zone q.zone)::date`)
  return limited.map(({ provider, calls }) => ({ provider, calls, used: rows.find((row) => row.provider === provider)?.used ?? 0 }))
}
