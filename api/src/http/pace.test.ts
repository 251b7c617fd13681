import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createPace } from './pace.ts'

/** Between two turns no time passes unless a test says so. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
})
const turn = () => new Promise((resolve) => setImmediate(resolve))

function paced(perTurn: number) {
  const pace = createPace(perTurn)
  const begun: string[] = []
  const ask = (key: string) => {
    const waiting = pace(key)
    if (waiting) void waiting.then(() => begun.push(key))
    else begun.push(key)
  }
  return { begun, ask }
}

describe('one who comes with many requests', () => {
  it('begins a few of them in each turn, so that others come between', async () => {
    const { begun, ask } = paced(2)
    for (let i = 0; i < 5; i++) ask('many')
    ask('one')
    expect(begun).toEqual(['many', 'many', 'one'])
    await turn()
    expect(begun.slice(3)).toEqual(['many', 'many'])
    ask('other')
    await turn()
    expect(begun.slice(5)).toEqual(['other', 'many'])
  })

  it('is not held up when time has passed', () => {
    const { begun, ask } = paced(1)
    for (let i = 0; i < 5; i++) {
      ask('many')
      vi.advanceTimersByTime(2)
    }
    expect(begun).toHaveLength(5)
  })

  it('keeps their order: nobody overtakes those who wait', async () => {
    const pace = createPace(1)
    const begun: number[] = []
    for (let i = 0; i < 4; i++) {
      const waiting = pace('many')
      if (waiting) void waiting.then(() => begun.push(i))
      else begun.push(i)
      vi.advanceTimersByTime(i === 1 ? 2 : 0)
    }
    for (let i = 0; i < 4; i++) await turn()
    expect(begun).toEqual([0, 1, 2, 3])
  })
})
