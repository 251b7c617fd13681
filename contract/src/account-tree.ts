interface TreeAccount {
  readonly id: string
  readonly kind: string
  readonly parentId: string | null
}
export interface PlacedAccount<A> {
  readonly account: A
  readonly depth: number
}

/** Every account below its parent, in the order that they came in. */
export function inTreeOrder<A extends TreeAccount>(accounts: readonly A[]): PlacedAccount<A>[] {
  const byId = grouped(accounts, ({ id }) => id)
  /** A customer and its account may have one number; nobody is their own parent. */
  const parentOf = (account: A): A | null => {
    const named = account.parentId === null ? [] : (byId.get(account.parentId) ?? [])
    return named.find(({ kind }) => kind !== account.kind) ?? named.find((one) => one !== account) ?? null
  }
  const children = grouped(accounts, parentOf)
  const seen = new Set<A>()
  const below = (parent: A | null, depth: number): PlacedAccount<A>[] =>
    (children.get(parent) ?? []).flatMap((account) => {
      if (seen.has(account)) return []
      seen.add(account)
      return [{ account, depth }, ...below(account, depth + 1)]
    })
  const rows = below(null, 0)
  // A circle has no root: what is in one is shown at the side.
  return [...rows, ...accounts.filter((account) => !seen.has(account)).map((account) => ({ account, depth: 0 }))]
}

interface AccountSetting {
  readonly setting: string
  readonly kind: string
}

/** The settings that a picked account gives: its own, and for the others the topmost of their kind above it. */
export function settingsFor<A extends TreeAccount>(
  accounts: readonly A[],
  picked: A,
  first: AccountSetting,
  others: readonly AccountSetting[],
): Record<string, string> {
  const above: A[] = []
  for (let at: A | undefined = picked; at && above.length < 20; ) {
    const { parentId, kind }: A = at
    const parents: A[] = accounts.filter((one) => one.id === parentId && one !== at)
    at = parents.find((one) => one.kind !== kind) ?? parents[0]
    if (at) above.push(at)
  }
  const values: Record<string, string> = { [first.setting]: picked.id }
  for (const { setting, kind } of others) {
    const top = above.findLast((one) => one.kind === kind)
    if (top) values[setting] = top.id
  }
  return values
}

/** `Map.groupBy`, which Node 20 lacks. */
function grouped<K, A>(all: readonly A[], keyOf: (one: A) => K): Map<K, A[]> {
  const groups = new Map<K, A[]>()
  for (const one of all) {
    const key = keyOf(one)
    const group = groups.get(key)
    if (group) group.push(one)
    else groups.set(key, [one])
  }
  return groups
}
