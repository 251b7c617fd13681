// Where a call may go and what it would do there, by the provider's tables alone.
// What is in doubt is closed, or a change.
import { canonicalName, canonicalNested, canonicalParameter, isOddName } from './names.ts'
import type { Effect, GatewayRules, HostRule, ParameterRule } from './rules/rules.ts'
import type { Parameter, VendorRequest } from './vendor-request.ts'

export type Judgement =
  | { readonly host: string; readonly effect: Effect /** Closed to viewers. */; readonly personal: boolean }
  | { readonly refused: string }

/** Which hosts are open to a connection with these settings and fields. */
export const openHosts = (rules: GatewayRules, values: Readonly<Record<string, string | undefined>>): string[] =>
  rules.hosts.filter((host) => isOpen(host, values)).map(({ host }) => host)

const isOpen = ({ when }: HostRule, values: Readonly<Record<string, string | undefined>>) => !when || values[when[0]] === when[1]

/** `ownApp`: the operator's app at the system, which is nobody else's to look at. */
export function judge(
  rules: GatewayRules,
  request: VendorRequest,
  { open, named, ownApp }: { readonly open: readonly string[]; readonly named?: string | undefined; readonly ownApp?: string | undefined },
): Judgement {
  const { method, path } = request
  const row = rules.allow.find(
    ({ host, pattern }) => (host ?? named ?? open[0]) !== undefined && hostFits(host, named, open) && pattern.test(path),
  )
  const host = row?.host ?? named ?? open[0]
  if (!row || !host) return { refused: 'This path is not open through the gateway.' }

  const denied = rules.deny.filter((deny) => (deny.method === 'ANY' || deny.method === method) && isDenied(deny.pattern, path, ownApp))
  const closed = denied.find((deny) => deny.class !== 'personal')
  if (closed) return { refused: CLOSED[closed.class as keyof typeof CLOSED] }

  const applying = rules.parameters.filter((rule) => isSent(rule.in, request) && rule.on.test(path))
  if (request.body.kind === 'opaque' && applying.some((rule) => rule.in === 'body'))
    return { refused: 'Send the body as JSON or as a form: this one cannot be checked for what must not pass.' }
  if (hasOddNames(request)) return { refused: 'A parameter name begins or ends with a space, or contains a control character.' }
  const hits = applying.flatMap((rule) => ({ rule, name: sentName(rule, request) })).filter(({ name }) => name !== undefined)
  const closedHit = hits.find(({ rule }) => !rule.personal)
  if (closedHit)
    return {
      refused: `The ${WHERE[closedHit.rule.in]} “${shortName(closedHit.name!)}” is not sent on: it could carry a credential or another call.`,
    }
  const why = rules.refuses?.(request, ownApp)
  if (why) return { refused: why === true ? 'This call uses something that is not open through the gateway.' : why }

  if (rules.effect && !rules.effect(request)) return { refused: 'This request cannot be checked for what it would do.' }
  return { host, effect: effectOf(rules, request), personal: denied.length > 0 || hits.length > 0 }
}

const hostFits = (host: string | undefined, named: string | undefined, open: readonly string[]) =>
  host === undefined
    ? named === undefined || named === open[0] || open.includes(named)
    : open.includes(host) && (named === undefined || named === host)

function isDenied(pattern: RegExp, path: string, ownApp: string | undefined): boolean {
  const found = pattern.exec(path)
  return found !== null && (found.groups?.ownApp === undefined || found.groups.ownApp === ownApp)
}

const CLOSED = {
  mint: 'This path issues credentials. Adjoin does that for you.',
  reveal: 'This path shows credentials, which never leave Adjoin.',
  grant: 'This path gives other people or systems access. Do that in the ad system itself.',
  rotate: 'This path would end the access that this integration depends on. Do that in the ad system itself.',
  export: 'This path sets up a lasting delivery to somewhere else. Do that in the ad system itself.',
  tunnel: 'This path carries other calls inside of one. Send each call on its own.',
}

const shortName = (name: string) => (name.length > 60 ? `${name.slice(0, 60)}…` : name)

const WHERE = { query: 'query parameter', body: 'body field', header: 'header' }

