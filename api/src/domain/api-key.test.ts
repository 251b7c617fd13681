import { describe, expect, it } from 'vitest'
import {
  displayPrefix,
  isWellFormedKey,
  type KeyState,
  keyStatus,
  mintRefusal,
  newApiKey,
  reach,
  replacementExpiry,
  retirement,
  rotationRefusal,
} from './api-key.ts'

const now = new Date('2026-03-01T12:00:00Z')
const at = (text: string) => new Date(text)
const key: KeyState = { createdAt: at('2026-02-01T12:00:00Z'), expiresAt: null, disabledAt: null, revokedAt: null, replacedAt: null }

describe('the format of a key', () => {
  it('is the prefix, 43 characters of secret and six of checksum, all different every time', () => {
    const keys = Array.from({ length: 1000 }, newApiKey)
    expect(new Set(keys.map(displayPrefix)).size).toBe(1000)
    for (const one of keys) {
      expect(one).toMatch(/^adj_[0-9A-Za-z]{49}$/)
      expect(isWellFormedKey(one)).toBe(true)
    }
  })

  it('leaves more than 128 bits unknown to whoever sees the prefix', () => {
    const hidden = newApiKey().length - 'checks'.length - displayPrefix(newApiKey()).length
    expect(hidden * Math.log2(62)).toBeGreaterThan(128)
  })

  it('is broken by every change of a single character, and by every exchange of two neighbours', () => {
    const good = newApiKey()
    for (let i = 0; i < good.length; i++) {
      for (const other of ['0', 'z', 'A', '_', ' ', 'é', '\0'])
        if (good[i] !== other) expect(isWellFormedKey(good.slice(0, i) + other + good.slice(i + 1))).toBe(false)
      const swapped =
        good.slice(0, i) +
        good
          .slice(i, i + 2)
          .split('')
          .reverse()
          .join('') +
        good.slice(i + 2)
      if (swapped !== good) expect(isWellFormedKey(swapped)).toBe(false)
    }
  })
})

describe('the effective status', () => {
  const past = at('2026-02-28T00:00:00Z')
  it.each([
    [{}, 'active'],
    [{ expiresAt: at('2026-03-01T12:00:00.001Z') }, 'active'],
    [{ expiresAt: now }, 'expired'],
    [{ expiresAt: past, disabledAt: past }, 'disabled'],
    [{ expiresAt: past, disabledAt: past, revokedAt: past }, 'revoked'],
  ])('of %j is %s', (state, status) => {
    expect(keyStatus({ ...key, ...state }, now)).toBe(status)
  })
})

describe('who reaches which key', () => {
  const nobody = { personId: null, keyId: null, organizationRole: 'guest', assignedRole: null } as const
  const asker = (more: object) => ({ ...nobody, ...more })
  const userKey = { id: 'k', level: 'user', creatorId: 'ada' } as const
  const organizationKey = { ...userKey, level: 'organization' } as const
  const workspaceKey = { ...userKey, level: 'workspace' } as const

  it.each([
    ['the creator', userKey, { personId: 'ada' }, 'manage'],
    ['an admin', userKey, { personId: 'eve', organizationRole: 'admin' }, 'revoke'],
    ['an admin’s organization key', userKey, { organizationRole: 'admin', keyId: 'other' }, 'revoke'],
    ['a colleague', userKey, { personId: 'eve', organizationRole: 'member' }, null],
    ['an admin', organizationKey, { personId: 'eve', organizationRole: 'admin' }, 'manage'],
    ['its creator, no longer admin', organizationKey, { personId: 'ada', organizationRole: 'member' }, null],
    ['a key about itself', organizationKey, { organizationRole: 'viewer', keyId: 'k' }, 'rotate'],
    ['an organization admin', workspaceKey, { personId: 'eve', organizationRole: 'admin' }, 'manage'],
    ['a guest who is admin there', workspaceKey, { personId: 'eve', assignedRole: 'admin' }, 'manage'],
    ['its creator, now a member there', workspaceKey, { personId: 'ada', assignedRole: 'member' }, null],
    ['a key about itself', workspaceKey, { keyId: 'k' }, 'rotate'],
    ['another key', workspaceKey, { keyId: 'other' }, null],
  ])('%s, of %j as %j: %s', (_, of, who, expected) => {
    expect(reach(of, asker(who))).toBe(expected)
  })
})

it('lets nobody mint above themselves, and only admins mint for a scope', () => {
  expect(mintRefusal('member', 'admin')).toBe('above_own_role')
  expect(mintRefusal('guest', 'viewer')).toBe('above_own_role')
  expect(mintRefusal('member', 'member')).toBe('role_too_low')
  expect(mintRefusal('admin', 'admin')).toBeNull()
})

describe('rotation', () => {
  it('is refused for a replaced, revoked or disabled key, in that order, and not for an expired one', () => {
    const all = { ...key, disabledAt: now, revokedAt: now, replacedAt: now }
    expect(rotationRefusal(all)).toBe('key_replaced')
    expect(rotationRefusal({ ...all, replacedAt: null })).toBe('key_revoked')
    expect(rotationRefusal({ ...all, replacedAt: null, revokedAt: null })).toBe('key_disabled')
    expect(rotationRefusal({ ...key, expiresAt: at('2026-02-02T00:00:00Z') })).toBeNull()
  })

  it('ends the old key at once, or after the grace, but never past its own expiry', () => {
    expect(retirement(key, 0, now)).toEqual({ expiresAt: null, revokedAt: now })
    expect(retirement(key, 24, now)).toEqual({ expiresAt: at('2026-03-02T12:00:00Z'), revokedAt: null })
    const soon = at('2026-03-01T13:00:00Z')
    expect(retirement({ ...key, expiresAt: soon }, 24, now)).toEqual({ expiresAt: soon, revokedAt: null })
    const past = at('2026-02-20T00:00:00Z')
    expect(retirement({ ...key, expiresAt: past }, 24, now)).toEqual({ expiresAt: past, revokedAt: null })
  })

  const thirtyDays = { ...key, expiresAt: at('2026-03-03T12:00:00Z') }
  it.each([
    ['never stays never', key, undefined, false, null],
    ['the old lifetime is the default', thirtyDays, undefined, false, at('2026-03-31T12:00:00Z')],
    ['a person may ask for longer', thirtyDays, 365, false, at('2027-03-01T12:00:00Z')],
    ['through a key it is never longer', thirtyDays, 365, true, at('2026-03-31T12:00:00Z')],
    ['through a key it may be shorter', thirtyDays, 1, true, at('2026-03-02T12:00:00Z')],
    ['through a key a key without end may get one', key, 1, true, at('2026-03-02T12:00:00Z')],
  ])('gives the new key its expiry: %s', (_, old, days, throughKey, expected) => {
    expect(replacementExpiry(old, { days, throughKey }, now)).toEqual(expected)
  })
})
