import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepAtHand } from './at-hand.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Connections by name, and those that were released to the pool. */
function setUp() {
  const released: string[] = []
  return { released, atHand: keepAtHand<string>(1000, (name, broken) => released.push(broken ? `${name} broken` : name)) }
}

test('the one that was kept last is taken first', () => {
  const { atHand, released } = setUp()
  expect(atHand.take()).toBeUndefined()
  atHand.keep('a')
  atHand.keep('b')
  expect([atHand.size, atHand.take(), atHand.take(), atHand.take()]).toEqual([2, 'b', 'a', undefined])
  expect(released).toEqual([])
})

test('what nobody takes is released, what is used stays', () => {
  const { atHand, released } = setUp()
  atHand.keep('a')
  atHand.keep('b')
  for (let i = 0; i < 5; i++) {
    vi.advanceTimersByTime(500)
    atHand.keep(atHand.take()!)
  }
  expect(released).toEqual(['a'])
  vi.advanceTimersByTime(3000)
  expect(released).toEqual(['a', 'b'])
  expect(vi.getTimerCount(), 'and no timer runs on').toBe(0)
})

test('one that died is released as broken, and one that is in use is left alone', () => {
  const { atHand, released } = setUp()
  atHand.keep('a')
  atHand.keep('b')
  atHand.drop('a')
  atHand.drop(atHand.take()!)
  expect(released).toEqual(['a broken'])
})

test('after the end nothing is kept', () => {
  const { atHand, released } = setUp()
  atHand.keep('a')
  atHand.end()
  atHand.keep('b')
  expect(released).toEqual(['a', 'b'])
  expect(vi.getTimerCount()).toBe(0)
})
