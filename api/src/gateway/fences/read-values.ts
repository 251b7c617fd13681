// What stands at a name, wherever in a request: every value that some reader could take, or the word that it cannot be told.
import { createBudget, readJson, UNREADABLE } from '../json-shape.ts'
import { type NamedValues, Unreadable } from '../named-values.ts'
import { canonicalName, canonicalParameter } from '../names.ts'
import { countOf, type Parameter, queryNames, type ReadBody, textsIn } from '../vendor-request.ts'

/** How a name is compared: in whatever spelling, without letter case, or as it is written. */
export type Spelling = 'any' | 'caseless' | 'exact'

/** Who names accounts more often in one call wants our time, and a limit has no more than a thousand different ones. */
const MOST_ACCOUNTS = 10_000
const MOST_DIFFERENT = 2000

/** What a body names; with JSON in its texts where the ad system reads that, and then in the query as well. */
export function readNames(body: ReadBody, query: readonly Parameter[], innerJson: boolean): readonly NamedValues[] {
  const own = 'names' in body ? [innerJson ? body.names : body.outer()] : []
  if (!innerJson || !query.length) return own
  const asked = queryNames(query)
  if (asked === UNREADABLE) throw new Unreadable()
  return [...own, asked]
}

/** Every value that a name stands before: `a.b`, or `**.b` at any depth. Lists add nothing to a name. */
export function valuesAt(read: readonly NamedValues[], names: readonly string[], spelling: Spelling = 'any'): string[] {
  const found: string[] = []
  for (const { named, ending, texts } of read)
    for (const written of names) {
      const bare = written.replace(/^\*\*\./, '')
      const places = bare === written ? named(canonicalName(bare)) : ending(canonicalName(bare))
      for (const { spelled, values } of places) {
        if (!isSpelled(spelled, bare, bare !== written, spelling)) continue
        // What a text says that is JSON stands beside it.
        for (const value of values) if (typeof value !== 'string' || !texts.get(value)) found.push(...scalarsOf(value))
        if (found.length > MOST_ACCOUNTS) throw new Unreadable()
      }
    }
  return found
}

function isSpelled(spelled: string, wanted: string, deep: boolean, spelling: Spelling): boolean {
  if (spelling === 'any') return true
  const [sent, name] = spelling === 'exact' ? [spelled, wanted] : [spelled.toLowerCase(), wanted.toLowerCase()]
  return sent === name || (deep && sent.endsWith(`.${name}`))
}

const textsOfAll = new WeakMap<NamedValues, readonly string[]>()

/** Every text, at any depth, or those of one name. */
export function textsOf(read: readonly NamedValues[], name: string | undefined): readonly string[] {
  if (name !== undefined) return read.flatMap(({ named }) => named(canonicalName(name)).flatMap(textsIn))
  return read.flatMap((names) => {
    const texts = textsOfAll.get(names) ?? names.places.flatMap(textsIn)
    textsOfAll.set(names, texts)
    return texts
  })
}

const parametersByName = new WeakMap<readonly Parameter[], Map<string, Parameter[]>>()

/** A parameter must be spelled as the table spells it: another spelling may be another parameter, or the same. */
export function parametersAt(query: readonly Parameter[], names: readonly string[]): string[] {
  if (!query.length) return []
  const sent = parametersByName.get(query) ?? Map.groupBy(query, ([name]) => canonicalParameter(name))
  parametersByName.set(query, sent)
  return [...new Set(names.map(canonicalParameter))].flatMap((wanted) =>
    (sent.get(wanted) ?? []).map(([name, value]) => {
      if (!names.includes(name)) throw new Unreadable()
      return value
    }),
  )
}

/** What begins like JSON and is none is none to the ad system either. */
function innerValue(text: string): unknown {
  const read = readJson(text, createBudget(), { exact: true })
  if (read === UNREADABLE || read?.members) throw new Unreadable()
  return read?.value
}

/** An id, or a list of ids. Null is none; anything else at the place of an id is in doubt. */
export function scalarsOf(node: unknown): string[] {
  if (node === null || node === undefined) return []
  if (typeof node === 'string') return [node]
  // A number past 2^53 has lost digits by now, while the ad system reads all of them.
  if (typeof node === 'number' && Number.isSafeInteger(node)) return [String(node)]
  if (Array.isArray(node) && node.length <= MOST_ACCOUNTS && node.every((item) => typeof item === 'string' || typeof item === 'number'))
    return node.flatMap(scalarsOf)
  throw new Unreadable()
}

/** Each once, however often it is named. */
export function different(found: Iterable<string>): string[] {
  const all = new Set<string>()
  for (const one of found) if (all.add(one).size > MOST_DIFFERENT) throw new Unreadable()
  return [...all]
}

/** All texts of a row, taken apart. */
export function splitValues(values: readonly string[], by: 'json' | ',' | 'List()' | undefined): string[] {
  if (by !== undefined && values.reduce((sum, value) => sum + countOf(value, ','), values.length) > MOST_ACCOUNTS) throw new Unreadable()
  return different(by === undefined ? values : values.flatMap((value) => splitValue(value, by)))
}

/** A list in one text, taken apart as the ad system does. */
function splitValue(value: string, by: ',' | 'json' | 'List()'): string[] {
  if (by === ',') return value.split(',')
  if (by === 'json') {
    const list = innerValue(value)
    if (!Array.isArray(list)) throw new Unreadable()
    return scalarsOf(list)
  }
  const [, inner] = /^List\((.*)\)$/.exec(value) ?? []
  if (inner === undefined) throw new Unreadable()
  return inner === '' ? [] : inner.split(',')
}
