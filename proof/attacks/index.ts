// What an attack broke once, tried again with its cousins, on three replicas:
// each is refused, others do not notice, nothing dies.
import type { Finding, Options, Size } from '../finding.ts'
import { random } from '../input/random.ts'
import { type Attack, openAttackContext } from './attack-context.ts'
import { counters } from './counters.ts'
import { doors } from './doors.ts'
import { guessing } from './guessing.ts'
import { hoarding } from './hoarding.ts'
import { leftBehind } from './left-behind.ts'
import { mailboxDomains } from './mailbox-domains.ts'
import { randomMoments } from './moments.ts'
import { pileUps } from './pile-ups.ts'
import { heldPowers } from './powers.ts'
import { redirects } from './redirects.ts'
import { spam } from './spam.ts'
import { underWay } from './under-way.ts'
import { waysBack } from './ways-back.ts'

const SEED = 20_261_115

const kinds: Record<string, Attack> = {
  heldPowers,
  randomMoments,
  underWay,
  doors,
  leftBehind,
  waysBack,
  mailboxDomains,
  hoarding,
  guessing,
  spam,
  redirects,
  counters,
  pileUps,
}

export async function* attacks(size: Size, { seed = SEED }: Options = {}): AsyncGenerator<Finding> {
  yield { tried: `seed ${seed}`, found: 'three replicas, with the limits they have in service' }
  const context = await openAttackContext({ size, dice: random(seed) })
  try {
    for (const [name, attack] of Object.entries(kinds)) {
      const began = performance.now()
      context.watch.during(name)
      try {
        yield* attack(context)
      } catch (error) {
        // The others still can.
        yield { tried: `${name}, to the end`, found: (error as Error).stack ?? String(error), good: false }
      }
      await context.watch.revive()
      yield { tried: name, found: `${Math.round((performance.now() - began) / 1000)} s` }
    }
    yield* context.watch.findings()
  } finally {
    await context.close()
  }
}
