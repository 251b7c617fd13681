// Accounts as people see them: each below its parent, in lines that fit a terminal.
import { inTreeOrder, type Output } from '@adjoin/contract'
import { room } from './table.ts'
import { joined, paint, type Safe, safe, withoutControls } from './terminal.ts'
import { cut, padded, width } from './width.ts'

export type ListedAccount = Output<'listIntegrationAccounts'>['accounts'][number]
export { inTreeOrder }

const HEADS = ['name', 'id', 'kind', 'currency', 'status'] as const
const MOST_COLUMNS = 80
const LEAST_NAME = 12

/** Names give way where a line would be too long; ids never do, since people copy them. */
export function accountTable(accounts: readonly ListedAccount[], columns = Number.isFinite(room()) ? room() : MOST_COLUMNS): Safe {
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
      .map((cell, i) => padded(cut(cell, widths[i]!), widths[i]!))
      .join('  ')
      .trimEnd()
  return joined(
    [paint('dim', line(HEADS)), ...rows.map(({ cells, closed }) => (closed ? paint('dim', line(cells)) : safe`${line(cells)}`))],
    '\n',
  )
}
