import { describe, expect, it } from 'vitest'
import { checkFields, withDefaults } from './fields.ts'
import { field } from './provider.ts'

const fields = [
  field('customerId', 'Customer ID', { pattern: '^[0-9]{10}$', help: 'Ten digits.', tidy: (value) => value.replaceAll('-', '') }),
  field('region', 'Region', { options: ['NA', 'EU'], default: 'NA' }),
  field('password', 'Password', { secret: true, required: false }),
  field('expiresOn', 'Expires on', { type: 'date', required: false }),
]
const problems = (input: unknown, options = {}) => checkFields(fields, input, options).problems

describe('what people enter', () => {
  it('is tidied, trimmed unless secret, and completed with defaults', () => {
    expect(checkFields(fields, { customerId: ' 123-456-7890 ', password: ' a b ' }).values).toEqual({
      customerId: '1234567890',
      region: 'NA',
      password: ' a b ',
    })
    expect(checkFields(fields, { customerId: '1234567890', password: '', expiresOn: null }).values).toEqual({
      customerId: '1234567890',
      region: 'NA',
    })
  })

  it('is refused with every problem at once, each naming its field and what to do', () => {
    expect(problems({ customerId: '12', region: 'MARS', colour: 'red', password: 7 }, { prefix: 'settings.' })).toEqual([
      { path: 'settings.customerId', message: 'Customer ID is not in the right format. Ten digits.' },
      { path: 'settings.region', message: 'Region must be one of NA, EU.' },
      { path: 'settings.colour', message: 'is not a field of this provider; known are customerId, region, password, expiresOn' },
      { path: 'settings.password', message: 'Password must be a string' },
    ])
    expect(problems({})).toEqual([{ path: 'customerId', message: 'Customer ID is required. Ten digits.' }])
    expect(problems({ customerId: '   ' })).toEqual([{ path: 'customerId', message: 'Customer ID is required. Ten digits.' }])
  })

  it('may be partial while settings are still to come, without inventing defaults', () => {
    expect(checkFields(fields, {}, { partial: true })).toEqual({ values: {}, problems: null })
    expect(problems({ customerId: 'x' }, { partial: true })).toHaveLength(1)
    expect(withDefaults(fields, { region: 'EU' })).toEqual({ region: 'EU' })
  })

  it.each([
    ['NUL', 'a\0b'],
    ['a lone surrogate', 'a\ud800'],
    ['too much', 'x'.repeat(4097)],
  ])('is refused with %s', (_what, password) => {
    expect(problems({ customerId: '1234567890', password })).toMatchObject([{ path: 'password' }])
  })

  it.each(['2026-02-30', '2026-13-01', '26-01-01', 'tomorrow'])('does not take %s for a date', (expiresOn) => {
    expect(problems({ customerId: '1234567890', expiresOn })).toMatchObject([{ path: 'expiresOn' }])
  })

  it('takes a real date', () => {
    expect(checkFields(fields, { customerId: '1234567890', expiresOn: '2028-02-29' }).problems).toBeNull()
  })

  it.each([null, [], 'text', 7, undefined])('must be an object, not %j', (input) => {
    expect(problems(input)).toEqual([{ path: '', message: 'must be an object of fields' }])
  })

  it('cannot reach the prototype', () => {
    expect(
      problems(JSON.parse('{"customerId":"1234567890","__proto__":{"polluted":"yes"},"constructor":"x"}'))?.map(({ path }) => path),
    ).toEqual(['__proto__', 'constructor'])
    expect('polluted' in {}).toBe(false)
  })
})
