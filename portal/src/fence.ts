import { inTreeOrder, type PlacedAccount } from '@adjoin/contract/account-tree'
import type { Output } from '@adjoin/contract/operations'

export type ListedAccount = Output<'listIntegrationAccounts'>['accounts'][number]

/** An account in its place of the tree, with all accounts below it that have nothing below themselves. */
export type AccountRow = PlacedAccount<ListedAccount> & { key: string; leaves: string[]; isLeaf: boolean; parent: string | undefined }

/** The most accounts that calls can be limited to. */
export const MOST_CHOSEN = 500

export function accountRows(accounts: ListedAccount[]): AccountRow[] {
  const placed = inTreeOrder(accounts)
  const path: string[] = []
  return placed.map(({ account, depth }, at) => {
    let end = at + 1
    while (end < placed.length && placed[end]!.depth > depth) end++
    const below = placed.slice(at + 1, end)
    const isLeaf = below.length === 0
    path.length = depth
    const parent = path.at(-1)
    path.push(account.name)
    const leaves = isLeaf ? [account.id] : below.filter((row, i) => (below[i + 1]?.depth ?? 0) <= row.depth).map((row) => row.account.id)
    return { account, depth, key: `${account.kind} ${account.id}`, leaves, isLeaf, parent }
  })
}

/** Those that are named like it, and what is above them. */
export function foundRows(rows: AccountRow[], search: string): AccountRow[] {
  const wanted = search.trim().toLowerCase()
  if (!wanted) return rows
  const isNamed = ({ account: { name, id } }: AccountRow) =>
    name.toLowerCase().includes(wanted) || id.replaceAll('-', '').includes(wanted.replaceAll('-', ''))
  const keep = new Set<AccountRow>()
  const above: AccountRow[] = []
  for (const row of rows) {
    above.length = row.depth
    above.push(row)
    if (isNamed(row)) for (const each of above) keep.add(each)
  }
  return rows.filter((row) => keep.has(row))
}

/** Ticked or not with everything below it. */
export const toggled = (chosen: ReadonlySet<string>, { leaves }: AccountRow, on: boolean): Set<string> =>
  on ? new Set([...chosen, ...leaves]) : new Set([...chosen].filter((id) => !leaves.includes(id)))

/** What is chosen and not to be ticked in the list: an account that is gone, or one that has others below it. */
export function unlisted(rows: AccountRow[], chosen: ReadonlySet<string>): string[] {
  const listed = new Set(rows.flatMap(({ isLeaf, account }) => (isLeaf ? [account.id] : [])))
  return [...chosen].filter((id) => !listed.has(id))
}
