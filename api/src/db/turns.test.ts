import { describe, expect, it } from 'vitest'
import { BACKGROUND, createTurns, type PoolShare } from './turns.ts'

const PATIENCE_MS = 20_000

/** Who has got a connection, in the order they got it. */
function turnsOf(max: number, { factor = 1, patienceMs = PATIENCE_MS } = {}) {
  const turns = createTurns(max, patienceMs, factor)
  const got: string[] = []
  const ask = (share: PoolShare, name = share.member ?? share.group) => {
    const turn = turns.take(share)
    if (!turn) got.push(name)
    else
      turn.then(
        () => got.push(name),
        () => {},
      )
    return turn
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  return { turns, got, ask, settled }
}
const times = (count: number, act: () => unknown) => {
  for (let i = 0; i < count; i++) act()
}
const of = (group: string, member?: string): PoolShare => ({ group, member })

describe('connections', () => {
  it('are never all held by one organization, one caller, or by jobs: others find one free', () => {
    const organization = turnsOf(10)
    times(30, () => organization.ask(of('a')))
    expect(organization.got).toHaveLength(4)
    expect(organization.ask(of('b'))).toBeUndefined()

    const caller = turnsOf(10)
    times(30, () => caller.ask(of('a', 'ada')))
    expect(caller.got).toHaveLength(3)
    expect(caller.ask(of('a', 'grace'))).toBeUndefined()

    const jobs = turnsOf(10)
    times(30, () => jobs.ask(BACKGROUND))
    expect(jobs.got).toHaveLength(6)
    expect(jobs.ask(of('a'))).toBeUndefined()
  })

  it('go next to whoever holds fewest, whatever waits longer', async () => {
    const { turns, got, ask, settled } = turnsOf(4)
    for (const group of ['a', 'b']) times(20, () => ask(of(group)))
    expect(got).toEqual(['a', 'a', 'b', 'b'])
    void ask(of('c'))
    turns.give(of('a'))
    await settled()
    expect(got.slice(4)).toEqual(['c'])
    turns.give(of('c'))
    turns.give(of('b'))
    await settled()
    expect(got.slice(5)).toEqual(['a', 'b'])
  })

  it('are handed to callers of one organization in the order they asked, past those who have their share', async () => {
    const { turns, got, ask, settled } = turnsOf(10)
    times(4, () => ask(of('a', 'ada')))
    times(2, () => ask(of('a', 'grace')))
    expect(got).toEqual(['ada', 'ada', 'ada', 'grace'])
    turns.give(of('a', 'grace'))
    await settled()
    expect(got.slice(4)).toEqual(['grace'])
    turns.give(of('a', 'ada'))
    await settled()
    expect(got.at(-1)).toBe('ada')
  })

  it('are all there for a process that serves nobody, and for those whose operator says so', () => {
    const jobs = createTurns(10, PATIENCE_MS)
    times(10, () => expect(jobs.take(BACKGROUND)).toBeUndefined())
    const { got, ask } = turnsOf(10, { factor: 100 })
    times(30, () => ask(of('a', 'ada')))
    expect(got).toHaveLength(10)
  })

  it('of the smallest pool still serve everybody, one after the other', async () => {
    const { turns, got, ask, settled } = turnsOf(2)
    const everybody = [BACKGROUND, of('a', 'ada'), of('b', 'bob'), of('c')]
    for (const share of everybody) void ask(share)
    for (const share of everybody) {
      turns.give(share)
      await settled()
    }
    expect(got).toHaveLength(4)
  })

  it('go from hand to hand while somebody waits, and back to the pool when nobody does', async () => {
    const turns = createTurns<string>(1, PATIENCE_MS, 1)
    expect(turns.take(of('a'))).toBeUndefined()
    const [next, last] = [turns.take(of('b')), turns.take(of('c'))]
    expect(turns.give(of('a'), 'connection')).toBe(true)
    expect(await next).toBe('connection')
    expect(turns.give(of('b'))).toBe(false) // it broke: the next one needs a new one
    expect(await last).toBeUndefined()
    expect(turns.give(of('c'), 'connection')).toBe(false)
  })

  it('are waited for in vain no longer than agreed, and the place in the queue goes with it', async () => {
    const { turns, ask } = turnsOf(1, { patienceMs: 1 })
    void ask(of('a'))
    await expect(ask(of('b'))).rejects.toThrow('Waited too long for a connection')
    expect(turns.waiting).toBe(0)
    turns.give(of('a'))
    expect(ask(of('c'))).toBeUndefined()
  })

  it('are waited for longer by those who wait for nobody but themselves', async () => {
    const full = turnsOf(1, { patienceMs: 20 })
    const free = turnsOf(10, { patienceMs: 20 })
    void full.ask(of('a'))
    times(3, () => free.ask(of('a', 'ada')))
    const lost: string[] = []
    const own = free.ask(of('a', 'ada'))!.catch(() => lost.push('own share'))
    await Promise.all([own, full.ask(of('b'))!.catch(() => lost.push('pool'))])
    expect(lost).toEqual(['pool', 'own share'])
  })
})
