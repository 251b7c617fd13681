import {
  createHmac,
  createPrivateKey,
  createSecretKey,
  generateKeyPairSync,
  hash,
  type KeyObject,
  randomBytes,
  randomInt,
} from 'node:crypto'
import type { RunQuery } from '../db/sql.ts'
import { sql } from '../db/sql.ts'
import type { Vault } from './seal.ts'

/** 256 random bits, in 43 characters that need no escaping anywhere. */
export const newToken = (): string => randomBytes(32).toString('base64url')

export const newCode = (): string => String(randomInt(1_000_000)).padStart(6, '0')

/** For secrets with 256 random bits: nothing can be guessed from the digest. */
export const digest = (secret: string): Buffer => hash('sha256', secret, 'buffer')

/** What the service made for itself at its first start, over all replicas the same. */
export interface Secrets {
  /** A keyed hash: whoever reads the database alone can neither look a token up nor guess a code. */
  lookup(purpose: string, text: string): Buffer
  readonly signingKey: KeyObject
}

export const secretBinding = (name: string): readonly string[] => ['service_secrets', name]

/**
 * Makes each secret once: of racing replicas one inserts, all read the same row.
 * Sealed by the ring, so a dump alone is useless.
 */
export async function loadSecrets(query: RunQuery, vault: Vault): Promise<Secrets> {
  const secret = async (name: string, make: () => string) => {
    const binding = secretBinding(name)
    await query(sql`insert into service_secrets (name, sealed) values (${name}, ${vault.seal(make(), binding)}) on conflict do nothing`)
    const [row] = await query<{ sealed: string }>(sql`select sealed from service_secrets where name = ${name}`)
    try {
      return vault.open(row!.sealed, binding)
    } catch (error) {
      throw new Error(
        'A key in SEAL_KEYS has the same id as the one that sealed this database, but is a different key. Put the right one back.',
        {
          cause: error,
        },
      )
    }
  }
  const lookupKey = createSecretKey(await secret('lookup', newToken), 'base64url')
  const signing = await secret('signing', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    return privateKey.export({ format: 'pem', type: 'pkcs8' }).toString()
  })
  return {
    lookup: (purpose, text) => createHmac('sha256', lookupKey).update(`${purpose}\0${text}`).digest(),
    signingKey: createPrivateKey(signing),
  }
}

/** The key that checkpoints are signed with, where it is only to be read: also from a standby. */
export async function readSigningKey(query: RunQuery, vault: Vault): Promise<KeyObject | undefined> {
  const [row] = await query<{ sealed: string }>(sql`select sealed from service_secrets where name = 'signing'`)
  return row && createPrivateKey(vault.open(row.sealed, secretBinding('signing')))
}
