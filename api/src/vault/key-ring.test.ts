import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { developmentKeyRing, newSealKey, parseKeyRing } from './key-ring.ts'

const encoded = (bytes: Uint8Array | number[]) => Buffer.from(bytes).toString('base64')
const good = newSealKey('2026a')

describe('SEAL_KEYS', () => {
  it('is a list of ids and keys, first the one that seals', () => {
    const ring = parseKeyRing(` ${good} , ${newSealKey('2025-b_1')},`)
    expect(ring.map(({ id, key }) => [id, key.length])).toEqual([
      ['2026a', 32],
      ['2025-b_1', 32],
    ])
  })

  it('takes a key in the alphabet of URLs, and without padding', () => {
    const key = good.split(':')[1]!
    for (const spelled of [key.replace('=', ''), key.replaceAll('+', '-').replaceAll('/', '_')])
      expect(parseKeyRing(`a:${spelled}`)[0]!.key.toString('base64')).toBe(key)
  })

  it.each([
    ['nothing', ''],
    ['commas', ',,'],
    ['no id', encoded(Buffer.alloc(32, 7))],
    ['an empty id', `:${good.split(':')[1]}`],
    ['an odd id', `a.b:${good.split(':')[1]}`],
    ['a long id', `${'a'.repeat(33)}:${good.split(':')[1]}`],
    ['no key', 'a:'],
    ['a short key', `a:${encoded(Buffer.alloc(16, 7))}`],
    ['a long key', `a:${encoded(Buffer.alloc(33, 7))}`],
    ['a key in hexadecimal', `a:${'0f'.repeat(32)}`],
    ['characters that are no base64', `a:!!!!${good.split(':')[1]}`],
    ['zeroes', `a:${encoded(Buffer.alloc(32))}`],
    ['a repeated byte', `a:${encoded(Buffer.alloc(32, 0x42))}`],
    ['a repeated pattern', `a:${encoded(Buffer.from('0123456789ab'.repeat(3)).subarray(0, 32))}`],
    ['a sequence', `a:${encoded(Array.from({ length: 32 }, (_, i) => i))}`],
    ['a sentence', `a:${encoded(Buffer.from('change me: thirty-two bytes, ok?'))}`],
    ['one id twice', `${good},${newSealKey('2026a')}`],
    ['one key twice', `${good},b:${good.split(':')[1]}`],
  ])('with %s is refused by a sentence that does not hold the key', (_, text) => {
    try {
      parseKeyRing(text)
    } catch (error) {
      const { message } = error as Error
      expect(message).toMatch(/\w+ \w+/)
      for (const part of text.split(/[:,]/).filter((piece) => piece.length > 20 && !/^a+$/.test(piece))) expect(message).not.toContain(part)
      return
    }
    expect.unreachable('it was taken')
  })
})

describe('a development ring', () => {
  const folder = () => {
    const path = mkdtempSync(join(tmpdir(), 'adjoin-ring-'))
    onTestFinished(() => rmSync(path, { recursive: true }))
    return join(path, 'data')
  }

  it('is made once, for its owner’s eyes only', () => {
    const data = folder()
    const text = developmentKeyRing(data)
    expect(parseKeyRing(text)).toHaveLength(1)
    expect(developmentKeyRing(data)).toBe(text)
    expect(statSync(join(data, 'seal-keys')).mode & 0o777).toBe(0o600)
    expect(readdirSync(data)).toEqual(['seal-keys'])
  })

  it('that people can read who should not is closed to them', () => {
    const data = folder()
    const text = developmentKeyRing(data)
    writeFileSync(join(data, 'seal-keys'), text)
    rmSync(join(data, 'seal-keys'))
    writeFileSync(join(data, 'seal-keys'), text, { mode: 0o644 })
    expect(developmentKeyRing(data)).toBe(text)
    expect(statSync(join(data, 'seal-keys')).mode & 0o777).toBe(0o600)
  })
})
