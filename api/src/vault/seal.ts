import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'

/** One key of the ring: a short id, which is written into every envelope, and 32 bytes. */
export interface SealKey {
  readonly id: string
  readonly key: Buffer
}

/** What a sealed text is bound to: an envelope moved to another row, tenant or purpose does not open. */
export type Binding = readonly string[]

export interface Vault {
  seal(plaintext: string, binding: Binding): string
  /**
   * Throws `SealBroken` for anything that is not exactly what was sealed,
   * for exactly this binding, by a key of the ring.
   */
  open(envelope: string, binding: Binding): string
  readonly keyIds: readonly string[]
}

/** The first key seals, all of them open. Envelope: `v1.<key id>.<nonce><ciphertext><tag>` in base64url. */
export function createVault(ring: readonly SealKey[]): Vault {
  const [first] = ring
  if (!first) throw new Error('the key ring is empty')
  // As key objects: made from its bytes for every envelope, a key costs more than the sealing itself.
  const keys = new Map(ring.map(({ id, key }) => [id, createSecretKey(key)]))
  const sealing = keys.get(first.id)!

  const seal = (plaintext: string, binding: Binding) => {
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', sealing, nonce, { authTagLength: TAG })
    cipher.setAAD(associated(first.id, binding))
    const sealed = Buffer.concat([nonce, cipher.update(plaintext, 'utf8'), cipher.final(), cipher.getAuthTag()])
    return `v1.${first.id}.${sealed.toString('base64url')}`
  }

  const open = (envelope: string, binding: Binding) => {
    const [version, id, body, ...rest] = envelope.split('.')
    const key = keys.get(id ?? '')
    if (version !== 'v1' || !body || rest.length) throw sealBroken('the envelope is malformed')
    if (!key) throw sealBroken(`the key ring is missing \`${id}\`, which sealed it`)
    const bytes = Buffer.from(body, 'base64url')
    // Two spellings of one envelope would be two envelopes to whoever compares them.
    if (bytes.length < NONCE + TAG || bytes.toString('base64url') !== body) throw sealBroken('the envelope is malformed')
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), { authTagLength: TAG })
    decipher.setAAD(associated(id!, binding))
    decipher.setAuthTag(bytes.subarray(-TAG))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]).toString('utf8')
    } catch {
      throw sealBroken('the envelope was changed, or belongs elsewhere')
    }
  }

  return { seal, open, keyIds: [...keys.keys()] }
}

const NONCE = 12
const TAG = 16

/** Lengths are written in front, so that ['a', 'bc'] and ['ab', 'c'] are different bindings. */
const associated = (keyId: string, binding: Binding) =>
  Buffer.from(['v1', keyId, ...binding].map((part) => `${Buffer.byteLength(part)}:${part}`).join('|'), 'utf8')

export const SEAL_BROKEN = 'SEAL_BROKEN'
const sealBroken = (why: string) => Object.assign(new Error(`a sealed value can’t be opened: ${why}`), { code: SEAL_BROKEN })
export const isSealBroken = (error: unknown): boolean => (error as { code?: string } | null)?.code === SEAL_BROKEN

/** The id of the key that sealed an envelope: what `reseal` counts. */
export const sealedBy = (envelope: string): string => envelope.split('.')[1] ?? ''
