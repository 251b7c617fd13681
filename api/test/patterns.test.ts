// A regular expression that takes quadratic time lets one small request stop the process for everybody.
// Every pattern in the service is tried with texts that would make such a pattern slow.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { processorMs } from './processor-time.ts'

const ROOTS = ['../src', '../../contract/src'].map((path) => join(import.meta.dirname, path))
const LENGTH = 20_000
/** Milliseconds of processor time, not of the clock: a linear pattern takes less than 1, a quadratic one seconds. */
const MAX_MS = 400

/** Patterns that never meet what clients send, or only valid JSON, in which every string ends. */
const EXEMPT = ['/db/migrate.ts', '/db/embedded', '/admin/', '/gateway/json-keys.ts', '/gateway/json-numbers.ts']

/** Pieces that, repeated, begin again and again like a match, and never end like one. */
const HOSTILE_PIECES = [
  'a',
  '1',
  ' ',
  '\t',
  '\n',
  '[',
  ']',
  '{',
  '(',
  '<',
  '"',
  "'",
  '\\',
  '/',
  '//:',
  ':',
  '=',
  '&',
  ';',
  ',',
  '.',
  '-',
  '_',
  '*',
  '%',
  '%2',
  '@',
  'a@',
  'a.',
  'a-',
  '1.',
  '1e',
  '"\\',
  'customers/',
  'charset',
  'charset ',
  'act_',
  '=*',
  '/a',
  '.a',
  'ab ',
  ' a',
  'İ',
]

interface FoundPattern {
  readonly where: string
  readonly pattern: RegExp
}

/** A rough search: it may find what is not a pattern, but must not miss one. */
function patternsIn(file: string): FoundPattern[] {
  const found = readFileSync(file, 'utf8').matchAll(
    /(?<=[=(,:?&|!{}[;\s])\/((?:[^/\\\n[*]|\\.|\[(?:[^\]\\\n]|\\.)*\])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])*)\/([dgimsuvy]*)/g,
  )
  return [...found].flatMap(([text, source, flags]) => {
    try {
      return [{ where: `${file.split('/').slice(-2).join('/')} ${text}`, pattern: new RegExp(source!, flags!.replace('y', '')) }]
    } catch {
      return []
    }
  })
}

const patterns = ROOTS.flatMap((root) =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !EXEMPT.some((part) => `/${file}`.includes(part)))
    .flatMap((file) => patternsIn(join(root, file))),
)

/** A short text first, so that a quadratic pattern is found before it slows down the test. */
function isSlow({ pattern }: FoundPattern, piece: string): boolean {
  for (const length of [LENGTH / 10, LENGTH]) {
    const texts = [piece.repeat(Math.ceil(length / piece.length)), `x${piece.repeat(Math.ceil(length / piece.length))}x`]
    const limit = Math.max(MAX_MS * (length / LENGTH) ** 2, 30)
    if (texts.some((text) => processorMs(() => text.replace(pattern, ''), limit) > limit)) return true
  }
  return false
}

test('every pattern takes linear time', () => {
  expect(patterns.length).toBeGreaterThan(300)
  const slow = patterns.flatMap((found) =>
    HOSTILE_PIECES.filter((piece) => isSlow(found, piece)).map((piece) => `${found.where} on ${JSON.stringify(piece)}`),
  )
  expect(slow).toEqual([])
})
