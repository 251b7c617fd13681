// A pattern that takes the square of a text's length lets one small request stop the process for everybody.
// Every pattern in the service meets texts made to cost it dearly.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const ROOTS = ['../src', '../../contract/src'].map((path) => join(import.meta.dirname, path))
const LENGTH = 20_000
/** Milliseconds of processor time, not of the clock: a linear one takes less than one, a square one many seconds. */
const MOST_MS = 400

/** Of scripts, not of what the service reads; and of texts that were parsed as JSON before, in which every string ends. */
const OURS_ALONE = ['/db/migrate.ts', '/db/embedded', '/admin/', '/gateway/json-keys.ts', '/gateway/json-numbers.ts']

/** What begins like what a pattern looks for, over and over, and never ends like it. */
const HOSTILE = [
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

interface Written {
  readonly where: string
  readonly pattern: RegExp
}

/** Roughly: what is no pattern does not hurt, as long as no pattern is missed. */
function patternsIn(file: string): Written[] {
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
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !OURS_ALONE.some((part) => `/${file}`.includes(part)))
    .flatMap((file) => patternsIn(join(root, file))),
)

const processorMs = (work: () => unknown): number => {
  const before = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}

/** Grows: a square one is found out long before it costs the test its patience. */
function costs({ pattern }: Written, piece: string): boolean {
  for (const length of [LENGTH / 10, LENGTH]) {
    const texts = [piece.repeat(Math.ceil(length / piece.length)), `x${piece.repeat(Math.ceil(length / piece.length))}x`]
    const most = MOST_MS * (length / LENGTH) ** 2
    if (texts.some((text) => processorMs(() => text.replace(pattern, '')) > Math.max(most, 30)))
      return length === LENGTH || processorMs(() => texts[1]!.replace(pattern, '')) > 100
  }
  return false
}

test('no pattern costs more than a text is long', () => {
  expect(patterns.length).toBeGreaterThan(300)
  const costly = patterns.flatMap((written) =>
    HOSTILE.filter((piece) => costs(written, piece)).map((piece) => `${written.where} on ${JSON.stringify(piece)}`),
  )
  expect(costly).toEqual([])
})
