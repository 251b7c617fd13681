import { timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../vault/tokens.ts'

/** Opaque and authenticated: a cursor works for the organization and the filters it was made for, and nobody can write one. */
const mac = (secrets: Secrets, scope: string, sequence: number) => secrets.lookup('audit-cursor', `${scope}|${sequence}`).subarray(0, 16)

export const writeCursor = (secrets: Secrets, scope: string, sequence: number): string =>
  `${sequence.toString(36)}.${mac(secrets, scope, sequence).toString('base64url')}`

/** The sequence to continue below, or null for a cursor that is not one of ours. */
export function readCursor(secrets: Secrets, scope: string, cursor: string): number | null {
  const [, digits, tag] = /^([0-9a-z]{1,11})\.([A-Za-z0-9_-]{22})$/.exec(cursor) ?? []
  if (!digits || !tag) return null
  const sequence = Number.parseInt(digits, 36)
  return timingSafeEqual(Buffer.from(tag, 'base64url'), mac(secrets, scope, sequence)) ? sequence : null
}
