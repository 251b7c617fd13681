import { describe, expect, it } from 'vitest'
import {
  accountLabel,
  type CheckVerdict,
  disabled,
  mustAct,
  nextCheck,
  nextState,
  reasonOf,
  type State,
  type Trigger,
  turnedToError,
  waiting,
  withOutcome,
} from './integration.ts'

const before = new Date('2026-01-01T00:00:00Z')
const now = new Date('2026-01-05T12:00:00Z')

const pending: State = {
  status: 'pending',
  enabledStatus: null,
  statusDetail: null,
  statusReason: null,
  statusCheckedAt: null,
  lastError: null,
  lastErrorReason: null,
  lastErrorAt: null,
  connectedAt: null,
  connectedAccount: null,
}
const active: State = { ...pending, status: 'active', statusCheckedAt: before, connectedAt: before, connectedAccount: 'Old (1)' }
const error: State = { ...active, status: 'error', statusDetail: 'The client must connect again.', statusReason: 'grant_revoked' }
const ailing: State = { ...active, lastError: 'out of order', lastErrorReason: 'timeout', lastErrorAt: before }
const states = { pending, active, error, ailing, disabled: disabled(active) }
const any = Object.entries(states)

const verified: CheckVerdict = { outcome: 'verified', account: 'Example (42)' }
const rejected: CheckVerdict = { outcome: 'rejected', reason: 'login_refused', detail: 'The client must check what was entered.' }
const unset: CheckVerdict = {
  outcome: 'rejected',
  reason: 'setting_missing',
  detail: 'The agency must fill it in.',
  account: 'Example (42)',
}
const unreachable: CheckVerdict = { outcome: 'unreachable', reason: 'outage', detail: 'It is tried again by itself.' }

describe('connecting', () => {
  it.each(any)('that succeeds makes %s active, stores, and clears every trouble', (_, state) => {
    expect(nextState(state, 'connect', verified, now)).toEqual({
      stored: true,
      state: { ...pending, status: 'active', statusCheckedAt: now, connectedAt: now, connectedAccount: 'Example (42)' },
    })
  })

  it.each(any)('that fails for good makes %s an error, stores nothing, and forgets no account', (_, state) => {
    const { stored, state: after } = nextState(state, 'connect', rejected, now)
    expect(stored).toBe(false)
    expect(after).toMatchObject({
      status: 'error',
      statusDetail: rejected.detail,
      statusReason: 'login_refused',
      statusCheckedAt: now,
      enabledStatus: null,
    })
    expect([after.connectedAt, after.connectedAccount]).toEqual([state.connectedAt, state.connectedAccount])
  })

  it('that the client cancels leaves what is active or unfinished as it is; what is not connected has failed', () => {
    const canceled: CheckVerdict = { outcome: 'rejected', reason: 'consent_denied', detail: 'The client must connect.' }
    const unfinished: State = { ...error, statusReason: 'setting_missing' }
    for (const state of [active, ailing, unfinished]) expect(nextState(state, 'connect', canceled, now)).toEqual({ stored: false, state })
    for (const state of [pending, error, states.disabled])
      expect(nextState(state, 'connect', canceled, now)).toMatchObject({ stored: false, state: { status: 'error' } })
  })

  it.each(any)('that fails for now leaves %s as it is, and says why', (_, state) => {
    expect(nextState(state, 'connect', unreachable, now)).toEqual({
      stored: false,
      state: { ...state, lastError: unreachable.detail, lastErrorReason: 'outage', lastErrorAt: now },
    })
  })

  it.each(any)('that lacks only a setting of the agency stores for %s, and is an error that names it', (_, state) => {
    expect(nextState(state, 'connect', unset, now)).toMatchObject({
      stored: true,
      state: {
        status: 'error',
        statusDetail: unset.detail,
        statusReason: 'setting_missing',
        connectedAt: now,
        connectedAccount: 'Example (42)',
      },
    })
  })
})

const looks = ['verify', 'check', 'refresh'] as const satisfies Trigger[]

describe.each(looks)('a look by %s', (trigger) => {
  it.each(Object.entries({ active, error, ailing }))('that finds all well makes %s active', (_, state) => {
    expect(nextState(state, trigger, verified, now)).toEqual({
      stored: false,
      state: { ...active, statusCheckedAt: now, connectedAccount: 'Example (42)' },
    })
  })

  it.each(Object.entries({ active, error, ailing }))('that is refused makes %s an error at once', (_, state) => {
    expect(nextState(state, trigger, rejected, now)).toEqual({
      stored: false,
      state: { ...active, status: 'error', statusDetail: rejected.detail, statusReason: 'login_refused', statusCheckedAt: now },
    })
    expect(nextState(state, trigger, unset, now)).toMatchObject({ stored: false, state: { status: 'error', connectedAccount: 'Old (1)' } })
  })

  it.each(Object.entries({ active, error, ailing }))('that reaches nobody leaves %s as it is', (_, state) => {
    expect(nextState(state, trigger, unreachable, now).state).toEqual({
      ...state,
      lastError: unreachable.detail,
      lastErrorReason: 'outage',
      lastErrorAt: now,
    })
  })
})

