import { isSweepable } from '../../access/session-life.ts'
import type { Parts } from '../../call.ts'
import { type Fragment, sql } from '../../db/sql.ts'

/** Rows of a table, and which of them have ended. */
const ended: readonly { readonly from: Fragment; readonly where: Fragment }[] = [
  { from: sql`sessions`, where: isSweepable },
  { from: sql`sign_in_links`, where: sql`expires_at < now() - interval '1 day'` },
  { from: sql`sign_in_guesses`, where: sql`began_at < now() - interval '1 day' and coalesce(closed_until, began_at) < now()` },
  { from: sql`spent_states`, where: sql`expires_at < now()` },
  { from: sql`sign_ups`, where: sql`expires_at < now()` },
  { from: sql`device_logins`, where: sql`expires_at < now() - interval '1 day'` },
  { from: sql`invitations`, where: sql`greatest(closed_at, expires_at) < now() - interval '90 days'` },
  { from: sql`connect_requests`, where: sql`greatest(completed_at, canceled_at, expires_at) < now() - interval '90 days'` },
  { from: sql`idempotency`, where: sql`started_at < now() - interval '24 hours'` },
  { from: sql`limits`, where: sql`ends_at < now()` },
  { from: sql`processes`, where: sql`seen_at < now() - interval '1 day'` },
  { from: sql`waits`, where: sql`ends_at < now()` },
  { from: sql`connect_visits`, where: sql`expires_at < now()` },
  { from: sql`integration_checks`, where: sql`checked_at < now() - interval '90 days'` },
  { from: sql`integration_days`, where: sql`day < current_date - 90` },
  { from: sql`organization_days`, where: sql`day < current_date - 90` },
  { from: sql`provider_days`, where: sql`day < current_date - 90` },
  { from: sql`calls`, where: sql`at < now() - interval '90 days'` },
  { from: sql`call_usage`, where: sql`hour < now() - interval '2 years'` },
  { from: sql`tool_usage`, where: sql`hour < now() - interval '90 days'` },
  { from: sql`call_handles`, where: sql`expires_at < now()` },
  { from: sql`quota_shares`, where: sql`day < now() - interval '3 days'` },
  { from: sql`quota_days`, where: sql`day < now() - interval '3 days'` },
  { from: sql`webhook_deliveries`, where: sql`at < now() - interval '30 days'` },
  { from: sql`jobs`, where: sql`failed_at < now() - interval '30 days'` },
]

/**
 * What has ended is removed after a while, so that no table grows with time alone. Audit entries stay.
 * A batch at a time: after a long pause everything at once would run into the statement's time-out,
 * and again every time after that. A row that someone holds is left for later.
 */
export async function sweep({ db }: Pick<Parts, 'db'>, batch = 5000): Promise<void> {
  for (const { from, where } of ended)
    for (let gone = batch; gone === batch; )
      gone = (
        await db.query(sql`delete from ${from} where ctid = any (array(select ctid from ${from} where ${where}
          limit ${batch} for update skip locked)) returning 1`)
      ).length
}
