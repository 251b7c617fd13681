// JSON as text, walked over once: what does not fit in a double stays as it is written, and what is large is measured without being built.
import { isNewName, newMark } from './json-names.ts'

const QUOTE = 0x22
const COMMA = 0x2c
const BACKSLASH = 0x5c
const COLON = 0x3a

/** Whole numbers with more digits than a double holds become texts: they are IDs. Throws for what is no JSON. */
export const exactJson = (text: string): unknown => JSON.parse(hasLongNumber(text) ? longNumbersAsTexts(text) : text)

const LONG = 16

const isDigit = (code: number) => code >= 0x30 && code <= 0x39
const isBlank = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** A run that long stands at one of every sixteen characters: only these are looked at. A pattern would look at all of them, and back. */
function hasLongNumber(text: string): boolean {
  for (let at = LONG - 1; at < text.length; at += LONG) {
    if (!isDigit(text.charCodeAt(at))) continue
    let [from, to] = [at, at]
    while (isDigit(text.charCodeAt(from - 1))) from--
    while (isDigit(text.charCodeAt(to + 1))) to++
    if (to - from >= LONG - 1) return true
    at = to
  }
  return false
}

/** What is no JSON stays none: digits that name a member, and those that begin with a zero, are left alone. */
function longNumbersAsTexts(text: string): string {
  const parts: string[] = []
  let kept = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfText(text, at)
    if (!isDigit(code)) continue
    const end = endOfNumber(text, at)
    const from = text[at - 1] === '-' ? at - 1 : at
    const token = end - from >= LONG ? text.slice(from, end) : ''
    if (/^-?[1-9]\d+$/.test(token) && !Number.isSafeInteger(Number(token)) && afterBlanks(text, end) !== COLON) {
      parts.push(text.slice(kept, from), `"${token}"`)
      kept = end
    }
    at = end - 1
  }
  return parts.join('') + text.slice(kept)
}

/** With its fraction and exponent. */
function endOfNumber(text: string, from: number): number {
  let end = from + 1
  while (isDigit(text.charCodeAt(end)) || '.eE+-'.includes(text[end] ?? ' ')) end++
  return end
}

function afterBlanks(text: string, from: number): number {
  let at = from
  while (isBlank(text.charCodeAt(at))) at++
  return text.charCodeAt(at)
}

/** Where the closing quotation mark is; the end of the text where there is none. */
function endOfText(text: string, from: number): number {
  for (let end = text.indexOf('"', from + 1); end > 0; end = text.indexOf('"', end + 1)) {
    let before = end - 1
    while (text.charCodeAt(before) === BACKSLASH) before--
    if ((end - before) % 2) return end
  }
  return text.length
}

/** Goes over brackets, braces and commas, until `visit` is true. `weight` counts what stands before it, without the blanks between values. */
export function walkJson(text: string, from: number, visit: (mark: string, at: number, weight: number) => boolean | undefined): number {
  let weight = 0
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isBlank(code)) continue
    if (code === QUOTE) {
      const end = endOfText(text, at)
      weight += end - at
      at = end
    } else if (code < 128 && MARKS[code] && visit(text[at]!, at, weight)) return weight
    weight++
  }
  return weight
}

/** A name that no other member has had costs as much to read as these. */
const NAME_VALUES = 5

/** Values cost more than the characters that they are written with, and names of their own more than values. */
export function hasMoreValues(text: string, most: number): boolean {
  const mark = newMark()
  let values = 1
  for (let at = 0; at < text.length && values <= most; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA) values++
    else if (code === QUOTE) {
      const end = endOfText(text, at)
      if (isName(text, end + 1) && isNewName(text, at, end, mark)) values += NAME_VALUES
      at = end
    }
  }
  return values > most
}

function isName(text: string, behind: number): boolean {
  let at = behind
  while (isBlank(text.charCodeAt(at))) at++
  return text.charCodeAt(at) === COLON
}

const MARKS = Uint8Array.from({ length: 128 }, (_, code) => ('[]{},'.includes(String.fromCharCode(code)) ? 1 : 0))
