// Inside or not: what a call names, held against the accounts that it may name.
import type { Located } from './locate.ts'

/** What is known of the accounts that a call names. */
export interface AccountKnowledge {
  /** The managers through which each account is reached. */
  readonly roots: ReadonlyMap<string, readonly string[]>
  /** The accounts that another kind of id stands for. */
  readonly owners: ReadonlyMap<string, readonly string[]>
  /** The accounts that the job of the handle was started for; undefined: not started inside. */
  readonly handle: readonly string[] | undefined
}

export type FenceVerdict = { readonly inside: readonly string[] } | { readonly outside: string }

const UNNAMED = 'This call does not name an account. While an integration is limited to certain accounts, a call has to.'
const UNKNOWN = 'This call names an account by an ID that the list of accounts does not have. Refresh the accounts, or use another ID.'
const HANDLE = 'If this call is about a report, start the report again: it was not started through this integration, or too long ago.'

export function decide(located: Located, fence: readonly string[], known: AccountKnowledge): FenceVerdict {
  const allowed = new Set(fence)
  const { handle, refused } = located
  if (refused && !(refused.unlessHandle && handle && known.handle)) return { outside: handle ? `${refused.why} ${HANDLE}` : refused.why }
  const owners = located.mapped.map((id) => known.owners.get(id) ?? [])
  if (owners.some((accounts) => accounts.length === 0)) return { outside: UNKNOWN }
  const named = new Set([...located.accounts, ...owners.flat(), ...(known.handle ?? [])])
  const all = [...named, ...located.extra]
  const stranger = all.find((account) => !allowed.has(account))
  if (stranger !== undefined) return { outside: outsideOf(stranger) }
  // The manager that a call goes through opens nothing by itself, but it is a door to what is below.
  for (const via of located.via)
    if (!allowed.has(via) && !all.every((account) => known.roots.get(account)?.includes(via))) return { outside: outsideOf(via) }
  if (!named.size && !located.neutral) return { outside: UNNAMED }
  return { inside: [...named] }
}

const outsideOf = (account: string): string =>
  `Calls through this integration may not name the account ${account}. Ask a workspace admin to change its call policy.`
