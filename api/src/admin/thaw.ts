import { transact } from '../audit/transact.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import { thaw } from '../features/organizations/thaw.ts'
import type { Jobs } from '../jobs/queue.ts'

/** For when no admin can: recorded in the organization's trail, and mailed to its admins. */
export async function thawOrganization(parts: { db: Database; jobs: Jobs; config: Config }, slug: string): Promise<{ wasFrozen: boolean }> {
  const [found] = await parts.db.query<{ id: string }>(sql`select id from organizations where slug = ${slug}`)
  if (!found) throw new Error(`there is no organization with the slug ${slug}. Nothing was changed.`)
  return transact({ parts }, (query, record) => thaw(parts, query, record, { id: found.id, by: null }))
}
