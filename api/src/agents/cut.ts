// What an ad system answers can be larger than an agent can read: it is cut, and the answer says so.
// A large answer is never built: its rows are counted in its text, and only what is shown is parsed.
import { exactJson, walkJson } from '../domain/json-text.ts'

/** Characters of JSON that a tool hands on: some ten thousand tokens. */
export const MOST_CHARACTERS = 40_000
/** What is read in order to cut it where a row ends. */
export const MOST_BYTES = 1 << 20

export interface Cut {
  readonly data?: unknown
  readonly text?: string
  /** What is missing; undefined: nothing. */
  readonly cut?: string
}

export function cutAnswer(text: string, whole: boolean, isJson: boolean): Cut {
  if (!whole || !isJson) return cutText(text, whole)
  if (text.length <= MOST_CHARACTERS) return dataOf(text) ?? cutText(text, whole)
  const { list, weight } = measured(text)
  if (weight <= MOST_CHARACTERS) return dataOf(text) ?? cutText(text, whole)
  return (list && cutList(text, list, MOST_CHARACTERS - (weight - list.weight))) ?? cutText(text, whole)
}

function cutText(text: string, whole: boolean): Cut {
  if (whole && text.length <= MOST_CHARACTERS) return { text }
  const shown = text.slice(0, MOST_CHARACTERS).toWellFormed()
  return { text: shown, cut: `Only the first ${shown.length} characters of this answer are shown, so it may end in the middle of a value.` }
}

function dataOf(text: string): Cut | undefined {
  try {
    return { data: exactJson(text) }
  } catch {
    return undefined
  }
}

/** A list in the text of an answer, from bracket to bracket. */
interface List {
  readonly from: number
  readonly to: number
  readonly weight: number
  readonly items: number
}

/** Rows stand in the longest list of an answer, not far below its top. */
const DEEPEST = 4
/** Nothing that a reader could follow nests deeper: it is shown as text. */
const MOST_OPEN = 256

function measured(text: string): { list: List | undefined; weight: number } {
  const open: { from: number; weight: number; commas: number }[] = []
  let list: List | undefined
  const weight = walkJson(text, 0, (mark, at, before) => {
    if (mark === '[' || mark === '{') return open.push({ from: at, weight: before, commas: 0 }) > MOST_OPEN
    if (mark === ',') {
      const around = open.at(-1)
      if (around) around.commas++
    } else {
      const ended = open.pop()
      if (mark !== ']' || !ended?.commas || open.length > DEEPEST) return undefined
      const weight = before + 1 - ended.weight
      if (weight > (list?.weight ?? 0)) list = { from: ended.from, to: at, weight, items: ended.commas + 1 }
    }
    return undefined
  })
  return open.length > MOST_OPEN ? { list: undefined, weight: Number.POSITIVE_INFINITY } : { list, weight }
}

/** With as many of its rows as there is room for. Undefined: not one. */
function cutList(text: string, list: List, most: number): Cut | undefined {
  for (let room = most, tries = 0; tries < TRIES; tries++) {
    const { shown, end } = rowsWithin(text, list, room)
    const cut = shown ? dataOf(`${text.slice(0, end)}${text.slice(list.to)}`) : undefined
    if (!cut) return undefined
    const length = JSON.stringify(cut.data).length
    if (length <= MOST_CHARACTERS) return { ...cut, cut: `Only the first ${shown} of ${list.items} rows of this answer are shown.` }
    room = Math.floor((room * MOST_CHARACTERS * 0.99) / length)
  }
  return undefined
}

/** Numbers can be longer than they are written, such as 1e20: then there is room for fewer rows. */
const TRIES = 4

function rowsWithin(text: string, { from, to }: List, room: number): { shown: number; end: number } {
  let [depth, shown, end] = [0, 0, 0]
  walkJson(text, from, (mark, at, weight) => {
    if (weight >= room) return true
    if (mark === ',' && depth === 1) [shown, end] = [shown + 1, at]
    if (mark === '[' || mark === '{') depth++
    else if (mark !== ',') depth--
    return at >= to
  })
  return { shown, end }
}
