import { readCursor, writeCursor } from '../../audit/cursor.ts'
import { type EntryRow, newestBelow, toEntry } from '../../audit/read.ts'
import type { Handler } from '../../call.ts'
import { refuse } from '../../refusal.ts'

/** Newest first, by sequence: a page deep down costs what the first one costs, and entries written meanwhile shift nothing. */
export const listAuditLogs: Handler<'listAuditLogs'> = async ({ parts, organization, query }) => {
  const { cursor, limit, ...filters } = query
  const scope = `${organization.id}|${JSON.stringify(Object.entries(filters).sort())}`
  const below =
    cursor === undefined
      ? Number.MAX_SAFE_INTEGER
      : (readCursor(parts.secrets, scope, cursor) ??
        refuse('invalid_cursor', { errors: [{ path: 'cursor', message: 'is not a cursor of this list' }] }))
  const rows = await parts.db.query<EntryRow>(newestBelow(organization.id, filters, below, limit + 1))
  const page = rows.slice(0, limit)
  return { auditLogs: page.map(toEntry), nextCursor: rows.length > limit ? writeCursor(parts.secrets, scope, page.at(-1)!.sequence) : null }
}