/** By the tables, wherever the call would go. What is in doubt is a change. */
export function effectOf({ reads, effect }: GatewayRules, request: VendorRequest): Effect {
  if (effect) return effect(request) ?? 'change'

  const { method, path } = request
  const matches = (rule: GatewayRules['reads'][number]) =>
    (rule.method === 'ANY' || rule.method === method) && rule.pattern.test(path) && (!rule.when || rule.when(request))
  return method === 'GET' || reads.some(matches) ? 'read' : 'change'
}

/** Most calls have neither a query nor a body, and most rules are about those. */
const isSent = (where: ParameterRule['in'], { query, body }: VendorRequest): boolean =>
  where === 'header' || (where === 'query' ? query.length > 0 : body.kind !== 'none')

/** The name by which something is sent that a rule is about. */
function sentName(rule: ParameterRule, { query, headers, body }: VendorRequest): string | undefined {
  if (rule.in === 'header') return hitIn(rule, headerEntries(headers), canonicalParameter)
  if (rule.in === 'query') return hitEitherWay(rule, query)
  if (rule.name === '[]') return body.kind === 'json' && Array.isArray(body.value) ? 'list' : undefined
  if (body.kind === 'form') return hitEitherWay(rule, body.entries)
  return body.kind === 'json' ? hitIn(rule, body.entries, canonicalName) : undefined
}

/** Dots and brackets of a parameter are letters of its name to one server, and a structure to another. */
const hitEitherWay = (rule: ParameterRule, parameters: readonly Parameter[]): string | undefined =>
  hitIn(rule, parameters, canonicalParameter) ?? hitIn(rule, parameters, canonicalNested)

type Canonical = (name: string) => string

const entriesOfHeaders = new WeakMap<VendorRequest['headers'], readonly Parameter[]>()

function headerEntries(headers: VendorRequest['headers']): readonly Parameter[] {
  const entries = entriesOfHeaders.get(headers) ?? Object.entries(headers)
  entriesOfHeaders.set(headers, entries)
  return entries
}

function hitIn(rule: ParameterRule, parameters: readonly Parameter[], canonical: Canonical): string | undefined {
  if (!parameters.length) return undefined
  const holds = ([, sent]: Parameter) => rule.value === undefined || sent.toLowerCase().includes(rule.value)
  if (rule.name === 'any') return parameters.find((parameter) => holds(parameter) || parameter[0].toLowerCase().includes(rule.value!))?.[0]
  const index = byName(parameters, canonical)
  const wanted = ruleName(rule.name, canonical)
  if (isWhole(rule.name)) return index.get(wanted)?.find(holds)?.[0]
  for (const [name, same] of index) {
    const hit = holdsName(rule.name, wanted, name) ? same.find(holds) : undefined
    if (hit) return hit[0]
  }
  return undefined
}

const indexes = new WeakMap<readonly Parameter[], Map<Canonical, Map<string, Parameter[]>>>()

/** A body may have a hundred thousand values, and a system has many rules: each name is spelled out once, and looked at once a rule. */
function byName(parameters: readonly Parameter[], canonical: Canonical): ReadonlyMap<string, readonly Parameter[]> {
  const known = indexes.get(parameters) ?? new Map<Canonical, Map<string, Parameter[]>>()
  indexes.set(parameters, known)
  const index = known.get(canonical) ?? Map.groupBy(parameters, ([name]) => canonical(name))
  known.set(canonical, index)
  return index
}

/** `**.name` at any depth, or what is inside of it, or `*part*` of a name; else it is the name itself. */
const holdsName = (name: string, wanted: string, sent: string): boolean =>
  name.startsWith('**.') ? `.${sent}.`.includes(`.${wanted}.`) : sent.includes(wanted)

const isWhole = (name: string) => !name.startsWith('*')

const isPart = (name: string) => name.startsWith('*') && name.endsWith('*')

/** The names in the tables are few, and asked for with every call. */
const ruleNames = new Map<(name: string) => string, Map<string, string>>()

function ruleName(name: string, canonical: (name: string) => string): string {
  const known = ruleNames.get(canonical) ?? new Map<string, string>()
  if (!known.size) ruleNames.set(canonical, known)
  const wanted = known.get(name) ?? canonical(name.startsWith('**.') ? name.slice(3) : isPart(name) ? name.slice(1, -1) : name)
  known.set(name, wanted)
  return wanted
}

/** Names that two servers might read differently. */
const hasOddNames = ({ query, body }: VendorRequest): boolean =>
  query.some(([name]) => isOddName(name)) || ('entries' in body && body.entries.some(([name]) => isOddName(name)))
