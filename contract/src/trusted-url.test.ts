import { describe, expect, it } from 'vitest'
import { ReturnUrl } from './integration-fields.ts'
import { acceptableReturnUrl } from './trusted-url.ts'

describe('a client who has connected', () => {
  it.each([
    'https:a.example',
    'https:///a.example',
    'http://a.example/',
    'https://user@a.example/',
    'https://a.example\\@b.example',
    'https://a.example/ x',
    'javascript:alert(1)',
    '//a.example',
    `https://a.example/${'x'.repeat(2048)}`,
  ])('is not sent to %s', (text) => {
    expect(acceptableReturnUrl(text, true)).toBeNull()
    expect(ReturnUrl.safeParse(text).error?.issues).toHaveLength(1)
  })

  it('is sent to loopback without TLS in development alone', () => {
    expect(acceptableReturnUrl('http://localhost:8080/done', true)).toBe('http://localhost:8080/done')
    expect(acceptableReturnUrl('http://localhost:8080/done', false)).toBeNull()
    expect(ReturnUrl.parse('http://localhost:8080/done')).toBe('http://localhost:8080/done')
    expect(acceptableReturnUrl('https://a.example', false)).toBe('https://a.example/')
    // As long as it was sent, however long its encoding.
    expect(acceptableReturnUrl(`https://a.example/${'é'.repeat(1000)}`, false)).toContain('%C3%A9')
  })
})
