import { describe, expect, it } from 'vitest'
import { type DeviceLoginState, pollOutcome, shownUserCode, USER_CODE_ALPHABET } from './device-login.ts'

const asked = (more: Partial<DeviceLoginState> = {}): DeviceLoginState => ({
  status: 'pending',
  live: true,
  early: false,
  interval: 5,
  ...more,
})

describe('a device that asks', () => {
  it('waits while nobody has decided, and five seconds longer each time it cannot wait', () => {
    expect(pollOutcome(asked())).toEqual({ outcome: 'authorization_pending', interval: 5 })
    expect(pollOutcome(asked({ early: true }))).toEqual({ outcome: 'slow_down', interval: 10 })
    expect(pollOutcome(asked({ early: true, interval: 10 }))).toEqual({ outcome: 'slow_down', interval: 15 })
  })

  it('is let in once approved, however eagerly it asks', () => {
    expect(pollOutcome(asked({ status: 'approved', early: true })).outcome).toBe('signed_in')
  })

  it('is told of a refusal, and that a used or old code is over', () => {
    expect(pollOutcome(asked({ status: 'denied' })).outcome).toBe('access_denied')
    expect(pollOutcome(asked({ status: 'used' })).outcome).toBe('expired_token')
    for (const status of ['pending', 'approved', 'denied'] as const)
      expect(pollOutcome(asked({ status, live: false })).outcome).toBe('expired_token')
  })
})

describe('a user code', () => {
  it('is read in two halves and has neither vowels nor look-alikes', () => {
    expect(shownUserCode('BCDFGHJK')).toBe('BCDF-GHJK')
    expect(USER_CODE_ALPHABET).not.toMatch(/[AEIOUY01]/)
    expect(new Set(USER_CODE_ALPHABET).size).toBe(20)
  })
})
