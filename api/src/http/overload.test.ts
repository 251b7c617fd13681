import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Database } from '../db/pool.ts'
import { DEFAULT_WAITS } from '../waits.ts'
import { lastingLag, watchOverload } from './overload.ts'

describe('the lag of the event loop', () => {
  it('counts from the second look on, and no longer than it lasts', () => {
    const lagAt = lastingLag(0, 0)
    const looks = [50, 1000, 1050, 1950, 2700, 3550, 3610, 4000]
    expect(looks.map((now) => lagAt(now, now))).toEqual([0, 0, 0, 0, 700, 700, 10, 10])
  })

  it('is ours only as far as we worked', () => {
    const lagAt = lastingLag(0, 0)
    expect([1, 2, 3].map((second) => lagAt(second * 1000, second * 150))).toEqual([0, 100, 100])
  })

  it('makes a service that is busy with itself refuse, until it is done', async () => {
    const idle = { load: () => ({ groups: 0, max: 10 }) } as unknown as Database
    const overload = watchOverload(idle, DEFAULT_WAITS.lag)
    onTestFinished(() => overload.stop())
    expect(overload.shed()).toBe(false)
    for (let round = 0; round < 20 && !overload.shed(); round++) {
      for (const { user } = process.cpuUsage(); process.cpuUsage().user - user < 700_000; );
      await sleep(1)
    }
    expect(overload.shed()).toBe(true)
    await expect.poll(() => overload.shed()).toBe(false)
  })
})
