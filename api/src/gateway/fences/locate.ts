// Reads every account that a call names, in all places that the tables know, from what will be sent.

import { Unreadable } from '../named-values.ts'
import { canonicalParameter } from '../names.ts'
import { capturingPattern, widePattern } from '../pattern.ts'
import { isForeignText, type VendorRequest } from '../vendor-request.ts'
import { accountIn, type ConnectionValues, type Fence, type LocateRow, type RememberRow } from './fence.ts'
import { different, parametersAt, readNames, type Spelling, scalarsOf, splitValues, textsOf, valuesAt } from './read-values.ts'

export interface Located {
  /** Named as what the call is about. */
  readonly accounts: readonly string[]
  /** Named besides, and checked like them. */
  readonly extra: readonly string[]
  readonly via: readonly string[]
  /** Ids of another kind, which the list of accounts may know. */
  readonly mapped: readonly string[]
  readonly neutral: boolean
  /** The handle of a job: refused unless it was made inside. */
  readonly handle: { readonly kind: string; readonly value: string } | undefined
  /** Why no fence lets it pass, whatever is in it; lifted by a handle that is known where `unless` says so. */
  readonly refused: { readonly why: string; readonly unlessHandle: boolean } | undefined
}

const NO_ACCOUNT = 'This call does not say which account it is about, or says so in a way that can’t be checked.'
const BLIND = 'This call reaches more than one account, or does not say which.'
const OBJECT = 'This call names an object without its account. Use a call that names the account.'

/** Tables are read once, however many calls they judge. */
function once<T>(make: (text: string) => T): (text: string) => T {
  const made = new Map<string, T>()
  return (text) => {
    const known = made.get(text) ?? make(text)
    made.set(text, known)
    return known
  }
}
const pathPattern = once(capturingPattern)
const wide = once(widePattern)

const linesIn = once((text) => text.split('\n').flatMap((line) => line.trim() || []))
const linesOf = (text: string | undefined): string[] => linesIn(text ?? '')

/** `METHOD pattern`, of which a table that closes is read as widely as a deny list. */
const isRow = ({ method, path }: VendorRequest, row: string, width: 'exact' | 'wide'): RegExpExecArray | null => {
  const [of, pattern] = row.split(' ') as [string, string]
  if (of !== 'ANY' && of !== method) return null
  return (width === 'wide' ? wide(pattern) : pathPattern(pattern)).exec(path)
}

export function locate(fence: Fence, request: VendorRequest, values: ConnectionValues): Located {
  const found = { accounts: new Set<string>(), extra: new Set<string>(), via: new Set<string>(), mapped: new Set<string>() }
  const done = (refused: Located['refused'], neutral = false, handle?: Located['handle']): Located => ({
    accounts: [...found.accounts],
    extra: [...found.extra],
    via: [...found.via],
    mapped: [...found.mapped],
    neutral,
    handle,
    refused,
  })
  const refuse = (why: string, unlessHandle = false) => ({ why, unlessHandle })
  try {
    const { body } = request
    // No reader has to look at the body of a GET: what stands there is checked, and opens nothing.
    const opened: VendorRequest = request.method === 'GET' ? { ...request, body: { kind: 'none' } } : request
    const neutral =
      linesOf(fence.neutral).some((row) => isRow(request, row, 'exact')) ||
      (fence.neutralWhen ?? []).some(({ row, when }) => isRow(request, row, 'exact') && when(opened))
    let specific = false
    let missing = false
    for (const row of fence.locate) {
      if (!concerns(row, request.path)) continue
      const read = readRow(fence, row, request, 'any')
      // Another spelling of a path or a name is read as well, since some readers do not mind; others do, so it opens nothing.
      const isSpelled = !row.on || row.on.some((pattern) => pathPattern(pattern).test(request.path))
      const byName = read.length > 0 && isOpenedByName(row)
      const isIgnored = row.in === 'body' && opened !== request
      const opening = isIgnored ? [] : byName ? readRow(fence, row, request, fence.caseless ? 'caseless' : 'exact') : read
      const opens = new Set(opening)
      for (const account of read) found[!isIgnored && (row.role || (isSpelled && opens.has(account))) ? setOf(row) : 'extra'].add(account)
      if ((row.on && isSpelled && !isIgnored) || (row.in === 'path' && read.length)) specific = true
      if (!opening.length && isRequired(row, request.path) && !row.unless?.(opened)) missing = true
    }
    for (const account of namedInQuery(fence, request)) found.extra.add(account)
    // A handle stands for an account, not for what the ad system requires besides.
    const handle = missing ? undefined : handleOf(fence, opened)
    if (body.kind === 'opaque' || (body.kind === 'form' && !fence.forms) || isForeignText(request.headers['content-type']))
      return done(refuse(NO_ACCOUNT), neutral)
    if (fence.refuses?.(request, values)) return done(refuse(BLIND), neutral)
    if ((fence.blindWhen ?? []).some(({ row, when }) => isRow(request, row, 'wide') && when(request))) return done(refuse(BLIND), neutral)
    if (linesOf(fence.blind).some((row) => isRow(request, row, 'wide'))) return done(refuse(BLIND, true), neutral, handle)
    if (namesObject(fence, request)) return done(refuse(OBJECT), neutral)
    if (!neutral && !specific && linesOf(fence.objects).some((pattern) => wide(pattern).test(request.path)))
      return done(refuse(OBJECT, true), neutral, handle)
    if (!neutral && missing) return done(refuse(NO_ACCOUNT, true), neutral, handle)
    if (!neutral && fence.positive && !specific) return done(refuse(NO_ACCOUNT, true), neutral, handle)
    return done(undefined, neutral, handle)
  } catch (error) {
    if (error instanceof Unreadable) return done(refuse(NO_ACCOUNT))
    throw error
  }
}

