// What an ad system answers can be larger than an agent can read: it is cut, and the answer says so.

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
  const data = whole && isJson ? parsed(text) : undefined
  if (data === undefined) return cutText(text, whole)
  if (text.length <= MOST_CHARACTERS) return { data }
  const list = longestList(data)
  if (!list) return cutText(text, whole)
  const total = list.length
  const others = JSON.stringify(data).length - JSON.stringify(list).length
  let room = MOST_CHARACTERS - others
  const fitting = list.findIndex((item) => {
    room -= JSON.stringify(item).length + 1
    return room < 0
  })
  if (fitting < 1) return cutText(text, whole)
  list.length = fitting
  return { data, cut: `Only the first ${fitting} of ${total} rows of this answer are shown.` }
}

function cutText(text: string, whole: boolean): Cut {
  if (whole && text.length <= MOST_CHARACTERS) return { text }
  const shown = text.slice(0, MOST_CHARACTERS).toWellFormed()
  return { text: shown, cut: `Only the first ${shown.length} characters of this answer are shown, so it may end in the middle of a value.` }
}

/** Numbers with more digits than a double holds are IDs: they stay as they are written. */
function parsed(text: string): unknown {
  try {
    return hasLongNumber(text) ? JSON.parse(text, exactly) : JSON.parse(text)
  } catch {
    return undefined
  }
}

const LONG = 16

/** A run that long stands at one of every sixteen characters: only these are looked at. A pattern would look at all of them, and back. */
function hasLongNumber(text: string): boolean {
  const isDigit = (at: number) => text.charCodeAt(at) >= 0x30 && text.charCodeAt(at) <= 0x39
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isDigit(at)) continue
    let [from, to] = [at, at]
    while (isDigit(from - 1)) from--
    while (isDigit(to + 1)) to++
    if (to - from >= LONG - 1) return true
  }
  return false
}

const exactly = (_: string, value: unknown, context?: { source?: string }): unknown =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '') ? context!.source : value

/** Rows stand in the longest list of an answer, not far below its top. */
function longestList(value: unknown, depth = 0): unknown[] | undefined {
  if (typeof value !== 'object' || value === null || depth > 4) return undefined
  if (Array.isArray(value) && value.length > 1) return value
  return Object.values(value)
    .map((item) => longestList(item, depth + 1))
    .reduce((best, list) => (list && JSON.stringify(list).length > JSON.stringify(best ?? []).length ? list : best), undefined)
}
