// kill -9 of the service, of its PostgreSQL and of both, at random moments under write load.
// Every acknowledged write must be there, once.
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpAgency } from '../furnishing/front-door.ts'
import type { Finding, Size } from './finding.ts'
import { patience } from './patience.ts'
import { createService, type Service } from './service.ts'
import { type LoadState, reconcileWrites, type WriteLedger, write } from './writers.ts'

const SIZES = { small: { kills: 6, writes: 5000 }, full: { kills: 100, writes: 100_000 } }
/** Several, because the changes of one organization wait for each other at the head of its trail. */
const ORGANIZATIONS = 8
const WRITERS_EACH = 2
const READY_WITHIN_MS = 5000

export async function* crash(size: Size): AsyncGenerator<Finding> {
  const { kills, writes } = SIZES[size]
  const service = await createService({ NODE_OPTIONS: patience(size) })
  const load: LoadState = { phase: 'going' }
  let writers: Promise<void>[] = []
  try {
    service.start()
    yield { tried: 'a first start on an empty folder', found: `ready in ${await service.ready()} ms` }
    const tenants: Awaited<ReturnType<typeof signUpAgency>>[] = []
    for (let i = 0; i < ORGANIZATIONS; i++) tenants.push(await signUpAgency(service.url, `proof${i}`))
    const places = tenants.flatMap((tenant, i) => Array.from({ length: WRITERS_EACH }, (_, j) => ({ tenant, workspace: `w${i}x${j}` })))
    for (const { tenant, workspace } of places)
      await tenant.client.createWorkspace({ orgSlug: tenant.slug }, { name: workspace, slug: workspace })

    const ledger: WriteLedger = { acknowledged: new Set(), tried: new Set() }
    writers = places.map(({ tenant, workspace }) => write({ url: () => service.url, tenant, workspace, ledger, load }))
    const settled = Promise.all(writers)
    settled.catch(() => {}) // whoever waits for it hears of it
    const began = performance.now()
    const times: number[] = []
    for (let kill = 0; kill <= kills; kill++) {
      // Between kills enough is written that none of them comes at a quiet moment.
      const goal = Math.min(writes, Math.ceil(((kill + 1) * writes) / kills))
      while (ledger.acknowledged.size < goal) await Promise.race([sleep(20), settled])
      if (kill === kills) break
      await sleep(randomInt(50))
      times.push(await killAndRestart(service, kill))
      if (size === 'full' && kill % 10 === 9) yield { tried: `${kill + 1} kills`, found: `${ledger.acknowledged.size} writes acknowledged` }
    }
    load.phase = 'ending'
    await settled

    const slowest = Math.max(...times)
    yield {
      tried: `${kills} kills of the service, its PostgreSQL and both, by turns`,
      found: `ready again in ${slowest} ms at the most, ${median(times)} ms in the middle; ${Math.round((performance.now() - began) / 1000)} s in all`,
      // The small size runs beside whatever else the machine does: it tells times, and judges what is there.
      ...(size === 'full' && { good: slowest <= READY_WITHIN_MS }),
    }
    yield* reconcileWrites(service.url, tenants, ledger)
  } finally {
    load.phase = 'over'
    await service.remove()
    await Promise.allSettled(writers)
  }
}

async function killAndRestart(service: Service, turn: number): Promise<number> {
  const [server, database] = [turn % 3 !== 1, turn % 3 !== 0]
  if (database) service.killDatabase()
  if (server) service.kill('SIGKILL')
  await sleep(5)
  if (server) service.start()
  else await waitUntilUnready(service)
  return service.ready()
}

/** The service has to notice first that its database is gone; until then `/health` may still say yes. */
async function waitUntilUnready(service: Service): Promise<void> {
  for (const until = Date.now() + 500; Date.now() < until; ) {
    const answer = await fetch(`${service.url}/health`).catch(() => undefined)
    if (answer?.status !== 200) return
  }
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
