import { describe, expect, it } from 'vitest'
import { newSealKey, parseKeyRing } from './key-ring.ts'
import { createVault, isSealBroken, sealedBy } from './seal.ts'

const ring = (...ids: string[]) => parseKeyRing(ids.map(newSealKey).join(','))
const [old] = ring('2025')
const [current] = ring('2026')
const vault = createVault([current!, old!])
const binding = ['integrations', 'organization-1', 'workspace-1', 'integration-1', 'credential']
const envelope = vault.seal('refresh-token', binding)
const broken = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    return isSealBroken(error)
  }
  return false
}

describe('a sealed text', () => {
  it.each(['', 'refresh-token', '𝕊ecret 🔑', 'x'.repeat(100_000)])('opens to what was sealed', (text) => {
    expect(vault.open(vault.seal(text, binding), binding)).toBe(text)
  })

  it('shows nothing but its version and the id of its key', () => {
    expect(envelope).toMatch(/^v1\.2026\.[\w-]+$/)
    expect(sealedBy(envelope)).toBe('2026')
    expect(Buffer.from(envelope.split('.')[2]!, 'base64url').toString('latin1')).not.toContain('refresh')
  })

  it('does not open with any bit of it flipped', () => {
    const [version, id, body] = envelope.split('.')
    const bytes = Buffer.from(body!, 'base64url')
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      const changed = Buffer.from(bytes)
      changed[bit >> 3]! ^= 1 << (bit & 7)
      expect(
        broken(() => vault.open(`${version}.${id}.${changed.toString('base64url')}`, binding)),
        `bit ${bit}`,
      ).toBe(true)
    }
    for (let i = 0; i < envelope.length; i++) {
      const other = envelope[i] === 'A' ? 'B' : 'A'
      expect(
        broken(() => vault.open(envelope.slice(0, i) + other + envelope.slice(i + 1), binding)),
        `character ${i}`,
      ).toBe(true)
    }
  })

  it('does not open cut, extended, empty or in another spelling', () => {
    for (let length = 0; length < envelope.length; length++) expect(broken(() => vault.open(envelope.slice(0, length), binding))).toBe(true)
    for (const odd of [
      `${envelope}A`,
      `${envelope}=`,
      `${envelope}.`,
      ` ${envelope}`,
      envelope.replace('v1', 'v2'),
      'plain text',
      'v1..',
      'v1.2026.',
    ])
      expect(
        broken(() => vault.open(odd, binding)),
        odd,
      ).toBe(true)
  })

  it('does not open anywhere else: no part of its binding can be changed, moved or joined', () => {
    for (let i = 0; i < binding.length; i++) expect(broken(() => vault.open(envelope, binding.with(i, 'other')))).toBe(true)
    expect(broken(() => vault.open(envelope, binding.toReversed()))).toBe(true)
    expect(broken(() => vault.open(envelope, binding.slice(1)))).toBe(true)
    const joined = vault.seal('text', ['a', 'bc'])
    for (const other of [['ab', 'c'], ['abc'], ['a', 'b', 'c'], ['a|2:bc']]) expect(broken(() => vault.open(joined, other))).toBe(true)
  })

  it('never uses a nonce twice: ten thousand seals of one text, ten thousand nonces', () => {
    const nonces = Array.from({ length: 10_000 }, () =>
      Buffer.from(vault.seal('same', binding).split('.')[2]!, 'base64url').toString('hex').slice(0, 24),
    )
    expect(new Set(nonces).size).toBe(10_000)
  })
})

describe('the key ring', () => {
  it('seals with its first key and opens with all of them', () => {
    const before = createVault([old!]).seal('kept', binding)
    expect(vault.open(before, binding)).toBe('kept')
    expect(sealedBy(vault.seal('new', binding))).toBe('2026')
    expect(vault.keyIds).toEqual(['2026', '2025'])
  })

  it('says by name which key it lacks', () => {
    const before = createVault([old!]).seal('kept', binding)
    expect(() => createVault([current!]).open(before, binding)).toThrow('`2025`')
    expect(broken(() => createVault([current!]).open(before, binding))).toBe(true)
  })

  it('does not take a key of the same name for the same key', () => {
    const [impostor] = ring('2026')
    expect(broken(() => createVault([impostor!]).open(envelope, binding))).toBe(true)
  })

  it('cannot be empty', () => {
    expect(() => createVault([])).toThrow()
  })
})