describe('disabling', () => {
  it.each(any.filter(([name]) => name !== 'disabled'))('hides that it was %s, and keeps the rest', (_, state) => {
    expect(disabled(state)).toEqual({ ...state, status: 'disabled', enabledStatus: state.status })
  })

  it.each([
    ['active', verified],
    ['error', rejected],
  ] as const)('ends, when enabled again, in %s by what the ad system says', (status, verdict) => {
    for (const state of [active, error])
      expect(nextState(disabled(state), 'enable', verdict, now).state).toMatchObject({ status, enabledStatus: null })
  })

  it.each([
    ['active', active],
    ['error', error],
  ] as const)('ends in the %s it had before when nobody can be reached', (_, state) => {
    expect(nextState(disabled(state), 'enable', unreachable, now).state).toEqual({
      ...state,
      lastError: unreachable.detail,
      lastErrorReason: 'outage',
      lastErrorAt: now,
    })
  })

  it('ends in pending for one that was never connected, whatever was tried before', () => {
    const failed = nextState(pending, 'connect', rejected, now).state
    for (const state of [pending, failed])
      expect(waiting(disabled(state))).toMatchObject({ status: 'pending', enabledStatus: null, statusDetail: null })
  })
})

describe('who must act', () => {
  it('is told by the reason that counts: why it is in error, else what may pass, and none that has lost its sentence', () => {
    expect([pending, active, error, ailing].map(reasonOf)).toEqual([null, null, 'grant_revoked', 'timeout'])
    expect(reasonOf({ ...error, lastError: 'down', lastErrorReason: 'outage' })).toBe('grant_revoked')
    expect(reasonOf({ ...error, statusReason: null, lastError: 'down', lastErrorReason: 'outage' })).toBeNull()
    expect(reasonOf({ ...active, statusReason: 'left', lastErrorReason: 'over' })).toBeNull()
  })

  it.each([
    ['disabled', 'client', true, null],
    ['error', 'client', false, 'client'],
    ['error', 'operator', true, 'operator'],
    ['error', null, true, 'agency'],
    ['active', null, false, null],
    ['active', 'nobody', false, 'nobody'],
    ['active', 'operator', false, 'operator'],
    ['pending', null, true, 'client'],
    ['pending', null, false, 'agency'],
    ['pending', 'nobody', true, 'client'],
    ['pending', 'nobody', false, 'agency'],
    ['pending', 'operator', true, 'operator'],
  ] as const)('%s with a reason of %s, link alive: %s: %s', (status, who, linkLives, turn) => {
    expect(mustAct(status, who, linkLives)).toBe(turn)
  })
})

describe('the creator', () => {
  it('hears once that it turned to error: not again while it is one, nor for having been disabled in between', () => {
    for (const state of [pending, active, disabled(active)]) expect(turnedToError(state, error)).toBe(true)
    for (const state of [error, disabled(error)]) expect(turnedToError(state, error)).toBe(false)
    expect(turnedToError(active, active)).toBe(false)
  })
})

describe('the next check', () => {
  const minutes = (state: State, random: number) => (nextCheck(state, now, () => random).getTime() - now.getTime()) / 60_000
  it('comes in six hours, in a quarter of an hour while a failure may pass, a tenth either way', () => {
    expect([0, 0.5, 1].map((random) => Math.round(minutes(active, random)))).toEqual([324, 360, 396])
    expect([0, 0.5, 1].map((random) => minutes(ailing, random))).toEqual([13.5, 15, 16.5])
    expect(Math.round(minutes(error, 0.5))).toBe(360)
  })

  it('is spread evenly for many that were connected together', () => {
    const buckets = new Array(8).fill(0)
    for (let i = 0; i < 8000; i++) buckets[Math.floor(((minutes(active, (i * 0.618034) % 1) - 324) / 72.0001) * 8)]++
    for (const count of buckets) expect(Math.abs(count - 1000)).toBeLessThan(50)
  })
})

describe('what people see', () => {
  it('names an account by name and id, and once where they are the same', () => {
    expect(accountLabel({ id: '42', name: 'Example' })).toBe('Example (42)')
    expect(accountLabel({ id: '42', name: '42' })).toBe('42')
    expect(accountLabel({ id: '42', name: '' })).toBe('42')
  })

  it.each([
    ['https://a.example/x?to=a+b&q=%20a&e#z?y', 'https://a.example/x?to=a+b&q=%20a&e&status=connected&integrationId=id-1#z?y'],
    ['https://a.example/x', 'https://a.example/x?status=connected&integrationId=id-1'],
    ['https://a.example/x?', 'https://a.example/x?status=connected&integrationId=id-1'],
  ])('adds the outcome to %s and rewrites no letter of it', (url, expected) => {
    expect(withOutcome(url, 'connected', 'id-1')).toBe(expected)
  })

  it.each([
    ['?status=paid&q=%20a#z', '?q=%20a&status=connected&integrationId=id-1#z'],
    ['?q=1&status=a&%73tatus=b&status', '?q=1&status=connected&integrationId=id-1'],
    ['?integrationId=other&statusCode=1', '?statusCode=1&status=connected&integrationId=id-1'],
    ['?status=paid', '?status=connected&integrationId=id-1'],
    ['#?status=paid', '?status=connected&integrationId=id-1#?status=paid'],
  ])('says the outcome once where %s says another', (query, expected) => {
    expect(withOutcome(`https://a.example/x${query}`, 'connected', 'id-1')).toBe(`https://a.example/x${expected}`)
  })
})
