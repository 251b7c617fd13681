import { describe, expect, it } from 'vitest'
import { alreadyHolds, extendedExpiry, firstExpiry, rolesAfter } from './invitation.ts'

const now = new Date('2026-03-01T12:00:00.000Z')
const hours = (n: number) => new Date(now.getTime() + n * 3_600_000)

describe('an invitation’s expiry', () => {
  it('is 48 hours away', () => {
    expect(firstExpiry(now)).toEqual(hours(48))
  })

  it('moves by 48 hours when mailed again, and starts from now once it has passed', () => {
    expect(extendedExpiry(hours(10), now)).toEqual(hours(58))
    expect(extendedExpiry(hours(-500), now)).toEqual(hours(48))
  })

  it('never lies more than 30 days ahead', () => {
    expect(extendedExpiry(hours(30 * 24 - 48), now)).toEqual(hours(30 * 24))
    expect(extendedExpiry(new Date(hours(30 * 24 - 48).getTime() + 1), now)).toBeNull()
  })
})

describe('an offer', () => {
  it.each([
    [{ organization: null, assigned: null }, { role: 'viewer' }, false],
    [{ organization: 'guest', assigned: 'admin' }, { role: 'viewer' }, false],
    [{ organization: 'member', assigned: null }, { role: 'viewer' }, true],
    [{ organization: 'member', assigned: null }, { role: 'member' }, true],
    [{ organization: 'member', assigned: null }, { role: 'admin' }, false],
    [{ organization: null, assigned: null }, { workspaceRole: 'viewer' }, false],
    [{ organization: 'guest', assigned: null }, { workspaceRole: 'viewer' }, false],
    [{ organization: 'guest', assigned: 'member' }, { workspaceRole: 'member' }, true],
    [{ organization: 'member', assigned: null }, { workspaceRole: 'member' }, true],
    [{ organization: 'member', assigned: null }, { workspaceRole: 'admin' }, false],
    [{ organization: 'viewer', assigned: 'admin' }, { workspaceRole: 'admin' }, true],
  ] as const)('to %o of %o is already held: %s', (standing, offer, expected) => {
    expect(alreadyHolds(standing, offer)).toBe(expected)
  })

  it.each([
    [{ organization: null, assigned: null }, { role: 'member' }, { organization: 'member', assigned: null }],
    [{ organization: 'guest', assigned: 'admin' }, { role: 'viewer' }, { organization: 'viewer', assigned: 'admin' }],
    [{ organization: 'admin', assigned: null }, { role: 'viewer' }, { organization: 'admin', assigned: null }],
    [{ organization: null, assigned: null }, { workspaceRole: 'member' }, { organization: 'guest', assigned: 'member' }],
    [{ organization: 'viewer', assigned: null }, { workspaceRole: 'admin' }, { organization: 'viewer', assigned: 'admin' }],
    [{ organization: 'guest', assigned: 'admin' }, { workspaceRole: 'viewer' }, { organization: 'guest', assigned: 'admin' }],
  ] as const)('accepted by %o, of %o, leaves %o: never less than before', (standing, offer, expected) => {
    expect(rolesAfter(standing, offer)).toEqual(expected)
  })
})
