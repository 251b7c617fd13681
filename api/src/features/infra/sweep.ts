import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'

/** What has ended is removed after a while, so that no table grows with time alone. Audit entries stay. */
export async function sweep({ db }: Pick<Parts, 'db'>): Promise<void> {
  await db.query(
    sql`delete from sessions where coalesce(ended_at, last_used_at + interval '7 days', created_at) < now() - interval '30 days'`,
  )
  await db.query(sql`delete from sign_in_links where expires_at < now() - interval '1 day'`)
  await db.query(sql`delete from spent_states where expires_at < now()`)
  await db.query(sql`delete from sign_ups where expires_at < now()`)
  await db.query(sql`delete from device_logins where expires_at < now() - interval '1 day'`)
  await db.query(sql`delete from invitations where greatest(closed_at, expires_at) < now() - interval '90 days'`)
  await db.query(sql`delete from idempotency where started_at < now() - interval '24 hours'`)
  await db.query(sql`delete from limits where ends_at < now()`)
  await db.query(sql`delete from connect_visits where expires_at < now()`)
  await db.query(sql`delete from integration_checks where checked_at < now() - interval '90 days'`)
  await db.query(sql`delete from jobs where failed_at < now() - interval '30 days'`)
}
