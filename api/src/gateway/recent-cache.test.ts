import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createRecentCache } from './recent-cache.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const numberedMaker = () => {
  let made = 0
  return () => ({ number: ++made })
}

test('a value that is used again is not made again, and is dropped once nobody uses it', () => {
  const cache = createRecentCache<{ number: number }>(1000, 100)
  const make = numberedMaker()
  expect(cache.getOrMake('a', make).number).toBe(1)
  vi.advanceTimersByTime(900)
  expect(cache.getOrMake('a', make).number).toBe(1)
  vi.advanceTimersByTime(900) // in the second generation by now
  expect(cache.getOrMake('a', make).number).toBe(1)
  vi.advanceTimersByTime(2000)
  expect(cache.getOrMake('a', make).number).toBe(2)
})

test('nothing is kept, and no timer runs, after twice the time', () => {
  const cache = createRecentCache<object>(1000, 100)
  cache.getOrMake('a', () => ({}))
  vi.advanceTimersByTime(2000)
  expect(vi.getTimerCount()).toBe(0)
})

test('it never keeps more than its maximum, and keeps those that were used last', () => {
  const cache = createRecentCache<{ number: number }>(1000, 10)
  const make = numberedMaker()
  for (let i = 0; i < 100; i++) {
    cache.getOrMake('always', make)
    cache.getOrMake(String(i), make)
  }
  expect(cache.getOrMake('always', make).number).toBe(1)
  const before = make().number
  cache.getOrMake('99', make)
  expect(make().number).toBe(before + 1)
  cache.getOrMake('0', make)
  expect(make().number).toBe(before + 3)
})

test('a value that can’t be made is not kept', () => {
  const cache = createRecentCache<number>(1000, 10)
  expect(() =>
    cache.getOrMake('a', () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(cache.getOrMake('a', () => 7)).toBe(7)
})
