import { joined, paint, type Safe, safe, say, sayJson, withoutControls } from './terminal.ts'
import { padded, width } from './width.ts'

type TableRow = Record<string, unknown>

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
  failed: 'red',
  expired: 'yellow',
  unreachable: 'yellow',
  disabled: 'gray',
  throttled: 'yellow',
  timeout: 'yellow',
  credential_refused: 'red',
}

/** What people want to see of each thing, in this order; everything is in `--json`. */
const COLUMNS: Record<string, string[]> = {
  integrations: ['id', 'name', 'provider', 'status', 'connectedAccount', 'statusCheckedAt'],
  workspaces: ['slug', 'name', 'role', 'access', 'integrationCounts'],
  organizations: ['slug', 'name', 'role', 'domain'],
  members: ['userId', 'email', 'name', 'role', 'access'],
  invitations: ['id', 'email', 'role', 'status', 'expiresAt'],
  apiKeys: ['id', 'name', 'prefix', 'level', 'role', 'status', 'expiresAt', 'lastRequest'],
  sessions: ['id', 'method', 'current', 'ip', 'lastUsedAt', 'expiresAt'],
  auditLogs: ['createdAt', 'action', 'actor', 'target', 'workspace'],
  providers: ['provider', 'providerName', 'category', 'authMethod', 'available'],
  webhooks: ['id', 'url', 'description', 'types', 'workspaceSlug', 'status', 'behind'],
  deliveries: ['id', 'at', 'type', 'attempt', 'outcome', 'status', 'error', 'durationMs'],
  connectRequests: ['id', 'title', 'clientName', 'status', 'sentAt', 'startedAt', 'completedAt', 'expiresAt'],
  items: ['name', 'provider', 'status', 'connectedAccount', 'completedAt'],
  checks: ['checkedAt', 'kind', 'outcome', 'reason', 'durationMs'],
  calls: ['at', 'method', 'path', 'result', 'caller'],
  usage: ['from', 'reads', 'changes', 'failed'],
}

/** What a list is shown as, where that is not its entries one by one. */
const VIEWS: Record<string, (list: TableRow[]) => TableRow[]> = {
  calls: (list) =>
    list.map(({ outcome, status, callerName, ...call }) => ({
      ...call,
      result: [outcome ?? 'unknown', outcome === 'failed' && status].filter(Boolean).join(' '),
      caller: callerName,
    })),
  usage: (list) => usageRows(list as unknown as UsageEntry[]),
}

export interface UsageEntry {
  from: string
  effect: string
  outcome: string
  calls: number
}

/** Calls that came back as they should, by what they did; and all that did not. */
export const usageCounts = (entries: readonly UsageEntry[]): { reads: number; changes: number; failed: number } => {
  const sum = (which: (entry: UsageEntry) => boolean) => entries.filter(which).reduce((total, { calls }) => total + calls, 0)
  return {
    reads: sum(({ effect, outcome }) => effect === 'read' && outcome === 'ok'),
    changes: sum(({ effect, outcome }) => effect === 'change' && outcome === 'ok'),
    failed: sum(({ outcome }) => outcome !== 'ok'),
  }
}

/** A line for each hour or day, and what they add up to. */
function usageRows(list: UsageEntry[]): TableRow[] {
  const times = [...new Set(list.map(({ from }) => from))].sort()
  const rows = times.map((from) => ({ from, ...usageCounts(list.filter((entry) => entry.from === from)) }))
  return rows.length > 1 ? [...rows, { from: 'total', ...usageCounts(list) }] : rows
}

/** Where there is no room for all of it, its end is what tells one from the other. */
const ELASTIC = 'path'
const LEAST_ELASTIC = 16

/** What a list is called, where its field is not a word. */
const COUNTED: Record<string, string> = {
  apiKeys: 'API keys',
  auditLogs: 'audit entries',
  calls: 'changes and no failed calls',
  usage: 'calls',
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

/** Wrapped lines of a table can't be read: where it is too wide for the terminal, each row is a record. */
export const room = (): number => (process.stdout.isTTY && process.stdout.columns) || Number.POSITIVE_INFINITY

/** Aligned columns; widths are counted before color, so that escapes do not shift them. */
export function table(rows: TableRow[], columns: string[], available = room()): Safe {
  const cells = rows.map((row) => columns.map((column) => cell(row[column])))
  const heads = columns.map((column) => column.replace(/([A-Z])/g, ' $1').toLowerCase())
  const widest = () => heads.map((head, i) => Math.max(width(head), ...cells.map((line) => width(line[i]!))))
  const excess = widest().reduce((sum, one) => sum + one + 2, -2) - available
  const elastic = columns.indexOf(ELASTIC)
  if (excess > 0 && elastic >= 0 && widest()[elastic]! - excess >= LEAST_ELASTIC) {
    const most = widest()[elastic]! - excess
    for (const line of cells) if (width(line[elastic]!) > most) line[elastic] = `…${line[elastic]!.slice(1 - most)}`
  }
  const widths = widest()
  if (widths.reduce((sum, one) => sum + one + 2, -2) > available)
    return joined(
      rows.map((row) => record(Object.fromEntries(columns.map((column, i) => [heads[i]!, row[column]])))),
      '\n\n',
    )
  const line = (parts: string[], color: (text: string) => Safe) =>
    joined(
      parts.map((part, i) => safe`${color(part)}${i === parts.length - 1 ? '' : padded('', widths[i]! - width(part) + 2)}`),
      '',
    )
  return joined([line(heads, (text) => paint('dim', text)), ...cells.map((parts) => line(parts, colored))], '\n')
}

const colored = (text: string): Safe => (Object.hasOwn(STATUS, text) ? paint(STATUS[text]!, text) : safe`${text}`)

/** A record as name and value, one a line; a list of things below it as a table. */
export function record(value: TableRow): Safe {
  const names = Object.keys(value)
  const widest = Math.max(0, ...names.map((name) => name.length))
  return joined(
    names.map((name) => safe`${paint('dim', name.padEnd(widest))}  ${colored(cell(value[name]))}`),
    '\n',
  )
}

/** For people: a table of the one list an answer holds, or the record itself. */
export function readable(answer: TableRow): Safe {
  const [name, list] = Object.entries(answer).find(([, part]) => Array.isArray(part)) ?? []
  const known = name && COLUMNS[name]
  if (!known || !Array.isArray(list)) return record(answer)
  if (!list.length) return paint('dim', `No ${COUNTED[name] ?? name}.`)
  const rows = VIEWS[name]?.(list as TableRow[]) ?? (list as TableRow[])
  const columns = known.filter((column) => rows.some((row) => column in row))
  const more = answer.nextCursor ? safe`\n${paint('dim', `For more, add --cursor ${answer.nextCursor}`)}` : ''
  return safe`${table(rows, columns)}${more}`
}

/** For programs always one JSON document, also where the API answers with nothing. */
export function print(answer: unknown, json: boolean): void {
  if (json) sayJson(answer ?? {}, 2)
  else say`${answer === undefined ? paint('green', 'Done.') : readable(answer as TableRow)}\n`
}
