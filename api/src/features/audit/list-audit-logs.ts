import { type EntryRow, newestBelow, toEntry } from '../../audit/read.ts'
import type { Handler } from '../../call.ts'
import { pageOf, readCursor, writeCursor } from '../cursor.ts'

/**
 * Newest first, by sequence: a page deep down costs what the first one costs,
 * and entries written meanwhile shift nothing.
 */
export const listAuditLogs: Handler<'listAuditLogs'> = async ({ parts, organization, query }) => {
  const { cursor, limit, ...filters } = query
  const list = auditList(organization.id, filters)
  const position = readCursor(parts.secrets, list, cursor)
  const below = position === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(position, 36)
  const rows = await parts.db.query<EntryRow>(newestBelow(organization.id, filters, below, limit + 1))
  const { page, nextCursor } = pageOf(rows, limit, ({ sequence }) => writeCursor(parts.secrets, list, sequence.toString(36)))
  return { auditLogs: page.map(toEntry), nextCursor }
}

export const auditList = (organizationId: string, filters: object): string =>
  `audit|${organizationId}|${JSON.stringify(Object.entries(filters).sort())}`
