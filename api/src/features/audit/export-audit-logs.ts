import { csvHead, csvLine } from '../../audit/csv.ts'
import { type EntryRow, oldestWithin, spanOf, toEntry } from '../../audit/read.ts'
import { transact } from '../../audit/transact.ts'
import type { Call, Handler } from '../../call.ts'

/** At most this many entries are in memory; between pages no transaction or connection is held. */
const PAGE = 500
/** At most this many are looked at in one statement, however few of them the filters let through. */
const SPAN = 20_000

const FORMATS = {
  ndjson: { type: 'application/x-ndjson', head: '', line: (row: EntryRow) => `${JSON.stringify(toEntry(row))}\n` },
  csv: { type: 'text/csv; charset=utf-8', head: csvHead, line: csvLine },
} as const

/**
 * Oldest first, up to and with the entry that tells of this very export,
 * which is committed before the first byte leaves.
 */
export const exportAuditLogs: Handler<'exportAuditLogs'> = async (call) => {
  const { organization, now } = call
  const { format, ...filters } = call.query
  await transact(call, async (_, record) => {
    record('audit.exported', {
      target: { type: 'organization', id: organization.id, name: organization.name },
      metadata: { format, filters },
    })
  })
  const [span] = await call.parts.db.query<{ first: number | null; last: number | null }>(spanOf(organization.id, filters))
  call.headers['content-disposition'] = `attachment; filename="${organization.slug}-audit-${now.toISOString().slice(0, 10)}.${format}"`
  return { type: FORMATS[format].type, chunks: chunks(call, format, span!.first ?? Number.MAX_SAFE_INTEGER, span!.last ?? 0) }
}

/** Pulled by the client's reading: one that stops, or goes away, stops the reading of the table. */
async function* chunks(
  { parts, organization, origin, query }: Call<'exportAuditLogs'>,
  format: keyof typeof FORMATS,
  first: number,
  last: number,
): AsyncGenerator<string> {
  const { head, line } = FORMATS[format]
  const { format: _, from, to, ...filters } = query // the times are the span already
  try {
    if (head) yield head
    for (let after = first - 1; after < last; ) {
      const end = Math.min(after + SPAN, last)
      const rows = await parts.db.query<EntryRow>(oldestWithin(organization.id, filters, after, end, PAGE))
      if (rows.length) yield rows.map(line).join('')
      after = rows.length < PAGE ? end : rows.at(-1)!.sequence
    }
  } catch (error) {
    // The connection is destroyed, so that nobody takes half a file for a whole one.
    parts.log.warn({ err: error, requestId: origin.requestId }, 'an audit export was interrupted')
    throw error
  }
}
