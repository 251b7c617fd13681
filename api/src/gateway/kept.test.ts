import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepFor } from './kept.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const counted = () => {
  let made = 0
  return () => ({ number: ++made })
}

test('what is used again is not made again, and is let go once nobody uses it', () => {
  const kept = keepFor<{ number: number }>(1000, 100)
  const make = counted()
  expect(kept.of('a', make).number).toBe(1)
  vi.advanceTimersByTime(900)
  expect(kept.of('a', make).number).toBe(1)
  vi.advanceTimersByTime(900) // of the second generation by now
  expect(kept.of('a', make).number).toBe(1)
  vi.advanceTimersByTime(2000)
  expect(kept.of('a', make).number).toBe(2)
})

test('nothing is kept, and no timer runs, after twice the time', () => {
  const kept = keepFor<object>(1000, 100)
  kept.of('a', () => ({}))
  vi.advanceTimersByTime(2000)
  expect(vi.getTimerCount()).toBe(0)
})

test('never more than so many, and those that were used last', () => {
  const kept = keepFor<{ number: number }>(1000, 10)
  const make = counted()
  for (let i = 0; i < 100; i++) {
    kept.of('always', make)
    kept.of(String(i), make)
  }
  expect(kept.of('always', make).number).toBe(1)
  const before = make().number
  kept.of('99', make)
  expect(make().number).toBe(before + 1)
  kept.of('0', make)
  expect(make().number).toBe(before + 3)
})

test('what cannot be made is not kept', () => {
  const kept = keepFor<number>(1000, 10)
  expect(() =>
    kept.of('a', () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(kept.of('a', () => 7)).toBe(7)
})
