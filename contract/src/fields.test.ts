import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { line, SentTime } from './fields.ts'
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

/** Every field of a body that takes a text, at any depth. */
function textsOf(schema: unknown, field: string): { field: string; schema: z.ZodType }[] {
  if (!(schema instanceof z.ZodType)) return []
  if (schema instanceof z.ZodObject) return Object.entries(schema.shape).flatMap(([name, one]) => textsOf(one, `${field}.${name}`))
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((one) => textsOf(one, field))
  if (schema instanceof z.ZodArray) return textsOf(schema.element, field)
  if (schema instanceof z.ZodPipe) return textsOf(schema.in, field)
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return textsOf(schema.unwrap(), field)
  return [{ field, schema }]
}
// biome-ignore format: a list
const DATA = [
  'sendSignInLink.callbackURL', 'verifySignIn.token', 'verifySignIn.challenge', 'pollDeviceLogin.deviceCode', 'createWebhook.url', 'updateWebhook.url',
  'createIntegration.callPolicy.accounts', 'setIntegrationCallPolicy.accounts', 'createConnectRequest.items.callPolicy.accounts',
  'chooseConnectAccount.accountId',
]

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

/** Put into a name, before, between and after its letters: each is refused, whatever stands around it. */
// biome-ignore format: a table
const hidden: Record<string, string[]> = {
  'tag characters': ['\u{e0041}\u{e0064}\u{e0061}', '\u{e0001}', '\u{e007f}', '\u{1f3f4}\u{e0069}\u{e0067}\u{e006e}\u{e007f}', '\u{1f3f4}\u{e0067}\u{e0062}'],
  'zero-width spaces and joiners': ['\u200b', '\u2060', '\ufeff', '\u200c', '\u200d', '\u200d\u200c\u200d'],
  'direction marks': ['\u200e', '\u200f', '\u061c', '\u202a', '\u202b', '\u202c', '\u202d', '\u202e', '\u2066', '\u2067', '\u2068', '\u2069'],
  'old direction marks': ['\u206a', '\u206b', '\u206c', '\u206d', '\u206e', '\u206f'],
  'invisible operators': ['\u2061', '\u2062', '\u2063', '\u2064', '\u2065'],
  'fillers': ['\u115f', '\u1160', '\u3164', '\uffa0', '\u17b4', '\u17b5'],
  'a soft hyphen, a grapheme joiner, a vowel separator': ['\u00ad', '\u034f', '\u180e', '\u180b'],
  'variation selectors': ['\ufe00', '\ufe0a', '\ufe0f', '\u{e0100}', '\u{e01ef}', '\ufe0f\ufe0e\ufe0f', '\u{e0100}\u{e0150}\u{e0151}'],
  'annotations and musical controls': ['\ufff9', '\ufffa', '\ufffb', '\u{1d173}', '\u{1d17a}', '\u{1bca0}'],
  'what is not assigned yet, and will not be seen': ['\ufff0', '\u{e0002}', '\u{e0080}', '\u{e0fff}'],
}
const around = (text: string) => [
  `${text}Ada`,
  `A${text}da`,
  `Ada${text}`,
  `Ada ${text} Byron`,
  `Ada 7${text}`,
  `Ada *${text}1`,
  `😀${text}${text}`,
]

/** What is left where it was only at an edge, and stripped there. */
const TRIMMED = ['Ada', 'Ada 7', '😀']

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
  '🏴󠁧󠁢󠁳󠁣󠁴󠁿🏴󠁧󠁢󠁷󠁬󠁳󠁿',
  '🏳️‍🌈 🏳️‍⚧️ 🏃🏽‍♀️ 👨🏿‍🚀',
  '1️⃣ Agency ©︎',
  'श्रीमान्‌जी', // the joiners of Indic scripts, also at an end
  'ക്‍',
  'ශ්‍රී ලංකා',
  '葛\u{e0100}城',
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

  it.each(Object.entries(hidden))('with %s in it is refused wherever one can be sent', (_, texts) => {
    for (const text of texts.flatMap(around)) {
      const taken = names.filter(({ schema }) => !TRIMMED.includes(String(schema.safeParse(text).data ?? 'Ada'))).map(({ field }) => field)
      expect([JSON.stringify(text), taken]).toEqual([JSON.stringify(text), []])
    }
  })

  it.each(ordinary)('%s is taken as it is', (text) => {
    for (const { field, schema } of names) expect([field, schema.safeParse(text).data]).toEqual([field, text.normalize('NFC')])
  })
})

describe('every text that people read', () => {
  /** What programs compare, look up or pass on as it is. */
  const data = new Set(DATA)
  const leaves = operationIds.flatMap((id) => textsOf(declaration(id).body, id))

  it('is found in the contract', () => expect(leaves.length).toBeGreaterThan(30))

  it('holds nothing hidden, but for what is data', () => {
    const open = leaves.filter(({ schema }) => Object.values(hidden).some(([text]) => schema.safeParse(`Ada${text}`).success))
    expect(open.map(({ field }) => field).filter((field) => !data.has(field))).toEqual([])
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

describe('one spelling', () => {
  it.each(['\u1fa7', '\u0390', '\ud55c', '\u01d7'])('%s is one character, in however many pieces it comes', (character) => {
    const [pieces, whole] = [character.normalize('NFD').repeat(100), character.normalize('NFC').repeat(100)]
    expect(line(1, 100).parse(pieces)).toBe(whole)
    expect(line(1, 99).safeParse(pieces).success).toBe(false)
  })

  it('what is too long in any spelling is refused for its length', () => {
    const { error } = line(1, 100).safeParse(`a${'\u0301'.repeat(8000)}${'\u0323'.repeat(8000)}`)
    expect(error!.issues.map(({ message }) => message)).toEqual(['must have 1 to 100 characters'])
  })
})
