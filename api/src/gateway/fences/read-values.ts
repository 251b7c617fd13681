// What stands at a name, wherever in a request: every value that some reader could take, or the word that it cannot be told.
import { parseJson } from '../../providers/answer.ts'
import { oddNumbersAsTexts } from '../json-numbers.ts'
import { readJson, UNREADABLE } from '../json-shape.ts'
import { canonicalName, canonicalParameter } from '../names.ts'
import type { Parameter, ReadBody } from '../vendor-request.ts'

/** A value that different readers might read differently. */
export class Unreadable extends Error {}

/** How a name is compared: in whatever spelling, without letter case, or as it is written. */
export type Spelling = 'any' | 'caseless' | 'exact'

/** Every value of a body that a name stands before: `a.b`, or `**.b` at any depth. Lists add nothing to a name. */
export function valuesAt(body: ReadBody, names: readonly string[], innerJson: boolean, spelling: Spelling = 'any'): string[] {
  const one = (name: string) => (spelling === 'any' ? canonicalName(name) : spelling === 'caseless' ? name.toLowerCase() : name)
  const wanted = names.map((name) => ({ deep: name.startsWith('**.'), name: one(name.replace(/^\*\*\./, '')) }))
  const isWanted = (path: string) => wanted.some(({ deep, name }) => path === name || (deep && path.endsWith(`.${name}`)))
  const found: string[] = []
  walk(treeOf(body), innerJson, (path, node, spelled) => {
    if (isWanted(spelling === 'any' ? path : one(spelled)))
      found.push(...scalarsOf(innerJson && looksLikeJson(node) ? (innerValue(node) ?? node) : node))
  })
  return found
}

/** Every text of a body, at any depth, or those of one name. */
export function textsOf(body: ReadBody, name: string | undefined, innerJson: boolean): string[] {
  const texts: string[] = []
  walk(treeOf(body), innerJson, (path, node) => {
    if (typeof node === 'string' && (name === undefined || path === canonicalName(name))) texts.push(node)
  })
  return texts
}

/** A parameter must be spelled as the table spells it: another spelling may be another parameter, or the same. */
export function parametersAt(query: readonly Parameter[], names: readonly string[]): string[] {
  const wanted = new Set(names.map(canonicalParameter))
  return query.flatMap(([name, value]) => {
    if (!wanted.has(canonicalParameter(name))) return []
    if (!names.includes(name)) throw new Unreadable()
    return [value]
  })
}

/** A form's parameters as one object, so that both kinds of bodies are walked alike. */
function treeOf(body: ReadBody): unknown {
  if (body.kind === 'json') return body.value
  if (body.kind !== 'form') return undefined
  // Names with brackets or dots are read as structures by some.
  return body.entries.map(([name, value]) => ({ [name]: value }))
}

const DEEPEST = 64

type Visit = (path: string, node: unknown, spelled: string) => void

/** Calls `visit` for every member of every object, and for the elements of lists under the name of the list. */
function walk(value: unknown, innerJson: boolean, visit: Visit, path = '', spelled = '', depth = 0): void {
  if (depth > DEEPEST) throw new Unreadable()
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'string') visit(path, item, spelled)
      walk(item, innerJson, visit, path, spelled, depth + 1)
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      const at = path ? `${path}.${canonicalName(key)}` : canonicalName(key)
      const written = spelled ? `${spelled}.${key}` : key
      visit(at, inner, written)
      walk(inner, innerJson, visit, at, written, depth + 1)
    }
  } else if (innerJson && looksLikeJson(value)) {
    walk(innerValue(value), innerJson, visit, path, spelled, depth + 1)
  }
}

const looksLikeJson = (value: unknown): value is string => typeof value === 'string' && /^\s*[{[]/.test(value)

/** What begins like JSON and is none is none to the ad system either. */
export function innerValue(text: string): unknown {
  const value = parseJson(text)
  if (value === undefined) return undefined
  if (readJson(text) === UNREADABLE) throw new Unreadable()
  const exact = oddNumbersAsTexts(text)
  return exact === text ? value : parseJson(exact)
}

/** An id, or a list of ids. Null is none; anything else at the place of an id is in doubt. */
export function scalarsOf(node: unknown): string[] {
  if (node === null || node === undefined) return []
  if (typeof node === 'string') return [node]
  // A number past 2^53 has lost digits by now, while the ad system reads all of them.
  if (typeof node === 'number' && Number.isSafeInteger(node)) return [String(node)]
  if (Array.isArray(node) && node.every((item) => typeof item === 'string' || typeof item === 'number')) return node.flatMap(scalarsOf)
  throw new Unreadable()
}

/** A list in one text, taken apart as the ad system does. */
export function splitValue(value: string, by: ',' | 'json' | 'List()' | undefined): string[] {
  if (by === undefined) return [value]
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
