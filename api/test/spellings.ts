// Ways to spell a text, written down a second time: each knows which characters of the secret every sign comes from,
// so that a test can tell what somebody learns from the signs that are left.

/** A sign, and the characters of the secret that it tells of. */
export interface Sign {
  readonly byte: number
  readonly from: number
  readonly to: number
}

export type Spelling = (signs: readonly Sign[]) => Sign[]

export const signsOf = (secret: string): Sign[] => [...Buffer.from(secret)].map((byte, i) => ({ byte, from: i, to: i + 1 }))
export const bytesOf = (signs: readonly Sign[]): Buffer => Buffer.from(signs.map(({ byte }) => byte))

/** What belongs to no character of the secret. */
const other = (text: string): Sign[] => [...Buffer.from(text)].map((byte) => ({ byte, from: 0, to: 0 }))

const each =
  (spell: (byte: number) => string): Spelling =>
  (signs) =>
    signs.flatMap(({ byte, from, to }) => [...Buffer.from(spell(byte), 'latin1')].map((one) => ({ byte: one, from, to })))

const digits = (byte: number, count = 2) => byte.toString(16).padStart(count, '0')
const plain = (byte: number) => String.fromCharCode(byte)
const escapedAs = (unsafe: RegExp, spell: (byte: number) => string) =>
  each((byte) => (unsafe.test(plain(byte)) ? spell(byte) : plain(byte)))
const reversedCase = (text: string) => text.replace(/[a-z]/gi, (letter) => (letter < 'a' ? letter.toLowerCase() : letter.toUpperCase()))

const percent = escapedAs(/[^\w.~-]/, (byte) => `%${digits(byte).toUpperCase()}`)
const percentThroughout = each((byte) => `%${digits(byte)}`)
const json = escapedAs(/["\\\n]/, (byte) => (byte === 10 ? '\\n' : `\\${plain(byte)}`))
const NAMES: Record<string, string> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos', '/': 'sol', '+': 'plus', '=': 'equals', '.': 'period', _: 'lowbar', ':': 'colon', '|': 'vert', '%': 'percnt', '\n': 'NewLine' } // biome-ignore format: a table

/** `before` stands in front of the secret and shifts it; `width`: a line break after so many. */
const base64 =
  (before: string, url: boolean, width = 0, lineBreak = '\n'): Spelling =>
  (secret) => {
    const signs = [...other(before), ...secret]
    const text = bytesOf(signs).toString(url ? 'base64url' : 'base64')
    return [...text].flatMap((sign, i) => {
      const [first, last] = [Math.floor((i * 6) / 8), Math.floor((i * 6 + 5) / 8)]
      const told = signs.slice(first, last + 1).filter(({ from, to }) => to > from)
      const one = { byte: sign.charCodeAt(0), from: told[0]?.from ?? 0, to: told.at(-1)?.to ?? 0 }
      return width && i && i % width === 0 ? [...other(lineBreak), one] : [one]
    })
  }

const twice =
  (spelling: Spelling): Spelling =>
  (signs) =>
    spelling(spelling(signs))

export const spellings: Readonly<Record<string, Spelling>> = {
  percent,
  'percent throughout': percentThroughout,
  'percent, case of digits reversed': each((byte) => `%${reversedCase(digits(byte))}`),
  'double percent': twice(percent),
  'double percent throughout': twice(percentThroughout),
  'JSON \\u': each((byte) => `\\u${digits(byte, 4)}`),
  'JSON \\u, case of digits reversed': each((byte) => `\\u${reversedCase(digits(byte, 4))}`),
  'JSON, slashes escaped': (signs) => escapedAs(/\//, () => '\\/')(json(signs)),
  'JSON in JSON': (signs) => json([...other('{"a":"'), ...json(signs), ...other('"}')]),
  'JSON in JSON in JSON': (signs) => json(json([...other('["'), ...json(signs), ...other('"]')])),
  'HTML, named': escapedAs(/[&<>"'/+=._:|%\n]/, (byte) => `&${NAMES[plain(byte)]};`),
  'HTML, decimal': each((byte) => `&#${byte};`),
  'HTML, decimal, padded': each((byte) => `&#${String(byte).padStart(5, '0')};`),
  'HTML, hexadecimal': each((byte) => `&#x${digits(byte)};`),
  'HTML, hexadecimal in capitals': each((byte) => `&#X${digits(byte).toUpperCase()};`),
  base64: base64('', false),
  'base64 behind one': base64('u', false),
  'base64 behind two': base64('u:', false),
  'base64 in lines': base64('', false, 64),
  'base64 behind one, in lines': base64('u', false, 76, '\r\n'),
  'base64 behind two, in short lines': base64('u:', false, 20),
  'base64 in folded lines': base64('id=', false, 60, '\r\n  '),
  base64url: base64('', true),
  'base64url behind one': base64('u', true),
  'base64url behind two': base64('u:', true),
  hexadecimal: each((byte) => digits(byte)),
  'hexadecimal in capitals': each((byte) => digits(byte).toUpperCase()),
  '\\x': each((byte) => `\\x${digits(byte)}`),
  'JavaScript \\u{}': each((byte) => `\\u{${digits(byte)}}`),
  'JavaScript \\u{}, padded': each((byte) => `\\u{${digits(byte, 6)}}`),
  octal: each((byte) => `\\${byte.toString(8).padStart(3, '0')}`),
  '\\x in capitals': each((byte) => `\\x${digits(byte).toUpperCase()}`),
}

/** The longest run of characters of the secret that can be read from what is left of its signs. */
export function longestLeak(signs: readonly Sign[], left: Uint8Array, length: number): number {
  const known = new Uint8Array(length).fill(1)
  const seen = new Uint8Array(length)
  for (const [i, { byte, from, to }] of signs.entries()) {
    if (to > from) (left[i] === byte ? seen : known).fill(left[i] === byte ? 1 : 0, from, to)
  }
  let [longest, run] = [0, 0]
  for (let i = 0; i < length; i++) {
    run = known[i] && seen[i] ? run + 1 : 0
    longest = Math.max(longest, run)
  }
  return longest
}
