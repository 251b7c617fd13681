// Other tenants, from addresses of their own, at their daily work on every replica:
// how long they wait, and whether anyone is refused.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { describeAnswer } from '../ask.ts'
import type { Finding, Size } from '../finding.ts'
import { type AttackContext, newAddress, send } from './attack-context.ts'

const TENANTS = 4
const PAUSE_MS = 20
/** On a machine where next to nothing takes time, three times next to nothing is not a bar. */
const LEAST_QUIET_MS = 25
const TIMES = 3

export interface Measured {
  readonly requests: number
  readonly p50: number
  readonly p99: number
  readonly faults: readonly string[]
}

export interface Honest {
  /** What they meet while something goes on. */
  during(work: () => Promise<unknown>): Promise<Measured>
}

type HonestAction = (url: string, turn: number) => Promise<string | undefined>

export async function createHonest(context: AttackContext): Promise<Honest> {
  const tenants: HonestAction[] = []
  for (let i = 0; i < TENANTS; i++) tenants.push(await createHonestTenant(context))
  return {
    async during(work) {
      let going = true
      const milliseconds: number[] = []
      const faults: string[] = []
      const loops = tenants.map(async (action) => {
        for (let turn = randomInt(100); going; turn++) {
          const began = performance.now()
          const fault = await action(context.urls[turn % context.urls.length]!, turn)
          milliseconds.push(performance.now() - began)
          if (fault) faults.push(fault)
          await sleep(randomInt(2 * PAUSE_MS))
        }
      })
      try {
        await work()
      } finally {
        going = false
        await Promise.all(loops)
      }
      const sorted = milliseconds.toSorted((a, b) => a - b)
      const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)
      return { requests: sorted.length, p50: at(0.5), p99: at(0.99), faults }
    },
  }
}

/** Lists, members, oneself, and now and then a rename. */
async function createHonestTenant({ furnish }: AttackContext): Promise<HonestAction> {
  const organization = await furnish.organization()
  const { slug: workspace } = await furnish.workspace(organization)
  const { headers: key } = await furnish.key(organization)
  const place = `/v1/organizations/${organization.slug}`
  const { headers } = organization.admin
  const from = newAddress()
  const actions = [
    { path: `${place}/workspaces/${workspace}/integrations`, headers: key },
    { path: `${place}/members`, headers: key },
    { path: '/v1/me', headers },
    { path: `${place}/workspaces/${workspace}`, headers, method: 'PATCH' },
  ]
  return async (url, turn) => {
    const { path, method = 'GET', ...more } = actions[turn % actions.length]!
    const body = method === 'PATCH' && { body: { name: `Client ${turn}` } }
    const answer = await send(`${url}${path}`, { method, from, ...more, ...body }).catch((error: Error) => error)
    return answer instanceof Error || answer.status !== 200 ? describeAnswer(method, path.replace(place, '…'), answer) : undefined
  }
}

/**
 * Nobody is refused, and nobody waits more than three times as long as when it was quiet. Waits are judged in the full size,
 * which has the machine for itself.
 */
export function judge(tried: string, size: Size, quiet: Measured, busy: Measured): Finding {
  const bar = TIMES * Math.max(quiet.p99, LEAST_QUIET_MS)
  const waits = `p50 ${busy.p50} and p99 ${busy.p99} ms, quiet ${quiet.p50} and ${quiet.p99} ms`
  const { faults, requests } = busy
  return {
    tried,
    found: faults.length
      ? `${faults.length} of ${requests} requests of others failed, such as ${faults[0]}; ${waits}`
      : `${requests} requests of others, none refused; ${waits}`,
    good: !faults.length && requests > 0 && (size === 'small' || busy.p99 <= bar),
  }
}
