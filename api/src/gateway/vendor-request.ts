// One call as it would leave: its path as decoded,
// its query and body taken apart for judging, never to be put together again.

import { createBudget, readJson, UNREADABLE } from './json-shape.ts'
import { type NamedValues, namedValues, type Place, type Root, Unreadable } from './named-values.ts'
import { canonicalName, canonicalNested, canonicalParameter, LONGEST_NAME } from './names.ts'

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
 * `names`: with what texts say that are JSON; `outer`: without.
 */
export type ReadBody =
  | { readonly kind: 'none' | 'opaque' }
  | { readonly kind: 'json'; readonly value: unknown; readonly names: NamedValues; readonly outer: () => NamedValues }
  | { readonly kind: 'form'; readonly parameters: readonly Parameter[]; readonly names: NamedValues; readonly outer: () => NamedValues }

/** Stands where something can't be decoded: some readers leave it, some drop it, some read another encoding. */
const UNDECODED = '\ufffd'

/** Of an address, which has ASCII alone: what else comes in one is bytes that nobody can tell the letters of. */
export const readQuery = (query: string): Parameter[] => parametersOf(query.replace(/[^ -~]/g, UNDECODED))

function parametersOf(query: string): Parameter[] {
  const parts = [...query.split('&'), ...(query.includes(';') ? query.split(/[&;]/) : [])]
  return parts.filter(Boolean).map((part) => {
    const is = part.indexOf('=')
    return is < 0 ? [decoded(part), ''] : [decoded(part.slice(0, is)), decoded(part.slice(is + 1))]
  })
}

function decoded(text: string): string {
  if (!/[%+]|[^ -~]/.test(text)) return text
  try {
    const read = decodeURIComponent(text.replaceAll('+', ' '))
    return read.includes('\0') ? UNDECODED : read
  } catch {
    return UNDECODED
  }
}

/** Whether a part of the query or the form is not what every reader would read. */
export const isUndecodable = ({ query, body }: VendorRequest): boolean =>
  [query, body.kind === 'form' ? body.parameters : []].some((parameters) =>
    parameters.some(([name, value]) => name.includes(UNDECODED) || value.includes(UNDECODED)),
  )

/** Bytes that the ad system might read as other letters than we do. */
export const isForeignText = (contentType: string | undefined): boolean =>
  /charset[\d*]*\s*=\s*(?!"?utf-?8"?\s*(?:;|$))/i.test(contentType ?? '')

/** A mark of byte order is a letter: to some readers of JSON it is none. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })

export function readBody(bytes: Uint8Array, contentType: string | undefined): ReadBody {
  if (!bytes.length) return { kind: 'none' }
  if (isForeignText(contentType)) return { kind: 'opaque' }
  const type = (contentType ?? '').split(';', 1)[0]!.trim().toLowerCase()
  try {
    if (type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type)) return readJsonBody(utf8.decode(bytes))
    if (type === 'application/x-www-form-urlencoded') return readForm(lenientUtf8.decode(bytes))
  } catch (error) {
    if (!(error instanceof Unreadable || error instanceof TypeError)) throw error
  }
  return { kind: 'opaque' }
}

function readJsonBody(text: string): ReadBody {
  const budget = createBudget()
  const read = readJson(text, budget)
  if (!read || read === UNREADABLE) return { kind: 'opaque' }
  const roots = [{ name: '', spelled: '', ...read }]
  const names = namedValues(roots, budget)
  let outer: NamedValues | undefined
  return { kind: 'json', value: read.value, names, outer: () => (outer ??= names.texts.size ? namedValues(roots, undefined) : names) }
}

/** No form of an ad system has more. */
const MOST_PARAMETERS = 5000

function readForm(text: string): ReadBody {
  // Some systems read JSON whatever its type says, and forms are the type that many clients give to all they send.
  if (/^\s*[{[]/.test(text)) return { kind: 'opaque' }
  if (countOf(text, '&') + countOf(text, ';') >= MOST_PARAMETERS) return { kind: 'opaque' }
  const parameters = parametersOf(text)
  if (parameters.length > MOST_PARAMETERS || parameters.some(([name]) => name.length > LONGEST_NAME)) return { kind: 'opaque' }
  const names = namedValues(parameterRoots(parameters), createBudget())
  return { kind: 'form', parameters, names, outer: () => names }
}

/** How often a letter stands in a text, without taking it apart. */
export function countOf(text: string, letter: string): number {
  let count = 0
  for (let at = text.indexOf(letter); at >= 0; at = text.indexOf(letter, at + 1)) count++
  return count
}

/** Dots and brackets of a parameter are letters of its name to one server, and a structure to another. */
const parameterRoots = (parameters: readonly Parameter[]): Root[] =>
  parameters.flatMap(([spelled, value]) =>
    [...new Set([canonicalParameter(spelled), canonicalNested(spelled)])].map((name) => ({ name, spelled, value })),
  )

const queries = new WeakMap<readonly Parameter[], NamedValues | typeof UNREADABLE>()

/** What the query names, JSON in its values included. */
export function queryNames(query: readonly Parameter[]): NamedValues | typeof UNREADABLE {
  const known = queries.get(query)
  if (known) return known
  let names: NamedValues | typeof UNREADABLE = UNREADABLE
  try {
    names = namedValues(parameterRoots(query), createBudget())
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error
  }
  queries.set(query, names)
  return names
}

/** The places of a name in the query and the body, in any spelling and behind whatever other names. Undefined: can't be told. */
function placesOf({ query, body }: VendorRequest, name: string): readonly Place[] | undefined {
  const asked = query.length ? queryNames(query) : undefined
  if (asked === UNREADABLE) return undefined
  return [asked, 'names' in body ? body.names : undefined].flatMap((names) => names?.ending(canonicalName(name)) ?? [])
}

/** Whether a field is sent, wherever. */
export const isSaid = (request: VendorRequest, name: string): boolean => placesOf(request, name)?.length !== 0

/** Whether each value of a field is the same one of these, however often and wherever it is sent; also where it is not sent. */
export function saysOnly(request: VendorRequest, name: string, ...allowed: readonly string[]): boolean {
  const places = placesOf(request, name)
  if (!places) return false
  const values = places.flatMap((place) => place.values)
  return values.every((value) => typeof value !== 'object' && allowed.includes(String(value)) && String(value) === String(values[0]))
}

/** The texts of a field, wherever it is sent in the body. */
export const textsSaid = (body: ReadBody, name: string): readonly string[] =>
  'names' in body ? body.names.ending(canonicalName(name)).flatMap(textsIn) : []

/** Those of a place, and of lists there. */
export const textsIn = ({ values }: Place): string[] =>
  values.flatMap((value) =>
    typeof value === 'string' ? [value] : Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [],
  )

/** Has the body a field whose name, in lower case and without underscores, is like this? */
export const isNamed = (body: ReadBody, name: RegExp): boolean =>
  'names' in body && body.names.places.some((place) => name.test(place.name))
