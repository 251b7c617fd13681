// Accounts as people see them: each below its parent, in lines that fit a terminal.
import type { Output } from '@adjoin/contract'
import { joined, paint, type Safe, safe, withoutControls } from './terminal.ts'
import { padded, width } from './width.ts'

export type ListedAccount = Output<'listIntegrationAccounts'>['accounts'][number]
export interface PlacedAccount {
  readonly account: ListedAccount
  readonly depth: number
}

/** Every account below its parent, in the order that they came in. */
export function inTreeOrder(accounts: readonly ListedAccount[]): PlacedAccount[] {
  const byId = Map.groupBy(accounts, ({ id }) => id)
  /** A customer and its account may have one number; nobody is their own parent. */
  const parentOf = (account: ListedAccount): ListedAccount | null => {
    const named = account.parentId === null ? [] : (byId.get(account.parentId) ?? [])
    return named.find(({ kind }) => kind !== account.kind) ?? named.find((one) => one !== account) ?? null
  }
  const children = Map.groupBy(accounts, parentOf)
  const seen = new Set<ListedAccount>()
  const below = (parent: ListedAccount | null, depth: number): PlacedAccount[] =>
    (children.get(parent) ?? []).flatMap((account) => {
      if (seen.has(account)) return []
      seen.add(account)
      return [{ account, depth }, ...below(account, depth + 1)]
    })
  const rows = below(null, 0)
  // A circle has no root: what is in one is shown at the side.
  return [...rows, ...accounts.filter((account) => !seen.has(account)).map((account) => ({ account, depth: 0 }))]
}

const HEADS = ['name', 'id', 'kind', 'currency', 'status'] as const
const MOST_COLUMNS = 80
const LEAST_NAME = 12

/** Names give way where a line would be too long; ids never do, since people copy them. */
export function accountTable(accounts: readonly ListedAccount[], columns = MOST_COLUMNS): Safe {
  const rows = inTreeOrder(accounts).map(({ account, depth }) => ({
    cells: [
      `${'  '.repeat(depth)}${withoutControls(account.name)}`,
      account.id,
      account.kind,
      account.currency ?? '-',
      account.status ?? '-',
    ].map(withoutControls),
    closed: !account.inFence,
  }))
  const widths = HEADS.map((head, i) => Math.max(head.length, ...rows.map(({ cells }) => width(cells[i]!))))
  const others = widths.slice(1).reduce((sum, one) => sum + one + 2, 0)
  widths[0] = Math.min(widths[0]!, Math.max(LEAST_NAME, columns - others))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => padded(shortened(cell, widths[i]!), widths[i]!))
      .join('  ')
      .trimEnd()
  return joined(
    [paint('dim', line(HEADS)), ...rows.map(({ cells, closed }) => (closed ? paint('dim', line(cells)) : safe`${line(cells)}`))],
    '\n',
  )
}

function shortened(text: string, columns: number): string {
  if (width(text) <= columns) return text
  let short = text
  while (short && width(short) > columns - 1) short = short.slice(0, -1).toWellFormed()
  return `${short}…`
}
