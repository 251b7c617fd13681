// Access that was given until a day: told of before, and ended when the day comes.
import { type EntryWorkspace, system, transact } from '../../audit/transact.ts'
import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { endConnection } from './end-connection.ts'
import { findIntegration } from './integration-row.ts'
import { aboutIntegration } from './snapshot.ts'

const BATCH = 100
/** Days before its end that it is told of. What was given for a shorter time is not told of as long before. */
const DAYS = [7, 1]

interface Agreed extends EntryWorkspace {
  organization_id: string
  integration_id: string
  days: number
  now: Date
}

const today = sql`(now() at time zone 'utc')::date`
const columns = sql`i.organization_id, i.id as integration_id, w.id, w.slug, w.name, now() as now`
const agreed = sql`integrations i join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id`

export async function keepAgreements(parts: Parts): Promise<void> {
  await eachOf(() => endingSoon(parts), noteEnding(parts))
  await eachOf(() => endingToday(parts), end(parts))
}

/** One that fails is met again at the next round, and keeps nobody else waiting. */
async function eachOf(due: () => Promise<Agreed[]>, act: (one: Agreed) => Promise<boolean>): Promise<void> {
  for (let more = true; more; ) {
    const found = await due()
    const done: boolean[] = []
    for (const one of found) done.push(await act(one))
    more = found.length === BATCH && done.some(Boolean)
  }
}

const endingSoon = ({ db }: Parts): Promise<Agreed[]> =>
  db.query<Agreed>(sql`select ${columns}, t.days from ${agreed}
    cross join lateral (select min(d) as days from unnest(${DAYS}::int[]) as d where i.access_until <= ${today} + d) as t
    where i.access_until > ${today} and i.access_until <= ${today} + ${DAYS[0]!}::int and i.credential is not null
      and (i.connected_at at time zone 'utc')::date < i.access_until - t.days and (i.access_noted is null or i.access_noted > t.days)
    order by i.access_until limit ${BATCH}`)

const noteEnding =
  (parts: Parts) =>
  ({ organization_id, integration_id, days, id, slug, name }: Agreed): Promise<boolean> =>
    transact({ parts, organization: { id: organization_id }, workspace: { id, slug, name }, via: 'job' }, async (query, record) => {
      const row = await findIntegration(query, { organizationId: organization_id, id: integration_id }, 'lock')
      const [noted] = await query(sql`update integrations set access_noted = ${days} where organization_id = ${organization_id}
        and id = ${integration_id} and access_until <= ${today} + ${days}::int and (access_noted is null or access_noted > ${days}) returning id`)
      if (!row?.access_until || !noted) return false
      const expiresAt = new Date(`${row.access_until}T00:00:00Z`)
      record('integration.expiring', { actor: system, ...aboutIntegration(row), metadata: { days, expiresAt, agreed: true } })
      return true
    })

const endingToday = ({ db }: Parts): Promise<Agreed[]> =>
  db.query<Agreed>(sql`select ${columns}, 0 as days from ${agreed}
    where i.access_until <= ${today} and i.credential is not null order by i.access_until limit ${BATCH}`)

const end =
  (parts: Parts) =>
  ({ organization_id, integration_id, id, slug, name, now }: Agreed): Promise<boolean> =>
    endConnection(
      parts,
      { organizationId: organization_id, id: integration_id },
      {
        kind: 'integration.access_ended',
        reason: 'access_ended',
        actor: system,
        workspace: { id, slug, name },
        context: { via: 'job' },
        // A new consent may have moved the day meanwhile.
        holds: ({ access_until }) => access_until !== null && access_until <= now.toISOString().slice(0, 10),
        now,
      },
    ).catch((error) => {
      parts.log.error({ err: error, integration: integration_id }, 'access could not be ended on its day; trying again in a minute')
      return false
    })
