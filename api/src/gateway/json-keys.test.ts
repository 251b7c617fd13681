import { expect, it } from 'vitest'
import { hasRepeatedKeys } from './json-keys.ts'

it.each([
  ['{}', false],
  ['[{"a":1},{"a":2}]', false],
  ['{"a":{"a":[{"a":1}]},"b":"a"}', false],
  ['{"a":"b\\": {","b":"\\"a\\":"}', false],
  ['{"a":1,"a":2}', true],
  ['{"a":1 , "a" : 2}', true],
  ['{"a":1,"\\u0061":2}', true],
  ['{"ReportFrequency":1,"reportFrequency":2}', true],
  ['{"a_b":1,"aB":2}', true],
  ['{"x":[{"y":{"a":1,"b":2,"a":3}}]}', true],
])('%s: %s', (text, repeated) => expect(hasRepeatedKeys(text)).toBe(repeated))
