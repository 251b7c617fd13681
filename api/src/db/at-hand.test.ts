import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { keepAtHand } from './at-hand.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** Connections by name, and those that were given back to the pool. */
function hand() {
  const given: string[] = []
  return { given, atHand: keepAtHand<string>(1000, (name, broken) => given.push(broken ? `${name} broken` : name)) }
}

test('the one that was given back last is taken first', () => {
  const { atHand, given } = hand()
  expect(atHand.take()).toBeUndefined()
  atHand.keep('a')
  atHand.keep('b')
  expect([atHand.size, atHand.take(), atHand.take(), atHand.take()]).toEqual([2, 'b', 'a', undefined])
  expect(given).toEqual([])
})

test('what nobody asks for goes back, what is used stays', () => {
  const { atHand, given } = hand()
  atHand.keep('a')
  atHand.keep('b')
  for (let i = 0; i < 5; i++) {
    vi.advanceTimersByTime(500)
    atHand.keep(atHand.take()!)
  }
  expect(given).toEqual(['a'])
  vi.advanceTimersByTime(3000)
  expect(given).toEqual(['a', 'b'])
  expect(vi.getTimerCount(), 'and no timer runs on').toBe(0)
})

test('one that died is given back as broken, and one that is in use is left alone', () => {
  const { atHand, given } = hand()
  atHand.keep('a')
  atHand.keep('b')
  atHand.drop('a')
  atHand.drop(atHand.take()!)
  expect(given).toEqual(['a broken'])
})

test('after the end nothing is kept', () => {
  const { atHand, given } = hand()
  atHand.keep('a')
  atHand.end()
  atHand.keep('b')
  expect(given).toEqual(['a', 'b'])
  expect(vi.getTimerCount()).toBe(0)
})
