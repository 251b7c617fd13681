import { describe, expect, it } from 'vitest'
import { digest, newCode, newToken } from './tokens.ts'

describe('a token', () => {
  it('has 256 bits in 43 characters that need no escaping', () => {
    const tokens = Array.from({ length: 1000 }, newToken)
    for (const token of tokens) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(new Set(tokens).size).toBe(1000)
  })

  it('is looked up by its digest', () => {
    expect(digest('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})

describe('a code', () => {
  it('has six digits, leading zeroes included', () => {
    const codes = Array.from({ length: 20_000 }, newCode)
    for (const code of codes) expect(code).toMatch(/^\d{6}$/)
    expect(codes.some((code) => code.startsWith('0'))).toBe(true)
  })
})
