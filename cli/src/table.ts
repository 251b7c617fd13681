// Tables and records that fit the terminal.
import { joined, paint, type Safe, safe, withoutControls } from './terminal.ts'
import { cut, padded, width, wrapped } from './width.ts'

export type TableRow = Record<string, unknown>

const STATUS: Record<string, Parameters<typeof paint>[0]> = {
  active: 'green',
  ok: 'green',
  verified: 'green',
  error: 'red',
  rejected: 'red',
  revoked: 'red',
  pending: 'yellow',
  connected: 'green',
  complete: 'green',
  partial: 'yellow',
  unfinished: 'yellow',
  declined: 'gray',
  failed: 'red',
  expired: 'yellow',
  unreachable: 'yellow',
  disabled: 'gray',
  throttled: 'yellow',
  timeout: 'yellow',
  credential_refused: 'red',
}

/** A value in one cell. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return withoutControls(value.slice(0, 16).replace('T', ' '))
  if (Array.isArray(value)) return value.map(cell).join(', ') || '-'
  if (typeof value === 'object') {
    const { name, slug, email } = value as TableRow
    const word = name ?? slug ?? email
    if (word) return withoutControls(String(word))
    return (
      Object.entries(value)
        .filter(([, part]) => part !== 0)
        .map(([key, part]) => `${withoutControls(key)} ${cell(part)}`)
        .join(', ') || '-'
    )
  }
  return withoutControls(String(value))
}

/** The columns of the terminal. What is piped has no end of a line: everything is there, and nothing is cut. */
export const room = (): number => (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY

/** May be cut where there is no room; ids, slugs, times and states never are, since people copy and compare them. */
const ELASTIC = new Set(
  'name email connectedAccount target actor workspace path title clientName description url types error caller providerName domain'.split(
    ' ',
  ),
)
const LEAST = 12
/** May be left out, the last first: everything is in `--json`. */
const OPTIONAL = [
  'statusCheckedAt',
  'expiresAt',
  'prefix',
  'access',
  'description',
  'durationMs',
  'ip',
  'behind',
  'completedAt',
  'startedAt',
]

interface Column {
  readonly name: string
  readonly head: string
  readonly cells: string[]
}
const widest = ({ head, cells }: Column): number => Math.max(width(head), ...cells.map(width))
const total = (columns: readonly Column[]): number => columns.reduce((sum, column) => sum + widest(column) + 2, -2)

/** Aligned columns; widths are counted before color, so that escapes do not shift them. */
export function table(rows: TableRow[], names: string[], available = room()): Safe {
  const all = names.map((name) => ({
    name,
    head: name.replace(/([A-Z])/g, ' $1').toLowerCase(),
    cells: rows.map((row) => cell(row[name])),
  }))
  const columns = fitted(all, available)
  if (!columns)
    return joined(
      rows.map((row) => record(Object.fromEntries(filled(all).map(({ name, head }) => [head, row[name]])), available)),
      '\n\n',
    )
  const widths = columns.map(widest)
  const line = (parts: string[], color: (text: string) => Safe) =>
    joined(
      parts.map((part, i) => safe`${color(part)}${i === parts.length - 1 ? '' : padded('', widths[i]! - width(part) + 2)}`),
      '',
    )
  const heads = line(
    columns.map(({ head }) => head),
    (text) => paint('dim', text),
  )
  const lines = rows.map((_, i) =>
    line(
      columns.map(({ cells }) => cells[i]!),
      colored,
    ),
  )
  return joined([heads, ...lines], '\n')
}

const filled = (columns: Column[]) => columns.filter(({ cells }) => cells.some((text) => text !== '-'))

/** First goes what is empty, then what can be missed, then the ends of long texts. Undefined: it can't be made to fit. */
function fitted(all: Column[], available: number): Column[] | undefined {
  if (total(all) <= available) return all
  let columns = filled(all)
  const least = (some: Column[]) => total(some.map((column) => narrowed(column, LEAST)))
  for (const name of OPTIONAL) {
    if (least(columns) <= available) break
    columns = columns.filter((column) => column.name !== name)
  }
  if (least(columns) > available) return undefined
  while (total(columns) > available) {
    const longest = columns
      .filter((column) => widest(narrowed(column, 0)) < widest(column))
      .reduce((a, b) => (widest(b) > widest(a) ? b : a))
    columns = columns.map((column) => (column === longest ? narrowed(column, widest(column) - 1) : column))
  }
  return columns
}

function narrowed(column: Column, most: number): Column {
  if (!ELASTIC.has(column.name)) return column
  const bound = Math.max(LEAST, most, width(column.head))
  return { ...column, cells: column.cells.map((text) => (column.name === 'path' ? cutStart(text, bound) : cut(text, bound))) }
}

/** Of a path its end is what tells one from the other. */
const cutStart = (text: string, most: number) => (width(text) <= most ? text : `…${text.slice(1 - most)}`)

const colored = (text: string): Safe => (Object.hasOwn(STATUS, text) ? paint(STATUS[text]!, text) : safe`${text}`)

/** A record as name and value, one a line; a value that is too long for it goes on below its name. */
export function record(value: TableRow, available = room()): Safe {
  const names = Object.keys(value)
  const indent = Math.max(0, ...names.map((name) => name.length)) + 2
  return joined(
    names.map((name) => {
      const text = cell(value[name])
      const lines = valueLines(text, available - indent)
      if (!lines) return joined([paint('dim', name), ...(valueLines(text, available - 2) ?? [text]).map((line) => safe`  ${line}`)], '\n')
      const head = safe`${paint('dim', name.padEnd(indent))}${colored(lines[0] ?? '')}`
      return joined([head, ...lines.slice(1).map((line) => safe`${padded('', indent)}${line}`)], '\n')
    }),
    '\n',
  )
}

/** Broken between words only: addresses, keys and ids are copied whole. Undefined: a word does not fit. */
function valueLines(text: string, most: number): string[] | undefined {
  if (width(text) <= most) return [text]
  return text.split(/\s+/).some((word) => width(word) > most) ? undefined : wrapped(text, most)
}
