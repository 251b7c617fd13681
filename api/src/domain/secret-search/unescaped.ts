// Text as it reads once every escape in it is taken for what it stands for, and every escape that appears by that,
// again and again: percent, JSON, JavaScript and HTML, in any order.
import { namedCharacters } from './named-characters.ts'

export interface Unescaped {
  readonly bytes: Uint8Array
  /**
   * Where each of them begins in the source, and, as the last one, where they end:
   * before the end of the source where an escape begins that is not all there yet.
   */
  readonly from: Uint32Array
}

const code = (sign: string) => sign.charCodeAt(0)
const signs = '%&\\;#ux{}03'
const [PERCENT, AMPERSAND, BACKSLASH, SEMICOLON, HASH, U, X, OPEN, CLOSE, ZERO, THREE] = [...signs].map(code) as number[] &
  Record<0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10, number>
/** Escapes upon escapes: nobody means more, and each costs a pass. */
const MOST_PASSES = 12
/** Of the name of a character. */
const LONGEST_NAME = 18
/** Of a number in braces, zeros in front of it included. */
const MOST_DIGITS = 12
const CONTROL = new Map([['n', '\n'], ['r', '\r'], ['t', '\t'], ['b', '\b'], ['f', '\f']].map(([letter, sign]) => [code(letter!), code(sign!)])) // biome-ignore format: a table

export const HEX = new Int8Array(256).fill(-1)
for (const [value, digit] of [...'0123456789abcdef'].entries()) for (const one of [digit, digit.toUpperCase()]) HEX[code(one)] = value
const BEGINS = new Uint8Array(256)
for (const byte of [PERCENT, AMPERSAND, BACKSLASH]) BEGINS[byte] = 1
const IN_NAMES = Uint8Array.from({ length: 256 }, (_, byte) => Number(/[#0-9A-Za-z]/.test(String.fromCharCode(byte))))

/** Fast: the engine looks for each of them many bytes at a time. */
export const isEscaped = (source: Buffer): boolean => source.includes(PERCENT) || source.includes(BACKSLASH) || source.includes(AMPERSAND)

/** Undefined: it reads as it is. `open`: more may follow. */
export function unescaped(source: Uint8Array, open: boolean): Unescaped | undefined {
  let read = once(source, open)
  for (let pass = 1; read?.changed && pass < MOST_PASSES; pass++) {
    const next = once(read.bytes, open)
    if (!next) break
    for (let i = 0; i < next.from.length; i++) next.from[i] = read.from[next.from[i]!]!
    read = next
  }
  return read
}

function once(source: Uint8Array, open: boolean): (Unescaped & { readonly changed: boolean }) | undefined {
  let i = 0
  while (i < source.length && !(BEGINS[source[i]!] && escapeAt(source, i, open))) i++
  if (i === source.length) return undefined
  const bytes = new Uint8Array(source.length)
  const from = new Uint32Array(source.length + 1)
  bytes.set(source.subarray(0, i))
  for (let at = 0; at < i; at++) from[at] = at
  let length = i
  let changed = false
  while (i < source.length) {
    const byte = source[i]!
    const width = BEGINS[byte] ? escapeAt(source, i, open) : 0
    if (width < 0) break
    if (width) changed = true
    if (width && wide) {
      for (const one of Buffer.from(String.fromCodePoint(value))) {
        bytes[length] = one
        from[length++] = i
      }
    } else {
      bytes[length] = width ? value : byte
      from[length++] = i
    }
    i += width || 1
  }
  from[length] = i
  return { bytes: bytes.subarray(0, length), from: from.subarray(0, length + 1), changed }
}

/** Of the escape that was read last: what it stands for, and whether that takes several bytes. */
let value = 0
let wide = false

/** How many bytes the escape at this place has; 0: there is none; -1: it may be one, once it is all there. */
function escapeAt(source: Uint8Array, at: number, open: boolean): number {
  const lead = source[at]!
  const kind = source[at + 1]
  if (kind === undefined) return open ? -1 : 0
  if (lead === AMPERSAND) return characterAt(source, at, open)
  if (lead === PERCENT) return kind === U ? digitsAt(source, at, 2, 4, open) : digitsAt(source, at, 1, 2, open)
  if (kind === U) return source[at + 2] === OPEN ? bracedAt(source, at, open) : digitsAt(source, at, 2, 4, open)
  if (kind === X) return digitsAt(source, at, 2, 2, open)
  if (kind >= ZERO && kind <= THREE) {
    const octal = octalAt(source, at, open)
    if (octal) return octal
  }
  // Before anything else a backslash only protects it.
  value = CONTROL.get(kind) ?? kind
  wide = false
  return 2
}

function digitsAt(source: Uint8Array, at: number, skipped: number, count: number, open: boolean): number {
  value = 0
  for (let i = at + skipped; i < at + skipped + count; i++) {
    if (i >= source.length) return open ? -1 : 0
    const digit = HEX[source[i]!]!
    if (digit < 0) return 0
    value = value * 16 + digit
  }
  wide = count === 4 && value >= 0x80
  return skipped + count
}

/** `\u{79}` of JavaScript. */
function bracedAt(source: Uint8Array, at: number, open: boolean): number {
  value = 0
  let i = at + 3
  for (; i < at + 3 + MOST_DIGITS && i < source.length && HEX[source[i]!]! >= 0; i++) value = value * 16 + HEX[source[i]!]!
  if (i === source.length) return open ? -1 : 0
  wide = value >= 0x80
  return source[i] === CLOSE && i > at + 3 && value <= 0x10ffff ? i + 1 - at : 0
}

/** `\171` of C and of older JavaScript: three digits, since fewer may as well be digits that are protected. */
function octalAt(source: Uint8Array, at: number, open: boolean): number {
  value = 0
  for (let i = at + 1; i < at + 4; i++) {
    if (i >= source.length) return open ? -1 : 0
    const digit = HEX[source[i]!]!
    if (digit < 0 || digit > 7) return 0
    value = value * 8 + digit
  }
  wide = false
  return 4
}

/** `&#65;`, `&#x41;` or `&amp;`; browsers read a number without its semicolon too. */
function characterAt(source: Uint8Array, at: number, open: boolean): number {
  let end = at + 1
  while (end < source.length && end - at <= LONGEST_NAME && IN_NAMES[source[end]!]) end++
  if (end === source.length && open && end - at <= LONGEST_NAME) return -1
  const closed = source[end] === SEMICOLON
  const numbered = source[at + 1] === HASH
  if (!closed && !numbered) return 0
  const name = String.fromCharCode(...source.subarray(at + 1, end))
  const found = numbered ? numberOf(name) : (namedCharacters.get(name) ?? namedCharacters.get(name.toLowerCase()))
  if (found === undefined || found > 0x10ffff) return 0
  value = found
  wide = found >= 0x80
  return end - at + Number(closed)
}

const numberOf = (name: string): number | undefined => {
  const [, hex, decimal] = /^#(?:x([\da-f]+)|(\d+))$/i.exec(name) ?? []
  return hex ? Number.parseInt(hex, 16) : decimal ? Number.parseInt(decimal, 10) : undefined
}
