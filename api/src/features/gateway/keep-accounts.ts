// Lists the accounts of every connection once a day and right after connecting, a few at once:
// access that appears or disappears at an ad system is seen, not discovered later.
import { system, transact } from '../../audit/transact.ts'
import type { Parts } from '../../call.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { type LeaseLoop, leaseLoop } from '../../jobs/lease-loop.ts'
import { freeRows, leaseRows } from '../../jobs/lease-rows.ts'
import { findIntegration } from '../integrations/integration-row.ts'
import { storeAccounts } from './account-rows.ts'
import { askForAccounts } from './ask-for-accounts.ts'

interface Due {
  organization_id: string
  id: string
  now: Date
}

const AT_ONCE = 4
const HOUR_MS = 3_600_000
/** A login with thousands of accounts has many pages. */
const TIMES = 4

/** Also where only a setting is missing: the account to enter there is picked from the list. */
const isListable = (): Fragment => sql`status in ('active', 'error') and (status = 'active' or status_reason = 'setting_missing')`

const isDue = (): Fragment => sql`credential is not null and ${isListable()} and accounts_due_at <= now()
  and not exists (select 1 from organizations o where o.id = organization_id and o.frozen_at is not null)`

/** Whoever takes one moves it on by an hour: that is also when it is tried again if this goes wrong. */
const takeDue = async ({ db }: Parts, places: number): Promise<Due[]> => {
  const taken = await leaseRows<Omit<Due, 'now'> & { accounts_due_at: Date }>(
    db,
    sql`select organization_id, id from integrations where ${isDue()} order by accounts_due_at limit ${places}`,
    (organizationId, ids) => sql`update integrations set accounts_due_at = now() + interval '1 hour'
      where organization_id = ${organizationId} and id in ${freeRows(sql`integrations`, organizationId, ids, isDue())}
      returning organization_id, id, accounts_due_at`,
  )
  return taken.map(({ accounts_due_at, ...row }) => ({ ...row, now: new Date(accounts_due_at.getTime() - HOUR_MS) }))
}

export const keepAccounts = (parts: Parts): Pick<LeaseLoop, 'stop'> =>
  leaseLoop<Due>({
    width: AT_ONCE,
    tracer: parts.tracer,
    spanName: () => 'list accounts',
    log: parts.log,
    waits: 'lists of accounts wait for the database',
    take: (places) => takeDue(parts, places),
    run: (due) => listOne(parts, due).catch((error) => parts.log.warn({ err: error, integration: due.id }, 'accounts could not be listed')),
  })

async function listOne(parts: Parts, { organization_id, id, now }: Due): Promise<void> {
  const at = { organizationId: organization_id, id }
  const snapshot = await findIntegration(parts.db.query, at)
  if (!snapshot) return
  const answer = await askForAccounts(parts, snapshot, now, TIMES)
  if (answer.outcome === 'unlisted') {
    await parts.db.query(sql`update integrations set accounts_due_at = null where organization_id = ${organization_id} and id = ${id}`)
    return
  }
  if (answer.outcome !== 'listed') {
    parts.log.info(
      { integration: id, provider: snapshot.provider, outcome: answer.outcome },
      'accounts could not be listed; trying again in an hour',
    )
    return
  }
  const [workspace] = await parts.db.query<{ id: string; slug: string; name: string }>(
    sql`select id, slug, name from workspaces where organization_id = ${organization_id} and id = ${snapshot.workspace_id}`,
  )
  await transact({ parts, organization: { id: organization_id }, workspace, via: 'job' }, async (query, record) => {
    const row = await findIntegration(query, at, 'lock')
    if (row) await storeAccounts(query, (kind, entry) => record(kind, { ...entry, actor: system }), { snapshot, row }, answer, now)
  })
}
