// Which headers pass, in both directions. Names are lists of what may, never of what may not.
import { remembered } from './remembered.ts'
import type { GatewayRules, Injected } from './rules/rules.ts'

type Incoming = Readonly<Record<string, string | string[] | undefined>>

const CALLER_MAY_SET = ['content-type', 'accept', 'accept-language', 'if-none-match', 'if-modified-since']
/** Everybody sends these, and nobody means the ad system by them. */
const OURS =
  /^(host|connection|content-length|transfer-encoding|keep-alive|te|expect|accept-encoding|user-agent|x-api-key|authorization|cookie|idempotency-key|origin|referer|priority|dnt|pragma|cache-control|traceparent|tracestate|x-request-id|forwarded|via|x-real-ip|x-forwarded-.*|sec-.*)$/

const isOurs = remembered((name) => OURS.test(name))

export interface CallerHeaders {
  readonly sent: Record<string, string>
  readonly dropped: readonly string[]
}

const allowed = new WeakMap<GatewayRules, ReadonlySet<string>>()

function allowedBy(rules: GatewayRules): ReadonlySet<string> {
  const known = allowed.get(rules) ?? new Set([...CALLER_MAY_SET, ...rules.headers])
  allowed.set(rules, known)
  return known
}

export function callerHeaders(headers: Incoming, rules: GatewayRules): CallerHeaders {
  const may = allowedBy(rules)
  const sent: Record<string, string> = {}
  const dropped: string[] = []
  for (const [name, value] of Object.entries(headers)) {
    if (typeof value === 'string' && may.has(name)) sent[name] = value
    else if (!isOurs(name)) dropped.push(name)
  }
  return { sent, dropped }
}

/** What settings fill in where the caller says nothing, in lower case. */
export const defaultHeaders = ({ defaults = {} }: Injected): Record<string, string> =>
  Object.fromEntries(Object.entries(defaults).flatMap(([name, value]) => (value ? [[name.toLowerCase(), value]] : [])))

/** Credentials beat what the caller set; settings give way to it. */
export function vendorHeaders(sent: Readonly<Record<string, string>>, injected: Injected): Record<string, string> {
  const all: Record<string, string> = { 'user-agent': 'Adjoin/0.1', ...defaultHeaders(injected), ...sent }
  for (const [name, value] of Object.entries(injected.headers)) all[name.toLowerCase()] = value
  // What is compressed must be unpacked to be searched for secrets: rather not.
  all['accept-encoding'] = 'identity'
  return all
}

const PASSED_ON =
  /^(content-language|etag|last-modified|link|retry-after|x-restli-id|x-linkedin-id|.*(request-?id|trace-?id|trackingid|correlation-?id)|.*(rate-?limit|quota|usage|throttle|x-count-).*)$/

/** What we alone say, or what a browser does something for. */
const NEVER_PASSED = /^(set-cookie|adjoin-|idempotency-|access-control-|content-security-policy|x-proxy-)/

/** Without cookies, framing and whatever else is between the ad system and us. Values pass `clean` first. */
export function passedOn(headers: Incoming, clean: (text: string) => string): Record<string, string | string[]> {
  const passed: Record<string, string | string[]> = {}
  for (const name in headers) {
    if (!mayPass(name)) continue
    const value = headers[name]
    passed[ourName(name)] = Array.isArray(value) ? value.map(clean) : clean(value ?? '')
  }
  return passed
}

const mayPass = remembered((name) => PASSED_ON.test(name) && !NEVER_PASSED.test(name))

/** By `x-request-id` the log and the trail know the request, and `ratelimit` says what is left of our own limits. */
const ourName = (name: string): string =>
  name === 'x-request-id' ? 'x-vendor-request-id' : name.startsWith('ratelimit') ? `x-vendor-${name}` : name

/** It is stored and shown, so it passes `clean` like everything else that the ad system says. */
export const vendorRequestId = (headers: Incoming, clean: (text: string) => string): string | null => {
  const found = Object.entries(headers).find(([name]) => /(request-?id|trackingid|trace-?id)$/.test(name))?.[1]
  const id = Array.isArray(found) ? found[0] : found
  return id && /^[\x21-\x7e]{1,128}$/.test(id) ? clean(id) : null
}