/** Some readers take from the query what they look for in a body, and mind no letter case: whatever is named there counts as well. */
function namedInQuery(fence: Fence, request: VendorRequest): string[] {
  const spelled = new Map<string, string>()
  for (const [name] of request.query) {
    const plainly = name.toLowerCase().replace(/[._ ]/g, '')
    if ((spelled.get(plainly) ?? name) !== name) throw new Unreadable()
    spelled.set(plainly, name)
  }
  const known = new Set(
    fence.locate.flatMap((row) => (row.in === 'query' && concerns(row, request.path) ? (row.at ?? []).map(canonicalParameter) : [])),
  )
  return fence.locate.flatMap((row) => {
    if (row.in !== 'body' || !row.at || row.role === 'mapped' || fence.innerJson || !concerns(row, request.path)) return []
    const at = row.at.map((name) => name.replace(/^\*\*\./, '')).filter((name) => !known.has(canonicalParameter(name)))
    return readRow(fence, { ...row, in: 'query', at }, request, 'any')
  })
}

const isOpenedByName = ({ in: place, at, role }: LocateRow): boolean => place === 'body' && at !== undefined && role === undefined

const setOf = ({ role }: LocateRow) => (role === undefined ? 'accounts' : role)

const concerns = ({ on, in: place, at }: LocateRow, path: string): boolean =>
  place === 'path' ? (at ?? []).some((pattern) => pathPattern(pattern).test(path)) : !on || on.some((pattern) => wide(pattern).test(path))

const isRequired = ({ required }: LocateRow, path: string): boolean =>
  required === true || (Array.isArray(required) && required.some((pattern) => wide(pattern).test(path)))

/** The accounts of one row. A value that is not written as an account is refuses the call: an id is never repaired. */
function readRow(fence: Fence, row: LocateRow, request: VendorRequest, spelling: Spelling): string[] {
  const values = rawValues(fence, row, request, spelling)
  if (row.once && new Set(values).size > 1) throw new Unreadable()
  return splitValues(values, row.split).map((text) => {
    const value = row.value ? row.value.exec(text)?.[1] : text
    const account = value === undefined ? undefined : row.role === 'mapped' ? plain(value) : accountIn(fence, value)
    if (account === undefined) throw new Unreadable()
    return account
  })
}

const plain = (value: string): string | undefined => (/^[\x21-\x7e]{1,64}$/.test(value) ? value : undefined)

function rawValues(fence: Fence, row: LocateRow, { path, query, headers, body }: VendorRequest, spelling: Spelling): string[] {
  const { at = [], scan, text, pick } = row
  const inner = fence.innerJson === true
  if (row.in === 'path') return at.flatMap((pattern) => pathPattern(pattern).exec(path)?.groups?.account ?? [])
  if (row.in === 'header') return at.flatMap((name) => headers[name.toLowerCase()] ?? [])
  if (pick) {
    const picked = body.kind === 'json' ? pick(body.value) : []
    if (picked === null) throw new Unreadable()
    return picked.flatMap(scalarsOf)
  }
  if (scan) {
    const texts =
      row.in === 'body'
        ? textsOf(readNames(body, [], inner), text)
        : query.filter(([name]) => !text || name === text).map(([, value]) => value)
    return different(foundIn(texts, scan))
  }
  // Systems that read JSON inside of texts take parameters from the query, too.
  return row.in === 'body' ? valuesAt(readNames(body, query, inner), at, spelling) : parametersAt(query, at)
}

/** A body may have tens of thousands of texts: nothing is made for each. */
function* foundIn(texts: readonly string[], pattern: RegExp): Generator<string> {
  const every = everywhere(pattern)
  for (const text of texts) {
    every.lastIndex = 0
    for (let hit = every.exec(text); hit; hit = every.exec(text)) yield hit[1]!
  }
}

const patternsEverywhere = new WeakMap<RegExp, RegExp>()

function everywhere(pattern: RegExp): RegExp {
  const known = patternsEverywhere.get(pattern) ?? new RegExp(pattern, `${pattern.flags}g`)
  patternsEverywhere.set(pattern, known)
  return known
}

/** What a call uses of a job that was started before. */
function handleOf(fence: Fence, request: VendorRequest): Located['handle'] {
  for (const { kind, usedBy } of fence.remember ?? [])
    for (const { row, query, body } of usedBy) {
      const match = isRow(request, row, 'exact')
      if (!match) continue
      const named = query
        ? parametersAt(request.query, [query])
        : body
          ? valuesAt(readNames(request.body, [], false), [body])
          : [match.groups?.handle ?? '']
      const [value] = named
      return named.length === 1 && value ? { kind, value } : undefined
    }
  return undefined
}

function namesObject(fence: Fence, { path, body }: VendorRequest): boolean {
  const inner = fence.innerJson === true
  return (fence.objectsInBody ?? []).some(
    ({ on, names }) => on.some((pattern) => wide(pattern).test(path)) && valuesAt(readNames(body, [], inner), names).length > 0,
  )
}

/** Which of its rows a call starts a job by, whose handle is to be remembered. */
export const startedBy = (fence: Fence, request: VendorRequest): RememberRow | undefined =>
  fence.remember?.find(({ from }) => isRow(request, from, 'exact'))
