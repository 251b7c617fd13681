import { record, type TableRow, table } from './table.ts'
import { sayDocument } from './template.ts'
import { paint, type Safe, safe, say } from './terminal.ts'

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
  webhooks: ['id', 'url', 'description', 'types', 'workspaceSlug', 'status', 'owner', 'behind'],
  deliveries: ['id', 'at', 'type', 'attempt', 'outcome', 'status', 'error', 'durationMs'],
  connectRequests: ['id', 'title', 'clientName', 'status', 'sentAt', 'startedAt', 'completedAt', 'expiresAt'],
  items: ['name', 'provider', 'status', 'missing', 'connectedAccount', 'completedAt'],
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

/** What a list is called, where its field is not a word. */
const COUNTED: Record<string, string> = {
  apiKeys: 'API keys',
  auditLogs: 'audit entries',
  calls: 'changes and no failed calls',
  usage: 'calls',
}

/** For people: a table of the one list an answer holds, or the record itself. */
export function readable(answer: TableRow): Safe {
  const [name, list] = Object.entries(answer).find(([, part]) => Array.isArray(part)) ?? []
  const known = name && COLUMNS[name]
  if (!known || !Array.isArray(list)) return record(answer)
  const more = answer.nextCursor ? safe`\n${paint('dim', `For more, add --cursor ${answer.nextCursor}`)}` : ''
  if (!list.length) return safe`${paint('dim', `No ${COUNTED[name] ?? name}.`)}${more}`
  const rows = VIEWS[name]?.(list as TableRow[]) ?? (list as TableRow[])
  const columns = known.filter((column) => rows.some((row) => column in row))
  return safe`${table(rows, columns)}${more}`
}

/** For programs always one JSON document, also where the API answers with nothing. */
export function print(answer: unknown, json: boolean): void {
  if (json) sayDocument(answer ?? {}, 2)
  else say`${answer === undefined ? paint('green', 'Done.') : readable(answer as TableRow)}\n`
}
