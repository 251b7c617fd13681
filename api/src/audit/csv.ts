// The trail for spreadsheets. Its cells are made harmless there,
// which changes some of them: what proves the chain is the ndjson.
import { type EntryRow, toEntry } from './read.ts'

type CsvEntry = ReturnType<typeof toEntry>

// biome-ignore format: a table
const COLUMNS: Record<string, (entry: CsvEntry) => unknown> = {
  sequence: (entry) => entry.sequence,
  createdAt: (entry) => entry.createdAt.toISOString(),
  action: (entry) => entry.action,
  outcome: (entry) => entry.outcome,
  actorType: ({ actor }) => actor.type,
  actorId: ({ actor }) => actor.id,
  actorEmail: ({ actor }) => actor.email,
  actorName: ({ actor }) => actor.name,
  actorKeyPrefix: ({ actor }) => actor.keyPrefix,
  targetType: ({ target }) => target.type,
  targetId: ({ target }) => target.id,
  targetName: ({ target }) => target.name,
  workspace: ({ workspace }) => workspace?.slug,
  workspaceName: ({ workspace }) => workspace?.name,
  changes: ({ changes }) => JSON.stringify(changes),
  via: ({ context }) => context.via,
  ip: ({ context }) => context.ip,
  userAgent: ({ context }) => context.userAgent,
  requestId: ({ context }) => context.requestId,
  metadata: ({ metadata }) => JSON.stringify(metadata),
  id: (entry) => entry.id,
  hash: (entry) => entry.hash,
  previousHash: (entry) => entry.previousHash,
}

/**
 * What a spreadsheet would run as a formula begins with one of these,
 * in ASCII or full width; an apostrophe in front makes it text.
 */
const FORMULA = /^\s*[=+\-@|%＝＋－＠]|^[\t\r\n]/u

/** Always quoted (RFC 4180): commas, quotes and line ends inside a cell stay inside it. */
export function csvCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  return `"${(FORMULA.test(text) ? `'${text}` : text).replaceAll('"', '""')}"`
}

const csvRow = (values: unknown[]) => `${values.map(csvCell).join(',')}\r\n`

export const csvHead = csvRow(Object.keys(COLUMNS))

export const csvLine = (row: EntryRow): string => {
  const entry = toEntry(row)
  return csvRow(Object.values(COLUMNS).map((cell) => cell(entry)))
}
