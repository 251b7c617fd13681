import { describe, expect, it } from 'vitest'
import { plainWords, truncate, withoutLinks } from './foreign-text.ts'

describe('text without links', () => {
  it.each([
    ['http://evil.example/x', 'http: //evil. example/x'],
    ['www.evil.com', 'www. evil. com'],
    ['evil.example/x', 'evil. example/x'],
    ['evil.co.uk', 'evil. co. uk'],
    ['ｅｖｉｌ．ｃｏｍ', 'ｅｖｉｌ． ｃｏｍ'],
    ['evil。рф', 'evil。 рф'],
    ['evil.xn--p1ai', 'evil. xn--p1ai'],
    ['evil.\u200bcom', 'evil. com'],
    ['http://10.0.0.1/x', 'http: //10. 0. 0. 1/x'],
    ['Ad\u{e0041}a\u200b \u202eB\u00ady\u3164ron\u{e0100}', 'Ada Byron'],
    ['evil\u{e0020}.\ufe0fcom', 'evil. com'],
    ['ada@agency.example', 'ada @ agency. example'],
    ['mailto:ada', 'mailto: ada'],
    ['tel:+1800', 'tel: +1800'],
    ['\\\\server\\share', '\\ \\server\\share'],
  ])('%s → %s', (text, shown) => {
    expect(withoutLinks(text)).toBe(shown)
    expect(withoutLinks(shown)).toBe(shown)
  })

  it.each([
    'Ada Lovelace',
    'J.R.R. Tolkien',
    'Acme Inc.',
    'Version 2.0',
    'Search: brand',
    '10:30',
    'محمد بن موسى',
    'می‌خواهم',
    '👩‍👩‍👧‍👦',
    'A/B',
    'Ångström & Söhne',
  ])('%s stays as it is', (text) => {
    expect(withoutLinks(text)).toBe(text)
  })
})

describe('plain words', () => {
  it.each([
    ['Win at https://evil.example/x?y=1 now!', 'Win at https evil example x y 1 now'],
    ['ada@agency.example', 'ada agency example'],
    ['Booking.com', 'Booking com'],
    ['Jean-Luc O’Neill & Sons (Paris)', 'Jean-Luc O’Neill & Sons (Paris)'],
    ['سعيد  می‌خواهم', 'سعيد می‌خواهم'],
    ['🚀 Rocket', 'Rocket'],
    ['👩‍👩‍👧‍👦', '…'],
    ['Ada\r\nBcc: all', 'Ada Bcc all'],
  ])('of %s are %s', (text, words) => {
    expect(plainWords(text)).toBe(words)
  })

  it('are cut where a subject would grow long', () => {
    expect([...plainWords('word '.repeat(100))]).toHaveLength(60)
  })
})

it('a cut counts characters, not halves of them', () => {
  expect(truncate('😀'.repeat(5), 4)).toBe('😀😀😀…')
  expect(truncate('😀'.repeat(4), 4)).toBe('😀'.repeat(4))
})
