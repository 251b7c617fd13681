// Where a call may go and what it would do there, by the provider's tables alone.
// What is in doubt is closed, or a change.
import { UNREADABLE } from './json-shape.ts'
import type { NamedValues, Place } from './named-values.ts'
import { canonicalName, canonicalParameter, isOddParameter } from './names.ts'
import type { Effect, GatewayRules, HostRule, ParameterRule, Undecided } from './rules/rules.ts'
import { isUndecodable, queryNames, type VendorRequest } from './vendor-request.ts'

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

  const applying = rules.parameters.filter((rule) => isSent(rule, request) && rule.on.test(path))
  if (!isContentType(request.headers['content-type']))
    return { refused: 'The header Content-Type can be read in more than one way: write it as type/subtype, without blanks.' }
  if (request.body.kind === 'opaque' && applying.some(({ in: where }) => where === 'body'))
    return { refused: 'Send the body as JSON or as a form: this one cannot be checked for what must not pass.' }
  if (isUndecodable(request))
    return { refused: 'A part of the query or the form can’t be decoded. Write it in UTF-8, with %XX for each byte.' }
  if (hasOddNames(request))
    return { refused: 'A parameter name can be read in more than one way: use letters, digits and marks of ASCII, encoded once at most.' }
  const hits = applying.flatMap((rule) => ({ rule, name: sentName(rule, request) })).filter(({ name }) => name !== undefined)
  const closedHit = hits.find(({ rule }) => !rule.personal)
  if (closedHit)
    return {
      refused: `The ${WHERE[closedHit.rule.in]} “${shortName(closedHit.name!)}” is not sent on: it could carry a credential or another call.`,
    }
  const why = rules.refuses?.(request, ownApp)
  if (why) return { refused: why === true ? 'This call uses something that is not open through the gateway.' : why }

  const effect = decided(rules, request)
  if (typeof effect === 'object') return effect
  return { host, effect, personal: denied.length > 0 || hits.length > 0 || rules.personal?.(request) === true }
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

const WHERE = { query: 'query parameter', body: 'body field', header: 'header', parameter: 'parameter' }

const TOKEN = "[\\w!#$%&'*+.^`|~-]+"
const CONTENT_TYPE = new RegExp(`^${TOKEN}/${TOKEN}[ \\t]*(?:;|$)`)

/** Some servers skip blanks in it, others stop reading there (RFC 9110, 8.3.1). */
const isContentType = (type: string | undefined): boolean => !type?.trim() || CONTENT_TYPE.test(type.trim())

/** By the tables, wherever the call would go. Undefined: cannot be judged, so it will be refused, whoever sends it. */
export function effectOf(rules: GatewayRules, request: VendorRequest): Effect | undefined {
  const effect = decided(rules, request)
  return typeof effect === 'object' ? undefined : effect
}

/** What is in doubt is a change, and so is a call whose body the ad system may read in another way than we do. */
function decided({ reads, effect, forms }: GatewayRules, request: VendorRequest): Effect | Undecided {
  if (effect) return effect(request)
  const { method, path, body } = request
  const isPlain = body.kind === 'none' || body.kind === 'json' || (body.kind === 'form' && forms)
  const matches = (rule: GatewayRules['reads'][number]) =>
    (rule.method === 'ANY' || rule.method === method) && rule.pattern.test(path) && (!rule.when || rule.when(request))
  return method === 'GET' || (isPlain && reads.some(matches)) ? 'read' : 'change'
}

/** Most calls have neither a query nor a body, and most rules are about those. */
const isSent = ({ in: where }: ParameterRule, { query, body }: VendorRequest): boolean =>
  where === 'header' ||
  (query.length > 0 && where !== 'body') ||
  (where === 'body' ? body.kind !== 'none' : where !== 'query' && body.kind === 'form')

/** The name by which something is sent that a rule is about. */
function sentName(rule: ParameterRule, { query, headers, body }: VendorRequest): string | undefined {
  if (rule.in === 'header')
    return Object.entries(headers).find(([name, value]) => isAbout(rule, canonicalParameter(name)) && holds(rule, value))?.[0]
  const asked = rule.in !== 'body' && query.length ? queryNames(query) : undefined
  if (asked === UNREADABLE) return 'JSON'
  const hit = asked && hitIn(rule, asked)
  if (hit !== undefined || rule.in === 'query') return hit
  if (rule.name === '[]') return body.kind === 'json' && Array.isArray(body.value) ? 'list' : undefined
  return body.kind === 'form' || (body.kind === 'json' && rule.in === 'body') ? hitIn(rule, body.names) : undefined
}

function hitIn(rule: ParameterRule, names: NamedValues): string | undefined {
  if (rule.name === 'any') return names.places.find((place) => rule.value!.test(place.spelled) || isHeldBy(rule, place))?.spelled
  const whole = wantedBy(rule).whole
  // What is left out of a rule is left out as it is written there: another spelling is another name to some.
  const places = whole
    ? whole.flatMap((name) => names.named(name))
    : names.places.filter(({ name, spelled }) => isAbout(rule, name) && !rule.but.includes(spelled))
  return places.find((place) => rule.value === undefined || isHeldBy(rule, place))?.spelled
}

const isHeldBy = (rule: ParameterRule, { values }: Place): boolean =>
  values.some((value) => (Array.isArray(value) ? value.some((item) => holds(rule, item)) : holds(rule, value)))

const holds = ({ value }: ParameterRule, sent: unknown): boolean =>
  value === undefined || (sent !== null && typeof sent !== 'object' && value.test(String(sent)))

interface Wanted {
  /** Where the rule is about one name: its spellings. */
  readonly whole: readonly string[] | undefined
  readonly is: (name: string) => boolean
}

/** The names in the tables are few, and asked for with every call. */
const wanted = new WeakMap<ParameterRule, Wanted>()

function wantedBy(rule: ParameterRule): Wanted {
  const known = wanted.get(rule) ?? readRule(rule)
  wanted.set(rule, known)
  return known
}

const isAbout = (rule: ParameterRule, name: string): boolean => wantedBy(rule).is(name)

/** `**.name` at any depth, or what is inside of it; `*part*` of a name; `name*` at its beginning; else it is the name itself. */
function readRule({ name }: ParameterRule): Wanted {
  const plain = canonicalName(name.replace(/^\*\*\.|\*/g, ''))
  if (name.startsWith('**.')) return { whole: undefined, is: (sent) => `.${sent}.`.includes(`.${plain}.`) }
  if (name.startsWith('*')) return { whole: undefined, is: (sent) => sent.includes(plain) }
  if (name.endsWith('*')) return { whole: undefined, is: (sent) => `.${sent}`.includes(`.${plain}`) }
  const whole = [...new Set([plain, canonicalParameter(name)])]
  return { whole, is: (sent) => whole.includes(sent) }
}

/** Names that two servers might read differently. */
function hasOddNames({ query, body }: VendorRequest): boolean {
  const asked = query.length ? queryNames(query) : undefined
  if (asked === UNREADABLE || asked?.odd || query.some(([name]) => isOddParameter(name))) return true
  return (body.kind === 'form' && body.parameters.some(([name]) => isOddParameter(name))) || ('names' in body && body.names.odd)
}
