// The accounts that a connection reaches, read page by page with whatever an ad system calls them.
import { holdsSecret, textAt, tidy } from '../answer.ts'
import type { Credential, FieldValues, VendorRefusal, VendorRequest, VendorSession } from '../provider.ts'
import type { PermanentReason } from '../reasons.ts'

export interface VendorAccount {
  readonly id: string
  readonly name: string
  /** The ad system's word for it: account, manager, advertiser, partner, profile … */
  readonly kind: string
  readonly parentId: string | null
  readonly currency: string | null
  readonly timeZone: string | null
  /** In the ad system's own words. */
  readonly status: string | null
  /** The managers through which it is reached, where a call names one besides the account. */
  readonly roots: readonly string[]
  /** Other ids by which calls name it. */
  readonly aliases: readonly string[]
}

/** What a provider's list reads from. */
export interface AccountsSource {
  readonly session: VendorSession
  readonly credential: Credential
  readonly settings: FieldValues
  /** What must not stand in a name, should a system repeat what it was called with. */
  readonly secrets: readonly string[]
  /** The body of an answer. Undefined: refused for one of the reasons that the list can live with. */
  read(request: Omit<VendorRequest, 'repeatable'>, tolerated?: readonly PermanentReason[]): Promise<unknown>
}

export type ListAccounts = (source: AccountsSource) => AsyncIterable<VendorAccount>

export type AccountList =
  | { readonly outcome: 'listed'; readonly accounts: readonly VendorAccount[]; readonly complete: boolean }
  | { readonly outcome: 'unlisted' }
  | VendorRefusal

export const MOST_ACCOUNTS = 10_000
/** A system that pages for ever with nothing on its pages is not followed for ever. */
const MOST_CALLS = 2000

class Refused extends Error {
  readonly refusal: VendorRefusal
  constructor(refusal: VendorRefusal) {
    super(refusal.reason)
    this.refusal = refusal
  }
}

/** The service that was connected has no list, although the system has one. */
export class Unlisted extends Error {}

/** Nothing of a list counts unless all of it could be read: half a list would look like lost accounts. */
export async function readAccounts(list: ListAccounts, source: Omit<AccountsSource, 'read'>): Promise<AccountList> {
  const found = new Map<string, VendorAccount>()
  let calls = 0
  let complete = true
  const read: AccountsSource['read'] = async (request, tolerated = []) => {
    calls++
    const answer = await source.session.send('verify', { ...request, repeatable: true })
    if (answer.outcome === 'answered') return answer.body
    if (answer.outcome === 'rejected' && tolerated.includes(answer.reason)) return undefined
    throw new Refused(answer)
  }
  try {
    for await (const one of list({ ...source, read })) {
      const account = presentable(one, source.secrets)
      if (!account) continue
      const key = `${account.kind} ${account.id}`
      const before = found.get(key)
      if (!before && found.size === MOST_ACCOUNTS) complete = false
      else found.set(key, before ? merged(before, account) : account)
      if (calls > MOST_CALLS) complete = false
      if (!complete) break
    }
  } catch (error) {
    if (error instanceof Refused) return error.refusal
    if (error instanceof Unlisted) return { outcome: 'unlisted' }
    throw error
  }
  return { outcome: 'listed', accounts: [...found.values()], complete }
}

/** One account may be reached through two managers. */
const merged = (before: VendorAccount, again: VendorAccount): VendorAccount => ({
  ...before,
  parentId: before.parentId ?? again.parentId,
  roots: [...new Set([...before.roots, ...again.roots])],
  aliases: [...new Set([...before.aliases, ...again.aliases])],
})

/** Names come from strangers: one line, no tricks, not long. An id that could not be typed is none. */
function presentable(account: VendorAccount, secrets: readonly string[]): VendorAccount | undefined {
  const isId = (text: string) => /^[\x21-\x7e]{1,64}$/.test(text) && !holdsSecret(text, secrets)
  if (!isId(account.id)) return undefined
  const short = (text: string | null) => tidy(text, secrets)?.slice(0, 64) ?? null
  return {
    ...account,
    name: tidy(account.name, secrets) ?? account.id,
    parentId: short(account.parentId),
    currency: short(account.currency),
    timeZone: short(account.timeZone),
    status: short(account.status),
    roots: account.roots.filter(isId).slice(0, 20),
    aliases: account.aliases.filter(isId).slice(0, 20),
  }
}

/** An account of an answer, with its fields where the system has them; undefined where it has no id. */
export function accountIn(
  body: unknown,
  kind: string,
  id: readonly (string | number)[],
  fields: {
    readonly name?: readonly (string | number)[]
    readonly currency?: readonly (string | number)[]
    readonly timeZone?: readonly (string | number)[]
    readonly status?: readonly (string | number)[]
    readonly parentId?: string | null
    readonly roots?: readonly string[]
    readonly aliases?: readonly string[]
  } = {},
): VendorAccount | undefined {
  const at = (path: readonly (string | number)[] | undefined) => (path ? textAt(body, ...path) : null)
  const found = at(id)
  if (!found) return undefined
  return {
    id: found,
    name: at(fields.name) ?? found,
    kind,
    parentId: fields.parentId ?? null,
    currency: at(fields.currency),
    timeZone: at(fields.timeZone),
    status: at(fields.status),
    roots: fields.roots ?? [],
    aliases: fields.aliases ?? [],
  }
}

/** Everything on the pages that follow each other; `read` says what is on one and where the next begins. */
export async function* paged<Cursor>(
  first: Cursor,
  read: (cursor: Cursor) => Promise<{ items: readonly unknown[]; next: Cursor | null | undefined }>,
): AsyncGenerator<unknown> {
  for (let cursor: Cursor | null | undefined = first; cursor !== null && cursor !== undefined; ) {
    const { items, next } = await read(cursor)
    yield* items
    cursor = next
  }
}

/** A parameter of the address of the next page. The address itself is a stranger's word and never called. */
export const parameterOf = (address: string | null, name: string): string | null =>
  (address && URL.parse(address, 'https://page.invalid')?.searchParams.get(name)) || null
