import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createShare, type ShareOptions } from './shares.ts'

/** What a share needs to know of an answer: when its client has gone. */
const response = () => new EventEmitter() as ServerResponse
const turn = () => new Promise((resolve) => setImmediate(resolve))

function shareOf(options: Partial<ShareOptions> = {}) {
  const refused: string[] = []
  const share = createShare({ name: 'address', width: 2, onRefuse: (_, key) => refused.push(key), ...options })
  const begun: string[] = []
  const ask = (name: string, key = 'one', by = response()) => {
    const entering = share.enter(key, by)
    if (!entering) begun.push(name)
    return entering?.then(
      () => void begun.push(name),
      () => {},
    )
  }
  return { share, refused, begun, ask }
}

/** Between two turns no time passes unless a test says so. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
})

describe('a share', () => {
  it('lets in as many as it is wide, and the others in the order they came, when one has left', async () => {
    const { share, begun, ask } = shareOf()
    for (const name of ['a', 'b', 'c', 'd']) void ask(name)
    expect(begun).toEqual(['a', 'b'])
    share.leave('one')
    await turn()
    expect(begun).toEqual(['a', 'b', 'c'])
    share.leave('one')
    await turn()
    expect(begun).toEqual(['a', 'b', 'c', 'd'])
  })

  it('is nobody else’s business', () => {
    const { begun, ask } = shareOf()
    for (const name of ['a', 'b', 'c']) void ask(name)
    void ask('other', 'another')
    expect(begun).toEqual(['a', 'b', 'other'])
  })

  it('forgets a client that hung up while it waited, and gives its place to the next', async () => {
    const { share, begun, ask, refused } = shareOf({ width: 1 })
    const gone = response()
    void ask('a')
    const hungUp = ask('gone', 'one', gone)
    void ask('b')
    gone.emit('close')
    await hungUp
    share.leave('one')
    await turn()
    expect(begun).toEqual(['a', 'b'])
    expect(refused).toEqual([])
  })

  it('refuses at once what it could not remember', async () => {
    const { ask, refused, begun } = shareOf({ width: 1, name: 'caller' })
    const waiting = Array.from({ length: 514 }, (_, i) => ask(String(i)))
    await waiting.at(-1)
    expect(refused).toEqual(['one'])
    expect(begun).toEqual(['0'])
  })

  it('begins a few in each turn of the event loop, so that others come between', async () => {
    const { begun, ask } = shareOf({ width: 64, perTurn: 4 })
    for (let i = 0; i < 10; i++) void ask(String(i))
    expect(begun).toHaveLength(4)
    await turn()
    expect(begun).toHaveLength(8)
    await turn()
    expect(begun).toHaveLength(10)
  })

  it('counts beginnings also of what ends in the same turn', async () => {
    const { share, begun, ask } = shareOf({ width: 64, perTurn: 4 })
    for (let i = 0; i < 6; i++) {
      void ask(String(i))
      if (begun.length === i + 1) share.leave('one')
    }
    expect(begun).toHaveLength(4)
    await turn()
    expect(begun).toHaveLength(6)
  })

  it('keeps its count through any order of coming, leaving and hanging up', async () => {
    let seed = 20261115
    const random = (below: number) => {
      seed = (seed * 48271) % (2 ** 31 - 1)
      return seed % below
    }
    for (const perTurn of [1, 3, undefined]) {
      const share = createShare({ name: 'caller', width: 3, ...(perTurn && { perTurn }) })
      const [inside, waiting]: [string[], ServerResponse[]] = [[], []]
      for (let i = 0; i < 3000; i++) {
        const key = `key ${random(3)}`
        const what = random(7)
        if (what < 2 && inside.length) share.leave(inside.splice(random(inside.length), 1)[0]!)
        else if (what < 4 && waiting.length) waiting.splice(random(waiting.length), 1)[0]!.emit('close')
        else if (what === 4) await turn()
        else {
          const by = response()
          const entering = share.enter(key, by)
          if (!entering) inside.push(key)
          else {
            waiting.push(by)
            entering.then(
              () => inside.push(key),
              () => {},
            )
          }
        }
        for (const each of new Set(inside)) expect(inside.filter((one) => one === each).length).toBeLessThanOrEqual(3)
      }
      for (const by of waiting) by.emit('close')
      await turn()
      for (const key of inside) share.leave(key)
      vi.advanceTimersByTime(10)
      for (let i = 0; i < 3; i++) expect([perTurn, share.enter(`key ${i}`, response())]).toEqual([perTurn, undefined])
    }
  })
})
