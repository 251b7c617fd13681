import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
        throw new Error('each key is `id:base64`, with an id of letters, digits, - or _')
      const key = Buffer.from(encoded, 'base64')
      if (key.length !== 32) throw new Error(`key \`${id}\` has ${key.length} bytes instead of 32`)
      if (new Set(key).size < 8) throw new Error(`key \`${id}\` is a placeholder, not random`)
      return { id, key }
    })
  if (!ring.length) throw new Error('at least one key is needed')
  if (new Set(ring.map(({ id }) => id)).size !== ring.length) throw new Error('two keys have the same id')
  if (new Set(ring.map(({ key }) => key.toString('hex'))).size !== ring.length) throw new Error('the same key is there twice')
  return ring
}

export const newSealKey = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`

/** Development makes its own ring, once, beside its data. Production never does: a lost ring is lost credentials. */
export function developmentKeyRing(dataDir: string): string {
  const file = join(dataDir, 'seal-keys')
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true })
    try {
      writeFileSync(file, `${newSealKey('dev1')}\n`, { mode: 0o600, flag: 'wx' }) // of two starts at once the first one's ring counts
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
  }
  return readFileSync(file, 'utf8')
}
