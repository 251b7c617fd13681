import { inspect } from 'node:util'

const ROUND_MS = 20
const ROUNDS = 1000

/**
 * What `look` saw as soon as it is good; `what` names it for whoever reads that it never came. Gives up after a thousand
 * looks, so twenty seconds at least: rounds are counted and not time, which a busy machine or a standstill would use up.
 */
export async function until<T>(look: () => T | Promise<T>, good: (seen: T) => boolean = Boolean, what = 'this'): Promise<NonNullable<T>> {
  let seen = await look()
  for (let round = 1; !good(seen); round++) {
    if (round === ROUNDS) throw new Error(`Waited for ${what} in vain. Last seen: ${inspect(seen, { depth: 3 }).slice(0, 1000)}`)
    await new Promise((resolve) => setTimeout(resolve, ROUND_MS))
    seen = await look()
  }
  return seen as NonNullable<T> // nobody waits for nothing
}
