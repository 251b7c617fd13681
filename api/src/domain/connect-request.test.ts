import { describe, expect, it } from 'vitest'
import { acceptableAccessUntil, isComplete, itemStatus, nextMail, nextReminder, requestStatus } from './connect-request.ts'

const AT = new Date('2026-11-15T12:00:00Z')
const days = (count: number) => new Date(AT.getTime() + count * 86_400_000)
const pending = { optional: false, connectedAt: null, unfinished: false, declinedAt: null, failedReason: null }
const connected = { ...pending, connectedAt: AT }
const unfinished = { ...connected, unfinished: true }
const optional = { ...pending, optional: true }
const declined = { ...optional, declinedAt: AT }
const live = { canceledAt: null, expired: false }

describe('an item', () => {
  it('is what happened to it last', () => {
    expect(itemStatus(pending)).toBe('pending')
    expect(itemStatus({ ...pending, failedReason: 'login_refused' })).toBe('failed')
    expect(itemStatus({ ...declined, failedReason: 'login_refused' })).toBe('declined')
    expect(itemStatus(connected)).toBe('connected')
    expect(itemStatus({ ...unfinished, failedReason: 'login_refused' })).toBe('unfinished')
  })
})

describe('a request', () => {
  it.each([
    ['open', live, [pending, optional]],
    ['open', live, [{ ...pending, failedReason: 'outage' }]],
    ['partial', live, [connected, pending]],
    ['partial', live, [pending, declined]],
    ['complete', live, [connected, declined]],
    ['partial', live, [connected, unfinished]],
    ['partial', live, [{ ...unfinished, optional: true }]],
    ['expired', { ...live, expired: true }, [unfinished]],
    ['complete', { ...live, expired: true }, [connected]],
    ['expired', { ...live, expired: true }, [connected, pending]],
    ['canceled', { canceledAt: AT, expired: true }, [connected]],
    ['open', live, []],
  ] as const)('is %s', (status, request, items) => {
    expect(requestStatus(request, items)).toBe(status)
  })

  it('is not complete while something optional is undecided', () => {
    expect(isComplete([connected, optional])).toBe(false)
  })
})

describe('reminders', () => {
  const all = (expires: number) => {
    const due: number[] = []
    for (let next = nextReminder(0, AT, days(expires)); next; next = nextReminder(next.step, AT, days(expires)))
      due.push((next.at.getTime() - AT.getTime()) / 86_400_000)
    return due
  }
  it.each([
    [14, [2, 5, 13]],
    [6, [2, 5]],
    [7, [2, 5, 6]],
    [5, [2, 4]],
    [3, [2]],
    [2, [1]],
    [1, []],
  ])('of a link that lives %i days come after 2, 5 and one day before its end, and never two within a day', (expires, expected) => {
    expect(all(expires)).toEqual(expected)
  })
})

it('when the link expires, the receipts of what was connected come last, and nothing after them', () => {
  expect(nextMail(3, AT, days(14))).toEqual({ step: 4, at: days(14) })
  expect(nextMail(0, AT, days(1))).toEqual({ step: 4, at: days(1) })
  expect(nextMail(4, AT, days(14))).toBeNull()
})

describe('the day on which access ends', () => {
  it.each([
    ['2026-11-15', false],
    ['2026-11-16', true],
    ['2028-11-15', true],
    ['2028-11-16', false],
  ])('may be %s: %s', (day, may) => {
    expect(acceptableAccessUntil(day, AT)).toBe(may)
  })
})
