// One call as it would leave: its path as decoded,
// its query and body taken apart for judging, never to be put together again.

import { readJson, UNREADABLE } from './json-shape.ts'
import { canonicalName, LONGEST_NAME } from './names.ts'

export interface VendorRequest {
  readonly method: string
  /** Decoded once, without the host. */
  readonly path: string
  /** Names and values, decoded; also those behind a semicolon, which some servers take for a separator. */
  readonly query: readonly Parameter[]
  /** As the caller sends them, in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: ReadBody
}

export type Parameter = readonly [name: string, value: string]

/**
 * `opaque`: bytes that are neither JSON nor a form,
 * not what their type says, or read differently by different readers.
 */
export type ReadBody =
  | { readonly kind: 'none' | 'opaque' }
  | { readonly kind: 'json'; readonly value: unknown; readonly entries: readonly Parameter[] }
  | { readonly kind: 'form'; readonly entries: readonly Parameter[] }

export function readQuery(query: string): Parameter[] {
  const parts = [...query.split('&'), ...(query.includes(';') ? query.split(/[&;]/) : [])]
  return parts.filter(Boolean).map((part) => {
    const [name = '', ...value] = part.split('=')
    return [decoded(name), decoded(value.join('='))]
  })
}

const decoded = (text: string): string => {
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

/** Bytes that the ad system might read as other letters than we do. */
export const isForeignText = (contentType: string | undefined): boolean => /charset\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i.test(contentType ?? '')

const utf8 = new TextDecoder('utf-8', { fatal: true })

export function readBody(bytes: Uint8Array, contentType: string | undefined): ReadBody {
  if (!bytes.length) return { kind: 'none' }
  if (isForeignText(contentType)) return { kind: 'opaque' }
  const type = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase()
  try {
    const text = utf8.decode(bytes)
    if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) {
      const read = readJson(text)
      return !read || read === UNREADABLE ? { kind: 'opaque' } : { kind: 'json', value: read.value, entries: entriesOf(read.value) }
    }
    // Some systems read JSON whatever its type says, and forms are the type that many clients give to all they send.
    if (type === 'application/x-www-form-urlencoded' && !/^\s*[{[]/.test(text)) return readForm(text)
  } catch {}
  return { kind: 'opaque' }
}

/**
 * `{ a: { b: [{ c: 1 }] } }` → `a`, `a.b`, `a.b.c`.
 * Lists add nothing to a name. Names of objects stand with an empty value.
 */
export function entriesOf(value: unknown, at = '', depth = 0): Parameter[] {
  if (depth > 64) throw new Error('too deep')
  if (Array.isArray(value)) return value.flatMap((item) => entriesOf(item, at, depth + 1))
  if (typeof value !== 'object' || value === null) return [[at, String(value)]]
  return Object.entries(value).flatMap(([name, inner]) => {
    const path = at ? `${at}.${name}` : name
    return typeof inner === 'object' && inner !== null
      ? [[path, ''] as Parameter, ...entriesOf(inner, path, depth + 1)]
      : entriesOf(inner, path, depth + 1)
  })
}

/** No form of an ad system has more, nor longer names. */
const MOST_PARAMETERS = 5000

/** Some systems take JSON inside of a form's value. */
function readForm(text: string): ReadBody {
  const parameters = readQuery(text)
  if (parameters.length > MOST_PARAMETERS || parameters.some(([name]) => name.length > LONGEST_NAME)) return { kind: 'opaque' }
  const entries: Parameter[] = []
  for (const [name, value] of parameters) {
    entries.push([name, value])
    const read = /^\s*[{[]/.test(value) ? readJson(value) : undefined
    if (read === UNREADABLE) return { kind: 'opaque' }
    if (read) for (const entry of entriesOf(read.value, name)) entries.push(entry)
  }
  return { kind: 'form', entries }
}

/** The value of a field of the body, by any of its spellings; empty where it has none. */
export const fieldOf = (body: ReadBody, name: string): string =>
  ('entries' in body && body.entries.find(([sent]) => canonicalName(sent) === canonicalName(name))?.[1]) || ''

/** Has the body a field whose name, in lower case and without underscores, is like this? */
export const isNamed = (body: ReadBody, name: RegExp): boolean =>
  'entries' in body && body.entries.some(([sent]) => name.test(canonicalName(sent)))
