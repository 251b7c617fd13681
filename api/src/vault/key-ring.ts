import { randomBytes } from 'node:crypto'
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SealKey } from './seal.ts'

/** `2026a:base64,2025b:base64` → the ring. Throws a sentence that says what is wrong, and never the key. */
export function parseKeyRing(text: string): SealKey[] {
  const ring = text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
    .map((part) => {
      const [id, encoded, ...rest] = part.split(':')
      if (!id || !encoded || rest.length || !/^[A-Za-z0-9_-]{1,32}$/.test(id))
        throw new Error('each key must be `id:base64`, with an id of letters, digits, - or _')
      const key = Buffer.from(encoded, 'base64')
      if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(encoded)) throw new Error(`key \`${id}\` is not base64`)
      if (key.length !== 32) throw new Error(`key \`${id}\` has ${key.length} bytes instead of 32`)
      if (isPlaceholder(key)) throw new Error(`key \`${id}\` is a placeholder, not random: make one with \`openssl rand -base64 32\``)
      return { id, key }
    })
  if (!ring.length) throw new Error('at least one key is required')
  if (new Set(ring.map(({ id }) => id)).size !== ring.length) throw new Error('two keys have the same id')
  if (new Set(ring.map(({ key }) => key.toString('hex'))).size !== ring.length) throw new Error('the same key appears twice')
  return ring
}

export const newSealKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`

/**
 * Repeated bytes, patterns, sequences, sentences:
 * 32 random bytes are none of these in the lifetime of the universe.
 */
function isPlaceholder(key: Buffer): boolean {
  const steps = key.map((byte, i) => byte - key.at(i - 1)!)
  return new Set(key).size < 16 || new Set(steps).size < 16 || key.every((byte) => byte >= 0x20 && byte < 0x7f)
}

/** Development makes its own ring, once, beside its data. Production never does: a lost ring is fatal. */
export function developmentKeyRing(dataDir: string): string {
  const file = join(dataDir, 'seal-keys')
  if (!existsSync(file)) {
    // The ring is made before the database: a database without one has lost it,
    // and a new ring would open nothing of what is there.
    if (existsSync(join(dataDir, 'postgres')))
      throw new Error(
        `${file} is missing. It contains the keys that sealed everything in ${dataDir}. Put it back, or choose another DATA_DIR.`,
      )
    mkdirSync(dataDir, { recursive: true })
    const draft = `${file}.${process.pid}`
    writeFileSync(draft, `${newSealKey('dev1')}\n`, { mode: 0o600 })
    try {
      linkSync(draft, file) // whole or not at all, and of two starts at once the first one's ring counts
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    } finally {
      unlinkSync(draft)
    }
  }
  chmodSync(file, 0o600) // a copied folder may have opened it
  return readFileSync(file, 'utf8')
}
