// Whoever is refused costs next to nothing: a refusal leaves no row behind.
import { randomBytes } from 'node:crypto'
import { type Attack, counted, newAddress, outcomeOf, send } from './attack-context.ts'

const READS = 460
const ALLOWED = 60

export const counters: Attack = async function* ({ furnish, urls }) {
  const rows = async () => (await furnish.one<{ count: number }>('select count(*)::int as count from limits')).count
  const from = newAddress()
  const read = (n: number) => send(`${urls[n % urls.length]}/v1/connect/${randomBytes(32).toString('base64url')}`, { from })
  const outcomes: string[] = []
  for (let n = 0; n < ALLOWED; n++) outcomes.push(outcomeOf(await read(n)))
  const before = await rows()
  for (let n = ALLOWED; n < READS; n++) outcomes.push(outcomeOf(await read(n)))
  const grown = (await rows()) - before
  yield {
    tried: `${READS - ALLOWED} connect links read past the limit of an address, each another one`,
    found: `${counted(outcomes)}; ${grown} more rows`,
    good: grown <= 10,
  }
}
