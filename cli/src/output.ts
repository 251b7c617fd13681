import { styleText } from 'node:util'

type Row = Record<string, unknown>
type Style = Parameters<typeof styleText>[0]

const colorful = () => process.stdout.isTTY === true && !process.env.NO_COLOR
export const paint = (style: Style, text: string): string => (colorful() ? styleText(style, text) : text)

const STATUS: Record<string, Style> = {
  active: 'green',
  ok: 'green',
  verified: 'green',
  error: 'red',
  rejected: 'red',
  revoked: 'red',
  pending: 'yellow',
  expired: 'yellow',
  unreachable: 'yellow',
  disabled: 'gray',
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
  checks: ['checkedAt', 'kind', 'outcome', 'reason', 'durationMs'],
}

/** A value in one cell. */
export function cell(value: unknown): string {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value)) return value.slice(0, 16).replace('T', ' ')
  if (Array.isArray(value)) return value.map(cell).join(', ') || '-'
  if (typeof value === 'object') {
    const { name, slug, email } = value as Row
    const word = name ?? slug ?? email
    if (word) return String(word)
    return (
      Object.entries(value)
        .filter(([, part]) => part !== 0)
        .map(([key, part]) => `${key} ${cell(part)}`)
        .join(', ') || '-'
    )
  }
  return String(value)
}

/** Aligned columns; widths are counted before color, so that escapes do not shift them. */
export function table(rows: Row[], columns: string[]): string {
  const cells = rows.map((row) => columns.map((column) => cell(row[column])))
  const heads = columns.map((column) => column.replace(/([A-Z])/g, ' $1').toLowerCase())
  const widths = heads.map((head, i) => Math.max(head.length, ...cells.map((line) => line[i]!.length)))
  const line = (parts: string[], color?: (text: string, i: number) => string) =>
    parts
      .map((part, i) => `${color ? color(part, i) : part}${' '.repeat(i === parts.length - 1 ? 0 : widths[i]! - part.length + 2)}`)
      .join('')
  const colored = (text: string) => (STATUS[text] ? paint(STATUS[text], text) : text)
  return [line(heads, (text) => paint('dim', text)), ...cells.map((parts) => line(parts, colored))].join('\n')
}

/** A record as name and value, one a line. */
export function record(value: Row): string {
  const names = Object.keys(value)
  const width = Math.max(...names.map((name) => name.length))
  return names
    .map(
      (name) =>
        `${paint('dim', name.padEnd(width))}  ${STATUS[String(value[name])] ? paint(STATUS[String(value[name])]!, String(value[name])) : cell(value[name])}`,
    )
    .join('\n')
}

/** For people: a table of the one list an answer holds, or the record itself. */
export function readable(answer: Row): string {
  const [name, list] = Object.entries(answer).find(([, part]) => Array.isArray(part)) ?? []
  const known = name && COLUMNS[name]
  if (!known || !Array.isArray(list)) return record(answer)
  if (!list.length) return paint('dim', `no ${name.replace(/([A-Z])/g, ' $1').toLowerCase()}`)
  const columns = known.filter((column) => list.some((row) => column in row))
  const more = answer.nextCursor ? `\n${paint('dim', `more: --cursor ${answer.nextCursor}`)}` : ''
  return table(list as Row[], columns) + more
}

export function print(answer: unknown, json: boolean): void {
  if (answer === undefined) return void (json || process.stdout.write(`${paint('green', 'done')}\n`))
  process.stdout.write(`${json ? JSON.stringify(answer, null, 2) : readable(answer as Row)}\n`)
}
