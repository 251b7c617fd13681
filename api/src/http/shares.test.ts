import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { describe, expect, it } from 'vitest'
import { createShare, createShares, type ShareName } from './shares.ts'

/** What a share needs to know of an answer: when its client has gone. */
const response = () => new EventEmitter() as ServerResponse
const turn = () => new Promise((resolve) => setImmediate(resolve))

function shareOf(width = 2, name: ShareName = 'address') {
  const refused: string[] = []
  const share = createShare(name, width, (_, key) => refused.push(key))
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
    const { share, begun, ask, refused } = shareOf(1)
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

  it('lets nobody in who has hung up already', async () => {
    const { share, begun, ask } = shareOf(1)
    await ask('gone', 'one', Object.assign(response(), { closed: true }))
    void ask('a')
    expect(begun).toEqual(['a'])
    share.leave('one')
  })

  it('refuses at once what it could not remember', async () => {
    const { ask, refused, begun } = shareOf(1, 'caller')
    const waiting = Array.from({ length: 514 }, (_, i) => ask(String(i)))
    await waiting.at(-1)
    expect(refused).toEqual(['one'])
    expect(begun).toEqual(['0'])
  })

  it('keeps its count through any order of coming, leaving and hanging up', async () => {
    let seed = 20261115
    const random = (below: number) => {
      seed = (seed * 48271) % (2 ** 31 - 1)
      return seed % below
    }
    for (const width of [1, 2, 3]) {
      const share = createShare('caller', width)
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
        for (const each of new Set(inside)) expect(inside.filter((one) => one === each).length).toBeLessThanOrEqual(width)
      }
      for (const by of waiting) by.emit('close')
      await turn()
      for (const key of inside) share.leave(key)
      for (const key of [0, 1, 2]) for (let i = 0; i < width; i++) expect(share.enter(`key ${key}`, response())).toBeUndefined()
    }
  })
})

describe('the share of an address', () => {
  const LIMITS_FACTOR = 1 / 32 // two of each address
  const enter = async (key: string, shares: ReturnType<typeof createShares>) => {
    await turn() // each address begins one in a turn
    let inside = false
    const entering = shares.address.enter(key, response())
    if (!entering) return true
    void entering.then(
      () => (inside = true),
      () => {},
    )
    await turn()
    return inside
  }

  it('is one for its /64, and eight for all of its /48', async () => {
    const shares = createShares(LIMITS_FACTOR, () => {})
    const keys = Array.from({ length: 12 }, (_, n) => `2001:db8:1:${n}::/64`)
    const first: boolean[] = []
    for (const key of keys.flatMap((one) => [one, one])) first.push(await enter(key, shares))
    expect(first.filter(Boolean)).toHaveLength(16)
    expect(await enter('2001:db8:2:0::/64', shares)).toBe(true)
    expect(await enter('10.0.0.1', shares)).toBe(true)
  })
})
