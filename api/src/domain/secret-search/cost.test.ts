// Searching costs no more than 50 ms for the largest chunk that comes at once, whatever is in it, and grows no faster than the text.
import { expect, it } from 'vitest'
import { processorMs } from '../../../test/processor-time.ts'
import { createScrub } from '../../gateway/scrub.ts'

const MOST_MS = 50
const CHUNK = 64 << 10
const SECRETS = [
  `ya29.${'a0AfH6SMBxQz9kQwvL'.repeat(9)}`,
  `1//${'xY7_qqzzK'.repeat(9)}`,
  'GOCSPX-Zk3_abcdEFGHijklmnop',
  'short-password',
  'a'.repeat(2000),
]
const scrub = createScrub(SECRETS)

const filled = (piece: string) => Buffer.from(piece.repeat(Math.ceil(CHUNK / piece.length))).subarray(0, CHUNK)
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64')
const hex = (text: string) => Buffer.from(text).toString('hex')
const words = 'words that somebody wrote, '.repeat(2500)
const noise = Buffer.from(Array.from({ length: CHUNK }, (_, i) => (i * i * 31 + i * 17) % 251))

const shapes: Record<string, string | Buffer> = {
  ...Object.fromEntries(['a', 'A', 'U', '1', '%', '%2', '%25', '\\', '\\u', '\\u0041', '&', '&a', '&#', '&#65', '&amp;', '&#38;#38;', '\n', '\n ', ' ', '[', 'UFBQ', 'MTEx', '3131', '33', '/'].map((piece) => [`“${piece}” again and again`, piece])), // biome-ignore format: a list
  'percent upon percent': `%${'25'.repeat(CHUNK)}`,
  'backslashes upon backslashes, and a letter': `${'\\'.repeat(4000)}u0041`,
  'a deep indent': `a\n${' '.repeat(62)}`,
  'beginnings of names': '&aaaaaaaaaaaaaaaaa',
  'a secret': SECRETS[0]!,
  'nearly a run of a secret': SECRETS[0]!.slice(0, 15),
  'one letter of a secret': 'a'.repeat(CHUNK),
  'noise in base64': base64(noise),
  'noise in lines of base64': base64(noise).replace(/.{76}/g, '$&\r\n'),
  'words in base64': base64(words),
  'words in base64 four deep': base64(base64(base64(base64(words)))),
  'words in hexadecimal digits': hex(words),
  'words in hexadecimal digits twice': hex(hex(words)),
  'escapes in base64': base64('%41'.repeat(30_000)),
  'percent upon percent in base64': base64(`%${'25'.repeat(30_000)}`),
  'entities in base64 in percent': encodeURIComponent(base64('&#x41;'.repeat(20_000))),
}

it.each(Object.entries(shapes))('a chunk with %s', (_, shape) => {
  const chunk = filled(shape.toString())
  const push = () => scrub.scrubber().push(Buffer.from(chunk))
  expect(processorMs(push, MOST_MS)).toBeLessThan(MOST_MS)
  // Behind the end of another, which is read once more.
  const second = () => {
    const one = scrub.scrubber()
    one.push(Buffer.from(chunk.subarray(0, 1000)))
    one.push(Buffer.from(chunk))
  }
  expect(processorMs(second, MOST_MS)).toBeLessThan(MOST_MS)
})

it.each(Object.entries(shapes))('%s byte by byte', (_, shape) => {
  const bytes = filled(shape.toString()).subarray(0, 2000)
  const singly = () => {
    const one = scrub.scrubber()
    for (let i = 0; i < bytes.length; i++) one.push(Buffer.from(bytes.subarray(i, i + 1)))
  }
  // Each costs what is kept of those before, and that is bounded.
  expect(processorMs(singly, 2000)).toBeLessThan(2000)
})
