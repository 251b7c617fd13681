import { expect, test } from 'vitest'
import { exactJson, hasMoreValues, walkJson } from './json-text.ts'

test.each([
  ['{"id":12345678901234567890,"n":-12345678901234567890}', { id: '12345678901234567890', n: '-12345678901234567890' }],
  ['[ 9007199254740991 , 9007199254740993 ]', [9007199254740991, '9007199254740993']],
  [
    '{"1234567890123456789":"1234567890123456789, \\" 1234567890123456789"}',
    { '1234567890123456789': '1234567890123456789, " 1234567890123456789' },
  ],
  ['[1234567890123456789.5,1.2345678901234567890e3,1e400]', ['1234567890123456789.5', '1.2345678901234567890e3', '1e400'].map(Number)],
  ['{"a":"\\\\","b":1234567890123456789}', { a: '\\', b: '1234567890123456789' }],
])('%s keeps its long numbers as they are written', (text, value) => {
  expect(exactJson(text)).toEqual(value)
})

test.each([
  '{1234567890123456789:1}',
  '{1234567890123456789 :1}',
  '[01234567890123456789]',
  '[1234567890123456789',
  '"1234567890123456789',
  '+1234567890123456789',
  '[1234567890123456789"a"]',
])('%s is no JSON, however it is read', (text) => {
  expect(() => exactJson(text)).toThrow(SyntaxError)
})

test('what stands in a text is no mark, and blanks between values weigh nothing', () => {
  const marks: string[] = []
  const text = '{ "a,[\\"{" : [ 1, 2 ] }'
  const weight = walkJson(text, 0, (mark) => void marks.push(mark))
  expect(marks.join('')).toBe('{[,]}')
  expect(weight).toBe(text.replaceAll(' ', '').length)
})

test('values are counted by what stands between them, and each different name like five', () => {
  const text = '{"a":[1,2,{"b,c" : "d,e"}],"f":3,"a":{"a":"\\":"}}'
  expect([hasMoreValues(text, 20), hasMoreValues(text, 19)]).toEqual([false, true])
})
