import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../db/pool.ts'
import { lastingLag, watchOverload } from './overload.ts'

describe('the lag of the event loop', () => {
  it('counts from the second look on, and no longer than it lasts', () => {
    const lagAt = lastingLag(0)
    const looks = [50, 1000, 1050, 1950, 2700, 3550, 3610, 4000]
    expect(looks.map(lagAt)).toEqual([0, 0, 0, 0, 700, 700, 10, 10])
  })

  it('makes a service that is busy with itself refuse, until it is done', async () => {
    const idle = { load: () => ({ groups: 0, max: 10 }) } as unknown as Database
    const overload = watchOverload(idle)
    onTestFinished(() => overload.stop())
    expect(overload.shed()).toBe(false)
    for (let round = 0; round < 20 && !overload.shed(); round++) {
      for (const until = performance.now() + 700; performance.now() < until; );
      await sleep(1)
    }
    expect(overload.shed()).toBe(true)
    await expect.poll(() => overload.shed()).toBe(false)
  })
})
