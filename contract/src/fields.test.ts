import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { SentTime } from './fields.ts'
import { declaration, operationIds } from './operations.ts'

/** The fields of a body, of each of its shapes. */
const shapesOf = (schema: z.ZodType): Record<string, z.ZodType>[] =>
  schema instanceof z.ZodObject
    ? [schema.shape as Record<string, z.ZodType>]
    : schema instanceof z.ZodUnion || schema instanceof z.ZodDiscriminatedUnion
      ? schema.options.flatMap((option) => shapesOf(option as z.ZodType))
      : schema instanceof z.ZodPipe
        ? shapesOf(schema.in as z.ZodType)
        : []

/** Every name that anyone can send: `name`, `organizationName`, `clientName` and those to come. */
const names = operationIds.flatMap((id) => {
  const { body } = declaration(id)
  return shapesOf(body ?? z.never()).flatMap((shape) =>
    Object.entries(shape).flatMap(([field, schema]) => (/name$/i.test(field) ? [{ field: `${id}.${field}`, schema }] : [])),
  )
})

// biome-ignore format: a table
const invisible: Record<string, string> = {
  'blanks': '\u00a0\u2003\u3000',
  'zero-width spaces': '\u200b\u200b',
  'joiners': '\u200c\u200d',
  'a word joiner': '\u2060',
  'a byte order mark between others': '\u200b\ufeff\u200b',
  'a soft hyphen': '\u00ad',
  'direction marks': '\u200e\u200f\u061c',
  'Hangul fillers': '\u3164\u115f\u1160\uffa0',
  'variation selectors': '\ufe0f\u{e0100}',
  'tag characters': '\u{e0041}\u{e007f}',
  'a combining grapheme joiner': '\u034f',
  'Mongolian separators': '\u180e\u180b',
  'Khmer vowels that nobody sees': '\u17b4\u17b5',
  'invisible operators': '\u2061\u2062\u2063\u2064',
  'the blank of Braille': '\u2800\u2800',
  'an object that is not there': '\ufffc',
  'a musical note without a head': '\u{1d159}',
  'marks with nothing to stand on': '\u0301\u0308',
  'private characters': '\ue000\u{f0000}',
}

// biome-ignore format: a table
const deceiving: Record<string, string> = {
  'an override': 'Ada\u202ecod.exe',
  'an embedding': 'Ada\u202a',
  'an isolate': '\u2067Ada\u2069',
  'a line break': 'Ada\nBcc: everyone',
  'a tab': 'Ada\tByron',
  'an escape': 'Ada\u001b[31m',
  'a C1 control': 'Ada\u0085',
  'a line separator': 'Ada\u2028Byron',
}

const ordinary = [
  'Ada Lovelace',
  'Ångström & Söhne',
  'محمد بن موسى',
  'שרה לוי',
  'ש"י עגנון',
  'สมชาย ใจดี',
  'नरेन्द्र शर्मा',
  'ক্ষিতীশ',
  'می‌خواهم', // with the joiner that Persian needs
  '김민수',
  '山田太郎',
  '👩‍👩‍👧‍👦',
  '❤️',
  '🏴󠁧󠁢󠁥󠁮󠁧󠁿 England',
  'C++',
  '7',
  '…',
]

describe('a name', () => {
  it('is looked for in every body of the contract', () => {
    expect(names.map(({ field }) => field)).toEqual(
      expect.arrayContaining([
        'signUp.name',
        'signUp.organizationName',
        'updateMe.name',
        'createIntegration.name',
        'startDeviceLogin.clientName',
      ]),
    )
    expect(names.length).toBeGreaterThanOrEqual(11)
  })

  it.each(Object.entries(invisible))('of nothing but %s is refused wherever one can be sent', (_, text) => {
    expect(names.filter(({ schema }) => schema.safeParse(text).success).map(({ field }) => field)).toEqual([])
  })

  it.each(Object.entries(deceiving))('with %s is refused wherever one can be sent', (_, text) => {
    expect(names.filter(({ schema }) => schema.safeParse(text).success).map(({ field }) => field)).toEqual([])
  })

  it.each(ordinary)('%s is taken as it is', (text) => {
    for (const { field, schema } of names) expect([field, schema.safeParse(text).data]).toEqual([field, text.normalize('NFC')])
  })
})

describe('a time in a request', () => {
  it('may be as exact as anyone likes, but not endless', () => {
    const exact = (digits: number) => `2026-01-31T12:00:00.${'1'.repeat(digits)}Z`
    expect(SentTime.safeParse(exact(9)).success).toBe(true)
    expect(SentTime.safeParse('2026-01-31T12:00:00.123456789+05:30').success).toBe(true)
    expect(SentTime.safeParse(exact(60)).success).toBe(false)
  })
})
