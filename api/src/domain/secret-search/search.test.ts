// Not every byte of a text is looked at: wherever a run of a secret stands, and however short its lines are, bytes that are looked at are in it.
import { expect, it } from 'vitest'
import { createSecretSearch } from './search.ts'

const SECRET = 'Zk3_abcdEFGHijklmnopqrstuvwxyz/0123456789+Tz~Q'
const NOISE = Buffer.from([0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa])

const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64').replace(/=+$/, '')
const hex = (text: string) => Buffer.from(text).toString('hex')
/** Beside the secret, what is no text is packed. */
const base64Behind = (before: number) => (text: string) => base64(Buffer.concat([NOISE.subarray(0, before), Buffer.from(text), NOISE]))
const inLines = (text: string, width: number, end: string) => text.replace(new RegExp(`.{${width}}(?!$)`, 'g'), `$&${end}`)

const packings: Record<string, (text: string) => string> = {
  'as it is': (text) => text,
  ...Object.fromEntries([0, 1, 2, 3, 4, 5].map((before) => [`base64 behind ${before} bytes`, base64Behind(before)])),
  base64,
  'base64 in base64': (text) => base64(base64(text)),
  'hexadecimal digits': hex,
  'hexadecimal digits in upper case': (text) => hex(text).toUpperCase(),
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 7, 8, 11, 13, 19, 22].flatMap((width) => [
      [`base64 in lines of ${width}`, (text: string) => inLines(base64(text), width, '\n')],
      [`base64 in indented lines of ${width}`, (text: string) => inLines(base64Behind(2)(text), width, '\r\n         ')],
      [`hexadecimal digits in lines of ${width}`, (text: string) => inLines(hex(text), width, '\n\t')],
    ]),
  ),
}

/** The whole of a short secret, or sixteen characters from anywhere in a longer one. */
const runs: [secret: string, run: string][] = [
  ...[12, 13, 14, 15, 16].map((length): [string, string] => [SECRET.slice(0, length), SECRET.slice(0, length)]),
  ...[0, 1, 5, 14, SECRET.length - 16].map((at): [string, string] => [SECRET, SECRET.slice(at, at + 16)]),
  ['p"ä$ss wörd/with_all', 'p"ä$ss wörd/with_all'],
  ['ab3-'.repeat(30), 'ab3-'.repeat(4)],
]

it.each(runs)('finds in “%s” the run “%s” at every place of a text, however it is packed', (secret, run) => {
  const search = createSecretSearch([secret])!
  const missed = Object.entries(packings).flatMap(([name, packing]) =>
    Array.from({ length: 26 }, (_, at) => at).flatMap((at) => {
      const bytes = Buffer.from(`${'"x", '.repeat(8).slice(0, at)}"${packing(run)}" `)
      const [[from, to] = [0, 0]] = search.look(bytes, false).spans
      return to - from >= run.length ? [] : [`${name} at ${at}`]
    }),
  )
  expect(missed).toEqual([])
})
