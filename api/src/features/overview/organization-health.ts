import type { Handler, Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'

interface DayRow {
  day: string
  active: number
  error: number
  pending: number
}

interface ProviderDayRow {
  day: string
  provider: string
  checks: number
  failures: number
}

const today = sql`(now() at time zone 'utc')::date`

/** How many of an organization's integrations are in which status now. */
const statusesNow = sql`count(*) filter (where i.status = 'active')::int as active, count(*) filter (where i.status = 'error')::int as error,
  count(*) filter (where i.status = 'pending')::int as pending`

const checksOfDays = sql`sum(d.verified + d.rejected + d.unreachable)::int as checks, sum(d.rejected)::int as failures
  from integration_days d join integrations i on i.organization_id = d.organization_id and i.id = d.integration_id`

/** Days that are over as they were kept, today as it is. A day on which nothing was kept is left out. */
export const getOrganizationHealth: Handler<'getOrganizationHealth'> = async ({ parts, organization, query }) => {
  const [days, checks] = await Promise.all([
    parts.db.query<DayRow>(sql`select day::text, active, error, pending from organization_days
        where organization_id = ${organization.id} and day > ${today} - ${query.days}::int and day < ${today}
      union all select ${today}::text, ${statusesNow} from integrations i where i.organization_id = ${organization.id} order by day`),
    parts.db.query<ProviderDayRow>(sql`select day::text, provider, checks, failures from provider_days
        where organization_id = ${organization.id} and day > ${today} - ${query.days}::int and day < ${today}
      union all select ${today}::text, i.provider, ${checksOfDays} where d.organization_id = ${organization.id} and d.day = ${today} group by i.provider
      order by day, provider`),
  ])
  return {
    days: days.map((one) => ({
      ...one,
      checks: checks.flatMap(({ day, ...ofProvider }) => (day === one.day ? [ofProvider] : [])),
    })),
  }
}

/**
 * Keeps how things stand today, over what was kept earlier today: what was kept last is how the day ended.
 * The checks of yesterday are counted once more, for those that were made after the last time.
 */
export async function keepDays({ db }: Pick<Parts, 'db'>): Promise<void> {
  await db.query(sql`insert into organization_days (organization_id, day, active, error, pending)
    select i.organization_id, ${today}, ${statusesNow} from integrations i group by i.organization_id
    on conflict (organization_id, day) do update set active = excluded.active, error = excluded.error, pending = excluded.pending`)
  await db.query(sql`insert into provider_days (organization_id, day, provider, checks, failures)
    select d.organization_id, d.day, i.provider, ${checksOfDays} where d.day >= ${today} - 1 group by d.organization_id, d.day, i.provider
    on conflict (organization_id, day, provider) do update set checks = greatest(provider_days.checks, excluded.checks),
      failures = greatest(provider_days.failures, excluded.failures)`)
}
