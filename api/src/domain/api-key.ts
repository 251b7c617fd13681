import { randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import {
  atLeast,
  effectiveRole,
  inheritedRole,
  type KeyLevel,
  type KeyStatus,
  type OrganizationRole,
  type WorkspaceRole,
} from '@adjoin/contract'

/**
 * `adj_`, 43 random base62 characters (256 bits), and a checksum of six:
 * typos are refused without a query, scanners match exactly.
 */
export const KEY_PREFIX = 'adj_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const FORMAT = /^adj_[0-9A-Za-z]{49}$/
const SECRET_LENGTH = 43

export function newApiKey(): string {
  const secret = Array.from({ length: SECRET_LENGTH }, () => ALPHABET[randomInt(62)]).join('')
  return `${KEY_PREFIX}${secret}${checksum(secret)}`
}

export const isWellFormedKey = (key: string): boolean =>
  FORMAT.test(key) && checksum(key.slice(KEY_PREFIX.length, KEY_PREFIX.length + SECRET_LENGTH)) === key.slice(-6)

/** What is shown of a key. */
export const displayPrefix = (key: string): string => key.slice(0, 15)

function checksum(secret: string): string {
  let rest = crc32(secret)
  let text = ''
  for (let i = 0; i < 6; i++) {
    text = ALPHABET[rest % 62] + text
    rest = Math.floor(rest / 62)
  }
  return text
}

export interface KeyState {
  readonly createdAt: Date
  readonly expiresAt: Date | null
  readonly disabledAt: Date | null
  readonly revokedAt: Date | null
  readonly replacedAt: Date | null
}

/** What a key is worth now: revoked for good, or disabled for the time being, or past its date, or good. */
export function keyStatus({ revokedAt, disabledAt, expiresAt }: Omit<KeyState, 'createdAt' | 'replacedAt'>, now: Date): KeyStatus {
  if (revokedAt) return 'revoked'
  if (disabledAt) return 'disabled'
  return expiresAt && expiresAt <= now ? 'expired' : 'active'
}

/** Who asks about a key: a person or their user key, who own user keys, or another key, which owns none. */
export interface KeyReader {
  readonly personId: string | null
  readonly keyId: string | null
  readonly organizationRole: OrganizationRole
  /** Assigned in the workspace of the key asked about. */
  readonly assignedRole: WorkspaceRole | null
}

/** `manage`: everything · `revoke`: see and revoke · `rotate`: a key, of itself · null: it is not there. */
export type Reach = 'manage' | 'revoke' | 'rotate' | null

/**
 * Whoever may mint a level and scope manages such keys;
 * a user key belongs to its creator, and admins may only take it away.
 */
export function reach(key: { id: string; level: KeyLevel; creatorId: string }, reader: KeyReader): Reach {
  const admin = reader.organizationRole === 'admin'
  if (key.level === 'user' && key.creatorId === reader.personId) return 'manage'
  if (key.level === 'user' && admin) return 'revoke'
  if (key.level === 'organization' && admin) return 'manage'
  if (key.level === 'workspace' && effectiveRole(inheritedRole(reader.organizationRole), reader.assignedRole) === 'admin') return 'manage'
  return key.id === reader.keyId ? 'rotate' : null
}

/** Nobody mints above themselves, and only admins of a scope mint for it at all. */
export function mintRefusal(own: OrganizationRole, asked: WorkspaceRole): 'above_own_role' | 'role_too_low' | null {
  if (!atLeast(own, asked)) return 'above_own_role'
  return own === 'admin' ? null : 'role_too_low'
}

/** A key is rotated once; what was switched off by hand stays off. An expired one may be replaced. */
export function rotationRefusal(key: KeyState): 'key_replaced' | 'key_revoked' | 'key_disabled' | null {
  if (key.replacedAt) return 'key_replaced'
  if (key.revokedAt) return 'key_revoked'
  return key.disabledAt ? 'key_disabled' : null
}

/** The old key ends at once, or lives out its grace window, but never past its own expiry. */
export const retirement = (key: KeyState, graceHours: number, now: Date): Pick<KeyState, 'expiresAt' | 'revokedAt'> =>
  graceHours === 0
    ? { expiresAt: key.expiresAt, revokedAt: now }
    : { expiresAt: earlier(key.expiresAt, new Date(now.getTime() + graceHours * HOUR)), revokedAt: null }

/**
 * The new key lives as long as the old one was made to,
 * or as long as was asked; through a key never longer than the old one.
 */
export function replacementExpiry(key: KeyState, asked: { days: number | undefined; throughKey: boolean }, now: Date): Date | null {
  const oldExpiry = key.expiresAt && new Date(now.getTime() + key.expiresAt.getTime() - key.createdAt.getTime())
  const wanted = expiryIn(asked.days, now)
  if (!wanted) return oldExpiry
  return asked.throughKey ? earlier(oldExpiry, wanted) : wanted
}

/** Null: never. */
export const expiryIn = (days: number | undefined, now: Date): Date | null =>
  days === undefined ? null : new Date(now.getTime() + days * 24 * HOUR)

const HOUR = 3_600_000
const earlier = (one: Date | null, other: Date): Date => (one && one < other ? one : other)
