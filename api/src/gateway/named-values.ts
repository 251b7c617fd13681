// Everything that a request names, found in one walk: what is looked for afterwards is looked up, however many rules and rows there are.
import { type Budget, MOST_NAMES, readJson, UNREADABLE } from './json-shape.ts'
import { canonicalName, isOddName, LONGEST_NAME } from './names.ts'

/** A value that different readers might read differently, or one too many. */
export class Unreadable extends Error {}

/** All values that stand behind one name, written in one way. Lists add nothing to a name: they are values, and so is each of their elements. */
export interface Place {
  /** With the names around it, as written. */
  readonly spelled: string
  /** The same in the one spelling of names. */
  readonly name: string
  readonly values: unknown[]
}

interface Node extends Place {
  readonly children: Map<string, Node>
  readonly group: Group
}

/** The places of one name. */
interface Group {
  readonly places: Place[]
  /** The object that has had a member of this name. */
  object: number
}

export interface NamedValues {
  readonly places: readonly Place[]
  /** Whether one of its names could be read in two ways. */
  readonly odd: boolean
  /** The texts that were read as JSON. */
  readonly texts: ReadonlyMap<string, unknown>
  /** The places of a name, with the names around it. */
  named(name: string): readonly Place[]
  /** Those whose name ends with it. */
  ending(name: string): readonly Place[]
  /** The parts of names that are used, each with the places whose name has it last. */
  readonly lasts: ReadonlyMap<string, readonly Place[]>
}

/** Of all different names, each with those around it. */
const MOST_LETTERS = 1 << 18

export interface Root {
  /** Under which the value stands; empty for a whole body. */
  readonly name: string
  readonly spelled: string
  readonly value: unknown
  /** Of the JSON text that the value was read from. */
  readonly members?: number
}

/** `inner`: texts that hold JSON are read as such. Throws `Unreadable`. */
export function namedValues(roots: readonly Root[], inner: Budget | undefined): NamedValues {
  const groups = new Map<string, Group>()
  const lasts = new Map<string, Place[]>()
  const places: Node[] = []
  const texts = new Map<string, { readonly value: unknown; readonly members: number } | undefined>()
  let letters = 0
  let objects = 0
  let odd = false

  function placeOf(spelled: string, name: string): Node {
    letters += spelled.length + 1
    if (places.length >= MOST_NAMES || letters > MOST_LETTERS) throw new Unreadable()
    const known = groups.get(name)
    const group = known ?? { places: [], object: 0 }
    if (!known) groups.set(name, group)
    const node: Node = { spelled, name, values: [], children: new Map(), group }
    group.places.push(node)
    places.push(node)
    const last = name.slice(name.lastIndexOf('.') + 1)
    const same = lasts.get(last)
    if (same) same.push(node)
    else lasts.set(last, [node])
    return node
  }

  function childOf(parent: Node, key: string): Node {
    const known = parent.children.get(key)
    if (known) return known
    if (key.length > LONGEST_NAME) throw new Unreadable()
    if (isOddName(key)) odd = true
    const made = placeOf(
      parent.spelled ? `${parent.spelled}.${key}` : key,
      parent.name ? `${parent.name}.${canonicalName(key)}` : canonicalName(key),
    )
    parent.children.set(key, made)
    return made
  }

  /** How many members it has, not counting those of JSON in its texts. */
  function walk(at: Node, value: unknown): number {
    let members = 0
    if (typeof value === 'string') {
      at.values.push(value)
      walkInner(at, value)
    } else if (typeof value !== 'object' || value === null) at.values.push(value)
    else if (Array.isArray(value)) {
      at.values.push(value)
      for (const item of value) {
        if (typeof item === 'string') walkInner(at, item)
        else if (typeof item === 'object' && item !== null) members += walk(at, item)
      }
    } else {
      at.values.push(value)
      const object = ++objects
      for (const key in value) {
        const child = childOf(at, key)
        if (child.group.object === object) throw new Unreadable()
        child.group.object = object
        members += 1 + walk(child, (value as Record<string, unknown>)[key])
      }
    }
    return members
  }

  function walkInner(at: Node, text: string): void {
    if (!inner || !looksLikeJson(text)) return
    if (!texts.has(text)) {
      const read = readJson(text, inner, { exact: true })
      if (read === UNREADABLE) throw new Unreadable()
      texts.set(text, read)
    } else inner.values -= text.length / 2
    if (inner.values < 0) throw new Unreadable()
    const known = texts.get(text)
    if (!known) return
    if (walk(at, known.value) !== known.members) throw new Unreadable()
  }

  const tops = new Map<string, Node>()
  for (const { name, spelled, value, members } of roots) {
    const key = `${name}\n${spelled}`
    const at = tops.get(key) ?? placeOf(spelled, name)
    tops.set(key, at)
    const counted = walk(at, value)
    if (members !== undefined && counted !== members) throw new Unreadable()
  }

  return {
    places,
    odd,
    texts,
    lasts,
    named: (name) => groups.get(name)?.places ?? [],
    ending: (name) => (lasts.get(name.slice(name.lastIndexOf('.') + 1)) ?? []).filter((place) => endsWith(place.name, name)),
  }
}

const endsWith = (name: string, end: string): boolean => name === end || name.endsWith(`.${end}`)

const looksLikeJson = (text: string): boolean => /^\s*[{[]/.test(text)
