// Cursors of every paged list: opaque and authenticated.
// One works for the list, the place and the filters it was made for.
import { timingSafeEqual } from 'node:crypto'
import { type Fragment, sql } from '../db/sql.ts'
import { refuse } from '../refusal.ts'
import type { Secrets } from '../vault/tokens.ts'

/** Where the next page begins: an id, a number in base 36, or sort keys in base64url. */
type Position = string

const tagOf = (secrets: Secrets, list: string, position: Position) => secrets.lookup('cursor', `${list}|${position}`).subarray(0, 16)

export const writeCursor = (secrets: Secrets, list: string, position: Position): string =>
  `${position}.${tagOf(secrets, list, position).toString('base64url')}`

/** Refuses a cursor that is not one of this list; undefined where none was sent. */
export function readCursor(secrets: Secrets, list: string, cursor: string | undefined, name = 'cursor'): Position | undefined {
  if (cursor === undefined) return undefined
  const [, position, tag] = /^([0-9A-Za-z_-]{1,900})\.([A-Za-z0-9_-]{22})$/.exec(cursor) ?? []
  if (position && tag && timingSafeEqual(Buffer.from(tag, 'base64url'), tagOf(secrets, list, position))) return position
  return refuse('invalid_cursor', {
    detail: `This cursor does not belong to this list. Start again without \`${name}\`.`,
    errors: [{ path: name, message: 'does not belong to this list' }],
  })
}

/** The place of a row among others that are ordered by a moment: to the microsecond, which a Date does not know. */
export const momentOf = (moment: Fragment): Fragment => sql`(extract(epoch from ${moment}) * 1000000)::bigint`

/** Behind the row that a cursor `${moment}_${id}` names, newest first. */
export function isBehind(moment: Fragment, id: Fragment, position: Position): Fragment {
  const [at, last] = position.split('_')
  return sql`(${momentOf(moment)}, ${id}) < (${at}::bigint, ${last}::uuid)`
}

/** A page out of `limit + 1` rows, and the cursor of the next one: null where the list ends here. */
export function pageOf<Row>(
  rows: readonly Row[],
  limit: number,
  cursorAfter: (last: Row) => string,
): { page: Row[]; nextCursor: string | null } {
  const page = rows.slice(0, limit)
  return { page, nextCursor: rows.length > limit ? cursorAfter(page.at(-1)!) : null }
}
