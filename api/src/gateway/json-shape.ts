// JSON as it is judged: gone through letter by letter before it is taken apart, so that a small text cannot ask for a lot of work.
import { isNewName, newMark } from '../domain/json-names.ts'

/** What one request may ask for, its query, its body and all JSON within them together. Counted before anything is taken apart. */
export interface Budget {
  values: number
  /** Different names of members. */
  names: number
  /** Marks the names that this budget has seen. */
  readonly mark: number
}

/** A MiB of what ad systems take has fewer: lists of IDs have the most, some 90,000. */
const MOST_VALUES = 100_000
/** Making a table of so many names costs more than all the rest. No ad system comes near. */
export const MOST_NAMES = 5000
/** A number in another spelling than digits costs as much as these. */
const SPELLED_VALUES = 2
/** And so does a text that only begins like JSON. */
const BROKEN_VALUES = 40

export const createBudget = (): Budget => ({ values: MOST_VALUES, names: MOST_NAMES, mark: newMark() })

/** Read differently by different readers, or costs more than a call may: nobody can say what is in it. */
export const UNREADABLE = Symbol('unreadable')

export interface JsonText {
  readonly value: unknown
  /** How many members its objects have as written: whoever counts fewer has read one of two that have the same name. */
  readonly members: number
}

/**
 * Undefined: it is no JSON. Whole numbers that are not written in digits become texts: `122.99999999999999999999` is 123 to us and may be 122
 * to another reader, so an id is never read from one. `exact`: so do those that have too many digits for us.
 */
export function readJson(text: string, budget: Budget, { exact = false } = {}): JsonText | typeof UNREADABLE | undefined {
  if (!beginsLikeJson(text)) return undefined
  const seen = lookedThrough(text, budget, exact)
  if (seen === undefined || seen === UNREADABLE) return seen
  try {
    return { value: JSON.parse(seen.text) as unknown, members: seen.members }
  } catch {
    budget.values -= BROKEN_VALUES
    return budget.values < 0 ? UNREADABLE : undefined
  }
}

/** A keyword in brackets, such as `[running shoes]`, is told from JSON by its first letters. */
const beginsLikeJson = (text: string): boolean => !/^\s*(?:\[\s*(?:[^\s"[{\]\d\-tfn]|t(?!rue)|f(?!alse)|n(?!ull))|\{\s*[^\s"}])/.test(text)

const DEEPEST = 64

function lookedThrough(text: string, budget: Budget, exact: boolean) {
  let members = 0
  let depth = 0
  let from = 0
  let to = 0
  let done = ''
  let upTo = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === QUOTE) {
      from = at
      at = endOfText(text, from)
      if (at < 0) return undefined
      to = at
    } else if (letter === COMMA) budget.values--
    else if (letter === COLON) {
      members++
      if (isNewName(text, from, to, budget.mark) && --budget.names < 0) return UNREADABLE
      from = to // a name is counted once, whatever stands behind it
    } else if (letter === OPEN_LIST || letter === OPEN_OBJECT) {
      budget.values -= letter === OPEN_OBJECT ? 2 : 1
      if (++depth > DEEPEST) return UNREADABLE
    } else if (letter === CLOSE_LIST || letter === CLOSE_OBJECT) depth--
    else if (isOfNumber(letter)) {
      const start = at
      while (isDigit(text.charCodeAt(at + 1))) at++
      const isSpelled = goesOn(text.charCodeAt(at + 1))
      if (isSpelled) {
        budget.values -= SPELLED_VALUES
        at = endOfNumber(text, at) - 1
      }
      if ((isSpelled || (exact && at - start >= SAFE_DIGITS)) && isInexact(text.slice(start, at + 1), exact)) {
        done += `${text.slice(upTo, start)}"${text.slice(start, at + 1)}"`
        upTo = at + 1
      }
    }
    if (budget.values < 0) return UNREADABLE
  }
  return { members, text: upTo ? done + text.slice(upTo) : text }
}

const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d
const BACKSLASH = 0x5c

function endOfText(text: string, from: number): number {
  for (let at = from + 1; at < text.length; at++) {
    const letter = text.charCodeAt(at)
    if (letter === QUOTE) return at
    if (letter === BACKSLASH) at++
  }
  return -1
}

/** Of so many digits, all are ours. */
const SAFE_DIGITS = 15

const isDigit = (letter: number) => letter >= 0x30 && letter <= 0x39
/** Digits, signs, a point, an exponent. */
const isOfNumber = (letter: number) => isDigit(letter) || letter === 0x2d
const goesOn = (letter: number) => isOfNumber(letter) || letter === 0x2b || letter === 0x2e || letter === 0x45 || letter === 0x65

function endOfNumber(text: string, from: number): number {
  let at = from + 1
  while (at < text.length && goesOn(text.charCodeAt(at))) at++
  return at
}

/** A whole number to us, though not written as one; or one whose last digits we would lose. */
function isInexact(number: string, exact: boolean): boolean {
  if (!/^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(number)) return false // no number of JSON, which JSON.parse will say
  const value = Number(number)
  return /[.eE]/.test(number) ? Number.isInteger(value) : exact && !Number.isSafeInteger(value)
}
