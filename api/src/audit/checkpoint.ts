// Signed checkpoints: whoever keeps one can prove later that the trail up to it is still the same.
import { createPublicKey, type KeyObject, sign } from 'node:crypto'
import { type Checkpoint, checkpointText } from '@adjoin/contract/audit-chain'

/** The head of a trail, as it was read at a moment. */
export interface TrailHead {
  readonly id: string
  readonly sequence: number
  readonly hash: Buffer
  readonly now: Date
}

export const publicKeyOf = (signingKey: KeyObject): string => createPublicKey(signingKey).export({ format: 'jwk' }).x!

export function signCheckpoint(signingKey: KeyObject, { id, sequence, hash, now }: TrailHead): Checkpoint {
  const statement = { organizationId: id, sequence, hash: hash.toString('hex'), createdAt: now.toISOString() }
  const signature = sign(null, Buffer.from(checkpointText(statement)), signingKey).toString('base64url')
  return { ...statement, publicKey: publicKeyOf(signingKey), signature }
}
