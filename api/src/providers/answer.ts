/**
 * Reading what an ad system answered:
 * values out of an unknown body, and the table from its answers to our reasons.
 */
import { truncate, withoutLinks } from '../domain/foreign-text.ts'
import { exactJson } from '../domain/json-text.ts'
import { createSecretSearch, type SecretSearch } from '../domain/secret-search/search.ts'
import type { Answered, ProviderBase, Unreachable, VendorRefusal } from './provider.ts'
import { isTransient } from './reasons.ts'
import type { AnswerRule, VendorAnswer, VendorStep } from './rule.ts'

/** The value at a path of an unknown body, own properties only. */
export function valueAt(body: unknown, ...path: (string | number)[]): unknown {
  let value = body
  for (const key of path) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
    value = (value as Record<string | number, unknown>)[key]
  }
  return value
}

/** A non-empty string or a number, as a string: ids come as either. */
export function textAt(body: unknown, ...path: (string | number)[]): string | null {
  const value = valueAt(body, ...path)
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' && value !== '' ? value : null
}

export function listAt(body: unknown, ...path: (string | number)[]): unknown[] {
  const value = valueAt(body, ...path)
  return Array.isArray(value) ? value : []
}

/** JSON whose whole numbers past 2^53 stay exact, as strings; undefined for anything that is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return exactJson(text)
  } catch {
    return undefined
  }
}

/** Seconds from a Retry-After header, which may also be a date. */
export function retryAfter(headers: Readonly<Record<string, string>>, now: Date): number | undefined {
  const value = headers['retry-after']?.trim()
  if (!value) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value)
  const seconds = Math.ceil((Date.parse(value) - now.getTime()) / 1000)
  return value.endsWith('GMT') && !Number.isNaN(seconds) ? Math.max(0, seconds) : undefined
}

const searches = new WeakMap<Iterable<string>, { readonly count: number; readonly search: SecretSearch | undefined }>()

/** Made once for what is asked again and again: the names of ten thousand accounts, say. */
function searchFor(secrets: Iterable<string>): SecretSearch | undefined {
  const all = [...secrets]
  const known = searches.get(secrets)
  if (known?.count === all.length) return known.search
  const search = createSecretSearch(all)
  searches.set(secrets, { count: all.length, search })
  return search
}

/** In any spelling, and in runs of 16 characters. */
function withoutSpelled(text: string, secrets: Iterable<string>): string {
  const search = searchFor(secrets)
  if (!search || text.length < search.shortest) return text
  const bytes = Buffer.from(text)
  const { spans } = search.look(bytes, false)
  const kept = [...spans, [bytes.length, bytes.length]].map(([from], i) => bytes.toString('utf8', spans[i - 1]?.[1] ?? 0, from))
  return kept.join('•••')
}

export const holdsSecret = (text: string, secrets: readonly string[]): boolean =>
  secrets.some((secret) => text.includes(secret)) || withoutSpelled(text, secrets) !== text

/** What strangers wrote, on one line: no control or direction characters, no submitted secret, not long. */
export function tidy(said: string | null | undefined, secrets: Iterable<string> = []): string | undefined {
  if (!said) return undefined
  let clean = withoutSpelled(said.slice(0, 4000), secrets)
  // Longest first, so that a secret holding another one goes whole.
  for (const secret of [...secrets].sort((a, b) => b.length - a.length)) {
    for (const form of [
      secret,
      encodeURIComponent(secret),
      Buffer.from(secret).toString('base64'),
      Buffer.from(secret).toString('base64url'),
    ])
      clean = clean.replaceAll(form, '•••')
  }
  clean = clean.replace(/[\p{C}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
  return clean.length > 200 ? `${clean.slice(0, 199).toWellFormed()}…` : clean || undefined
}

/** The same between quotation marks of ours: nothing in it ends them, and nothing in it is a link. */
export function quote(said: string | null | undefined, secrets: Iterable<string> = [], longest = 200): string | undefined {
  const words = tidy(said, secrets)
    ?.replace(/(?<!\S)\S*(?::\/\/|www\.|\S@\S)\S*/gi, '[link]')
    .replace(/["“”„«»]/g, '’')
  return words && truncate(withoutLinks(words), longest)
}

type AnswerTable = Pick<ProviderBase, 'codes' | 'words' | 'wait' | 'answers'>
const isAmong = <T>(wanted: T | readonly T[] | undefined, value: T) =>
  wanted === undefined || (Array.isArray(wanted) ? wanted.includes(value) : wanted === value)

/** What HTTP alone says, where no rule of the provider matched. An unknown 4xx is not the client's fault. */
function byStatus(status: number, step: VendorStep): Pick<AnswerRule, 'reason' | 'stale'> {
  if (status === 429) return { reason: 'throttled' }
  if (status === 408 || status >= 500) return { reason: 'outage' }
  if (status === 410 || status === 426) return { reason: 'api_version_ended' }
  if (status === 401 && step === 'login') return { reason: 'login_refused' }
  if (status === 401 && step === 'verify') return { reason: 'access_refused', stale: true }
  if (status === 403 && step === 'verify') return { reason: 'permission_missing' }
  return { reason: 'odd_answer' }
}

/** An answer, judged: a success of the system, or why not. */
export function judge(
  table: AnswerTable,
  step: VendorStep,
  answer: VendorAnswer,
  now: Date,
  options: { secrets?: Iterable<string>; anyBody?: boolean } = {},
): Answered | VendorRefusal {
  const { status, headers, body, text } = answer
  const codes = (table.codes?.(body, answer) ?? []).filter((code) => typeof code === 'string' && code !== '') as string[]
  const success = status >= 200 && status < 300
  if (success && codes.length === 0 && (options.anyBody || body !== undefined)) return { outcome: 'answered', ...answer }

  const matches = (rule: AnswerRule) =>
    isAmong(rule.on, step) &&
    isAmong(rule.status, status) &&
    (!rule.header || rule.header in headers) &&
    (!rule.code || codes.some((code) => rule.code?.test(code))) &&
    (!rule.text || rule.text.test(text))
  const { reason, stale, after } = (table.answers.find(matches) ??
    (success ? { reason: 'odd_answer' } : byStatus(status, step))) as AnswerRule
  const said = quote(table.words?.(body), options.secrets)
  if (!isTransient(reason)) return stale ? { outcome: 'stale', reason, said } : { outcome: 'rejected', reason, said }
  return unreachableAfter({ outcome: 'unreachable', reason, said }, after ?? table.wait?.(answer) ?? retryAfter(headers, now))
}

const unreachableAfter = (outcome: Unreachable, seconds: number | undefined): Unreachable =>
  seconds === undefined ? outcome : { ...outcome, retryAfter: Math.ceil(seconds) }
