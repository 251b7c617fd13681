import { describe, expect, it } from 'vitest'
import { createScrub } from './scrub.ts'

const TOKEN = 'ya29.a0AfH6SMBx/Tz+9k=Qw~vL'
const LONGER = `${TOKEN}-and-more`
const PASSWORD = 'p"ä\\ss wörd/with%all'

const scrub = createScrub([TOKEN, LONGER, PASSWORD, 'short'])
const hexed = (text: string, digits: (code: string) => string) =>
  [...Buffer.from(text)].map((byte) => digits(byte.toString(16).padStart(2, '0'))).join('')

const spellings: [name: string, spelled: string][] = [TOKEN, LONGER].flatMap((secret) => [
  ['plain', secret],
  ['percent', encodeURIComponent(secret)],
  ['percent in lower case', encodeURIComponent(secret).replace(/%../g, (code) => code.toLowerCase())],
  ['percent throughout', hexed(secret, (code) => `%${code}`)],
  ['unicode escapes throughout', hexed(secret, (code) => `\\u00${code.toUpperCase()}`)],
  ['JSON', JSON.stringify(secret).slice(1, -1)],
  ['JSON with escaped slashes', JSON.stringify(secret).slice(1, -1).replaceAll('/', '\\/')],
  ['JSON that is safe in HTML', secret.replaceAll('=', '\\u003d').replaceAll('/', '\\u002f')],
  ['base64', Buffer.from(secret).toString('base64')],
  ['base64url', Buffer.from(secret).toString('base64url')],
  ['base64 behind a name', Buffer.from(`u:${secret}`).toString('base64')],
  ['base64 behind another', Buffer.from(`us:${secret}`).toString('base64')],
])

/** All of the answer, cut at these places. */
function scrubbed(text: string, cuts: readonly number[]): string {
  const bytes = Buffer.from(text)
  const one = scrub.scrubber()
  const parts: Buffer[] = []
  let from = 0
  for (const cut of [...cuts, bytes.length]) {
    parts.push(Buffer.from(one.push(Buffer.from(bytes.subarray(from, cut)))))
    from = cut
  }
  return Buffer.concat([...parts, one.end()]).toString()
}

describe.each(spellings)('a secret spelled %s (%s)', (_, spelled) => {
  const text = `{"before":"x%y\\n","next":"https://a.example/?t=${spelled}&limit=1"}`
  const leaks = (out: string) => /[A-Za-z0-9]{5}/.test(out.slice(text.indexOf('?t=') + 5, text.indexOf(spelled) + spelled.length - 3))

  it('never leaves, wherever the stream is cut', () => {
    const length = Buffer.byteLength(text)
    for (let cut = 0; cut <= length; cut++) {
      const out = scrubbed(text, [cut])
      expect(out).toHaveLength(text.length)
      expect(leaks(out), `cut at ${cut}: ${out}`).toBe(false)
      expect(out.startsWith('{"before":"x%y\\n","next":"https://a.example/?t=')).toBe(true)
      expect(out.endsWith('&limit=1"}')).toBe(true)
    }
  })

  it('never leaves byte by byte', () => {
    const out = scrubbed(text, [...Array(Buffer.byteLength(text)).keys()])
    expect(leaks(out), out).toBe(false)
    expect(out).toHaveLength(text.length)
  })
})

it('lets everything else pass as it came, at once', () => {
  const one = scrub.scrubber()
  const text = 'ya2 ya29.a0A p"ä %79%61 \\u0079 100 % \\'
  expect(one.push(Buffer.from(text)).toString()).toBe(text.slice(0, -1))
  expect(one.end().toString()).toBe('\\')
  expect(one.count).toBe(0)
})

it('holds nothing back but what may be the beginning of a secret', () => {
  const one = scrub.scrubber()
  expect(one.push(Buffer.from('row 1\nrow 2\nya29.a0')).toString()).toBe('row 1\nrow 2\n')
  expect(one.push(Buffer.from(' no')).toString()).toBe('ya29.a0 no')
})

it('masks a secret that begins another, and the rest of the other', () => {
  expect(scrub.text(`a ${TOKEN} b ${LONGER} c`)).toBe(`a ${'*'.repeat(TOKEN.length)} b ${'*'.repeat(LONGER.length)} c`)
  const one = scrub.scrubber()
  const out = Buffer.concat([one.push(Buffer.from(TOKEN)), one.push(Buffer.from('-and-more')), one.end()])
  expect(out.toString()).toBe('*'.repeat(LONGER.length))
})

it('finds what is written with more than ASCII, and leaves short words alone', () => {
  expect(scrub.text(`x ${PASSWORD} short`)).toBe(`x ${'*'.repeat(Buffer.byteLength(PASSWORD))} short`)
})

it('without secrets passes the very bytes on', () => {
  const chunk = Buffer.from('anything')
  expect(createScrub(['short']).scrubber().push(chunk)).toBe(chunk)
})
