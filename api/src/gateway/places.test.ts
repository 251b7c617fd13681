import { describe, expect, it } from 'vitest'
import { createPlaces, MOST, MOST_WAITING, type PlaceHolder, type TakenPlace } from './places.ts'

const HERE = 'integration'
const of = (caller: string, person = caller): PlaceHolder => ({ caller, person })

/** As many of a caller as ask, and those that were let in. */
function crowd() {
  const places = createPlaces()
  const taken: { name: string; place: TakenPlace }[] = []
  const refused: string[] = []
  const come = async (count: number, holder: PlaceHolder) => {
    for (let n = 0; n < count; n++)
      void places.enter(HERE, holder).then((place) => {
        if (place) taken.push({ name: holder.caller, place })
        else refused.push(holder.caller)
      })
    await settled()
  }
  const leave = async (name: string) => {
    const at = taken.findIndex((each) => each.name === name)
    taken.splice(at, 1)[0]!.place.leave()
    await settled()
  }
  const count = (name: string) => taken.filter((each) => each.name === name).length
  return { places, come, leave, count, taken, refused }
}
const settled = () => new Promise((done) => setImmediate(done))

describe('the places of an integration', () => {
  it.each([
    { who: 'one key', holders: [of('key a')], most: MOST.caller },
    { who: 'all keys of one person', holders: [of('key a', 'ada'), of('key b', 'ada'), of('ada')], most: MOST.person },
    { who: 'many', holders: [of('ada'), of('grace'), of('joan')], most: MOST.all },
  ])('$who: never all taken by fewer than two people', async ({ holders, most }) => {
    const { come, taken } = crowd()
    for (const holder of holders) await come(MOST.all, holder)
    expect(taken).toHaveLength(most)
  })

  it.each([of('another key', 'ada'), of('grace')])('has room for $caller of $person, whatever the first key holds', async (other) => {
    const { come, count } = crowd()
    await come(MOST.all + MOST_WAITING, of('first key', 'ada'))
    await come(1, other)
    expect(count(other.caller)).toBe(1)
  })

  it('go to whoever holds fewest, not to whoever asked first', async () => {
    const { come, leave, count } = crowd()
    await come(MOST.caller + 5, of('ada'))
    await come(2, of('grace'))
    await come(1, of('joan'))
    await leave('ada')
    expect([count('ada'), count('grace'), count('joan')]).toEqual([5, 2, 1])
    await leave('ada')
    expect([count('ada'), count('grace'), count('joan')]).toEqual([5, 2, 1])
  })

  it('have a queue that nobody fills for others', async () => {
    const { places, come, count, refused } = crowd()
    await come(MOST.caller, of('ada'))
    await come(2, of('grace'))
    await come(MOST_WAITING, of('ada'))
    expect(places.waiting(HERE)).toBe(MOST_WAITING)
    await come(1, of('joan'))
    expect([places.waiting(HERE), refused]).toEqual([MOST_WAITING, ['ada']])
    await come(1, of('ada'))
    expect(refused).toEqual(['ada', 'ada'])
    expect(count('joan')).toBe(0)
  })

  it('are passed on once, however often they are left, and a wait ends with its caller', async () => {
    const { places, come, taken } = crowd()
    await come(MOST.caller, of('ada'))
    const listeners: (() => void)[] = []
    const hungUp = { aborted: false, addEventListener: (_: 'abort', listener: () => void) => void listeners.push(listener) }
    const waiting = places.enter(HERE, of('ada'), hungUp)
    for (const listener of listeners) listener()
    expect(await waiting).toBeNull()
    expect(places.waiting(HERE)).toBe(0)
    const [first] = taken
    first!.place.leave()
    first!.place.leave()
    await come(5, of('ada'))
    expect(taken.length - 1).toBe(MOST.caller)
  })
})
