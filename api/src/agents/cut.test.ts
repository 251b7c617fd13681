// An answer is cut where a row ends, and cutting costs no more than reading it, whatever its shape.
import { expect, test } from 'vitest'
import { processorMs } from '../../test/processor-time.ts'
import { cutAnswer, MOST_BYTES, MOST_CHARACTERS } from './cut.ts'

const many = (count: number, member: (n: number) => string) => Array.from({ length: count }, (_, n) => member(n)).join(',')
const filled = (piece: string, length = MOST_BYTES - 200) => piece.repeat(Math.floor(length / piece.length))
const ID = '12345678901234567890'

test.each<[name: string, text: string]>([
  [
    'rows on several lines',
    JSON.stringify({ next: 'x', rows: Array.from({ length: 5000 }, (_, n) => ({ n, name: `row ${n}` })) }, null, 4),
  ],
  ['rows with IDs', `{"next":"x","rows":[${many(5000, () => `[${ID},${ID}]`)}]}`],
  ['rows with numbers that grow', `{"next":"x","rows":[${many(20_000, () => '1e20')}]}`],
  ['one row of many in a list of lists', `{"data":[{"rows":[${many(9000, (n) => `"row ${n}"`)}],"next":"x"}]}`],
  ['brackets and marks in names', `{"]},[{\\"":[${many(9000, (n) => `{"],{\\\\":"row ${n}"}`)}]}`],
])('%s: as many rows as there is room for', (_, text) => {
  const { data, cut } = cutAnswer(text, true, true)
  const length = JSON.stringify(data).length
  expect(length).toBeLessThanOrEqual(MOST_CHARACTERS)
  expect(length).toBeGreaterThan(MOST_CHARACTERS * 0.9)
  expect(cut).toMatch(/^Only the first [1-9]\d* of \d+ rows/)
})

test.each<[name: string, text: string]>([
  ['no list', `{${many(9000, (n) => `"k${n}":1`)}}`],
  ['a list far below the top', `{"a":{"b":{"c":{"d":{"e":[${many(20_000, () => '12')}]}}}}}`],
  ['a first row that is longer than there is room for', `[${JSON.stringify('x'.repeat(50_000))},1]`],
  ['no JSON', `[${many(30_000, () => '1')}`],
  ['rows that are no JSON', `[${many(30_000, () => 'x')}]`],
])('%s: cut as text', (_, text) => {
  expect(cutAnswer(text, true, true).text).toBe(text.slice(0, MOST_CHARACTERS))
})

test('many blanks are no reason to cut', () => {
  const rows = Array.from({ length: 2000 }, (_, n) => n)
  expect(cutAnswer(JSON.stringify({ rows }, null, 40), true, true)).toEqual({ data: { rows } })
})

/** Answers as large as they are read. */
const SHAPES: Record<string, string> = {
  'a large list before thousands of small ones': `{"a":[${filled('1,', 900_000)}1],${many(5000, (n) => `"k${n}":[1,2]`)}}`,
  'lists that grow': `{${many(1400, (n) => `"k${n}":[${filled('1,', n)}1,1]`)}}`,
  'lists beside lists': `{"a":{"b":{"c":{${many(60_000, (n) => `"k${n}":[1,2]`)}}}}}`,
  'lists of one': `[[[[{${many(60_000, (n) => `"k${n}":[[1,2]]`)}}]]]]`,
  'many values, one of them an ID': `{"id":${ID},"a":[${filled('1,')}1]}`,
  IDs: `{"a":[${filled(`${ID},`)}1]}`,
  'many names': `{"id":${ID},${many(70_000, (n) => `"k${n}":1`)}}`,
  rows: `{"a":[${many(20_000, (n) => `{"id":${ID},"name":"n${n}"}`)}]}`,
  'rows with names of their own': `{"a":[${many(36_000, (n) => `{"k${n}":${n},"l${n}":2}`)}]}`,
  'deep lists': '['.repeat(500_000) + ']'.repeat(500_000),
  'deep objects': `${'{"a":'.repeat(170_000)}1${'}'.repeat(170_000)}`,
  escapes: `["${filled('\\u0041')}",1]`,
  backslashes: `["${filled('\\\\')}",1]`,
  'escaped quotation marks': `["${filled('\\"')}",1]`,
  'quotation marks without an end': filled('"'),
  'empty lists': `{"id":${ID},"a":[${filled('[],')}1]}`,
  'empty objects': `{"id":${ID},"a":[${filled('{},')}1]}`,
  'empty texts': `{"id":${ID},"a":[${filled('"",')}1]}`,
  fractions: `[${filled('0.1234567890123456,')}1]`,
  'numbers that grow': `[${filled('1e20,')}1]`,
  'one number': filled('1'),
  digits: filled('111111111111111,'),
  blanks: `[1,${filled(' ')}2]`,
  commas: filled(','),
  brackets: filled('['),
  'closing brackets': filled(']'),
}

test('no shape holds up the others', () => {
  const slow = Object.entries(SHAPES).flatMap(([name, text]) => {
    const ms = processorMs(() => cutAnswer(text, true, true), 50)
    return ms > 50 ? [`${name}: ${Math.round(ms)} ms`] : []
  })
  expect(slow).toEqual([])
})
