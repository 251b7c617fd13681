// Leases rows of tenant tables: what is due is looked for over all organizations, without holding anything, and then
// taken organization by organization. So no statement holds rows of several servers.
import type { Database } from '../db/pool.ts'
import { type Fragment, sql } from '../db/sql.ts'

interface DueRow {
  readonly organization_id: string
  readonly id: string
}

/** Looks that find what others were faster to take, before the next tick. */
const LOOKS = 3

/**
 * `due` are the rows, the longest waiting first; `take` takes those of one organization that still are.
 * Where another process was faster, the next ones are looked for.
 */
export async function leaseRows<T extends object>(
  db: Pick<Database, 'query'>,
  due: Fragment,
  take: (organizationId: string, ids: readonly string[]) => Fragment,
): Promise<T[]> {
  for (let look = 1; ; look++) {
    const found = await db.query<DueRow>(due)
    const taken = await takeEach<T>(db, found, take)
    if (taken.length || !found.length || look === LOOKS) return taken
  }
}

async function takeEach<T extends object>(
  db: Pick<Database, 'query'>,
  found: DueRow[],
  take: Parameters<typeof leaseRows>[2],
): Promise<T[]> {
  const taken: T[] = []
  for (const [organizationId, rows] of Map.groupBy(found, ({ organization_id }) => organization_id)) {
    const ids = rows.map(({ id }) => id)
    try {
      taken.push(...(await db.query<T>(take(organizationId, ids))))
    } catch (error) {
      if (!taken.length) throw error
      break // what was taken is ours to run
    }
  }
  return taken
}

/** Those of `ids` that are due and that nobody holds, for `id in …`. */
export const freeRows = (from: Fragment, organizationId: string, ids: readonly string[], isDue: Fragment): Fragment =>
  sql`(select id from ${from} where organization_id = ${organizationId} and id = any(${ids}::uuid[]) and ${isDue} for update skip locked)`
