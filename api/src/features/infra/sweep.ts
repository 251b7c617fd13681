import { isSweepable } from '../../access/session-life.ts'
import type { Parts } from '../../call.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { sweepDirectory } from './sweep-directory.ts'

/** A table's primary key, without the organization where it begins with that, and which of its rows have ended. */
interface EndedRows {
  readonly from: Fragment
  readonly key: Fragment
  readonly where: Fragment
}

export const globalRows: readonly EndedRows[] = [
  { from: sql`sessions`, key: sql`id`, where: isSweepable },
  { from: sql`sign_in_links`, key: sql`id`, where: sql`expires_at < now() - interval '1 day'` },
  {
    from: sql`sign_in_guesses`,
    key: sql`email`,
    where: sql`began_at < now() - interval '1 day' and coalesce(closed_until, began_at) < now()`,
  },
  { from: sql`spent_states`, key: sql`id`, where: sql`expires_at < now()` },
  { from: sql`sign_ups`, key: sql`email`, where: sql`expires_at < now()` },
  { from: sql`device_logins`, key: sql`id`, where: sql`expires_at < now() - interval '1 day'` },
  { from: sql`idempotency`, key: sql`caller, operation, path_hash, key`, where: sql`started_at < now() - interval '24 hours'` },
  { from: sql`limits`, key: sql`bucket`, where: sql`ends_at < now()` },
  { from: sql`processes`, key: sql`id`, where: sql`seen_at < now() - interval '1 day'` },
  { from: sql`waits`, key: sql`organization_id, id`, where: sql`ends_at < now()` },
  { from: sql`connect_visits`, key: sql`id`, where: sql`expires_at < now()` },
  { from: sql`quota_shares`, key: sql`organization_id, provider, day`, where: sql`day < now() - interval '3 days'` },
  { from: sql`quota_people`, key: sql`user_id, provider, day`, where: sql`day < now() - interval '3 days'` },
  { from: sql`quota_days`, key: sql`provider, day`, where: sql`day < now() - interval '3 days'` },
  { from: sql`jobs`, key: sql`id`, where: sql`failed_at < now() - interval '30 days'` },
]

export const tenantRows: readonly EndedRows[] = [
  { from: sql`invitations`, key: sql`id`, where: sql`greatest(closed_at, expires_at) < now() - interval '90 days'` },
  {
    from: sql`connect_requests`,
    key: sql`id`,
    where: sql`greatest(completed_at, canceled_at, expires_at) < now() - interval '90 days'`,
  },
  { from: sql`integration_checks`, key: sql`integration_id, id`, where: sql`checked_at < now() - interval '90 days'` },
  { from: sql`integration_days`, key: sql`integration_id, day`, where: sql`day < current_date - 90` },
  { from: sql`organization_days`, key: sql`day`, where: sql`day < current_date - 90` },
  { from: sql`provider_days`, key: sql`day, provider`, where: sql`day < current_date - 90` },
  { from: sql`calls`, key: sql`integration_id, id`, where: sql`at < now() - interval '90 days'` },
  {
    from: sql`call_usage`,
    key: sql`integration_id, hour, caller, effect, outcome`,
    where: sql`hour < now() - interval '2 years'`,
  },
  { from: sql`tool_usage`, key: sql`key_id, hour, tool, workspace, outcome`, where: sql`hour < now() - interval '90 days'` },
  { from: sql`call_handles`, key: sql`integration_id, kind, handle`, where: sql`expires_at < now()` },
  { from: sql`revocations`, key: sql`id`, where: sql`ends_at < now()` },
  { from: sql`webhook_deliveries`, key: sql`webhook_id, id`, where: sql`at < now() - interval '30 days'` },
]

/**
 * What has ended is removed after a while, so that no table grows with time alone. Audit entries stay.
 * A batch at a time: after a long pause everything at once would run into the statement's time-out,
 * and again every time after that. A row that someone holds is left for later.
 * By key: where a table is in partitions, a row's place in one is also another row's in the next.
 */
export async function sweep({ db }: Pick<Parts, 'db'>, batch = 5000): Promise<void> {
  for (const rows of globalRows) for (let gone = batch; gone === batch; ) gone = (await db.query(deleteSome(rows, batch))).length
  for (const rows of tenantRows) await sweepTenants(db, rows, batch)
  await sweepDirectory(db, batch)
}

/** Organization by organization: rows of several cannot be held at once where they are on several servers. */
async function sweepTenants(db: Parts['db'], rows: EndedRows, batch: number): Promise<void> {
  for (let found = batch, gone = 1; found === batch && gone > 0; ) {
    const owners = await db.query<{ organization_id: string }>(
      sql`select organization_id from ${rows.from} where ${rows.where} limit ${batch}`,
    )
    found = owners.length
    gone = 0
    for (const organizationId of new Set(owners.map(({ organization_id }) => organization_id)))
      gone += (await db.query(deleteSome(rows, batch, sql`organization_id = ${organizationId} and`))).length
  }
}

const deleteSome = (
  { from, key, where }: EndedRows,
  batch: number,
  here = sql``,
): Fragment => sql`delete from ${from} where ${here} (${key})
  in (select ${key} from ${from} where ${here} ${where} limit ${batch} for update skip locked) returning 1`
