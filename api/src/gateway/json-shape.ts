// JSON as it is judged: every name is looked at with all names around it, so that a small text can ask for a lot of looking.
import { hasRepeatedKeys } from './json-keys.ts'
import { oddNumbersAsTexts } from './json-numbers.ts'
import { LONGEST_NAME } from './names.ts'

const DEEPEST = 64
/** Of all names together, each with those around it: more than a list of thousands of objects has. */
const MOST_CHARACTERS = 2 << 20
/** What a value costs besides. */
const EACH = 8

/** Read differently by different readers, or costs more than a call may: nobody can say what is in it. */
export const UNREADABLE = Symbol('unreadable')

/** Undefined: it is no JSON. */
export function readJson(text: string): { readonly value: unknown } | typeof UNREADABLE | undefined {
  let asNumbers: unknown
  try {
    asNumbers = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isReasonable(asNumbers) || hasRepeatedKeys(text)) return UNREADABLE
  const exact = oddNumbersAsTexts(text)
  return { value: exact === text ? asNumbers : (JSON.parse(exact) as unknown) }
}

function isReasonable(whole: unknown): boolean {
  let left = MOST_CHARACTERS
  const fits = (value: unknown, around: number, depth: number): boolean => {
    left -= around + EACH
    if (depth > DEEPEST || left < 0) return false
    if (typeof value !== 'object' || value === null) return true
    if (Array.isArray(value)) return value.every((item) => fits(item, around, depth + 1))
    return Object.entries(value).every(([name, inner]) => name.length <= LONGEST_NAME && fits(inner, around + name.length + 1, depth + 1))
  }
  return fits(whole, 0, 0)
}
