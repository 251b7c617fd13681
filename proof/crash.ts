// kill -9 of the service, of its PostgreSQL and of both, at random moments under write load.
// Every acknowledged write must be there, once.
import { randomInt, randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUpAgency } from '../furnishing/front-door.ts'
import { ask } from './ask.ts'
import { verifyExport } from './chain.ts'
import type { Finding, Size } from './finding.ts'
import { createService, type Service } from './service.ts'

const SIZES = { small: { kills: 6, writes: 5000 }, full: { kills: 100, writes: 100_000 } }
/** Several, because the changes of one organization wait for each other at the head of its trail. */
const ORGANIZATIONS = 8
const WRITERS_EACH = 2
const READY_WITHIN_MS = 5000
/** A service that died in the middle of a request leaves its Idempotency-Key taken for a while. */
const SETTLED_WITHIN_MS = 60_000

const agent = new Agent({ keepAlive: true })

type CrashTenant = Awaited<ReturnType<typeof signUpAgency>>

/** Each write renames a workspace to a name that was never used before: its audit entry is its receipt. */
interface WriteLedger {
  readonly acknowledged: Set<string>
  readonly tried: Set<string>
}

/** `ending`: new writes are no longer made, those that wait are settled. `over`: nothing matters any more. */
interface LoadState {
  phase: 'going' | 'ending' | 'over'
}

export async function* crash(size: Size): AsyncGenerator<Finding> {
  const { kills, writes } = SIZES[size]
  const service = await createService()
  const load: LoadState = { phase: 'going' }
  let writers: Promise<void>[] = []
  try {
    service.start()
    yield { tried: 'a first start on an empty folder', found: `ready in ${await service.ready()} ms` }
    const tenants: CrashTenant[] = []
    for (let i = 0; i < ORGANIZATIONS; i++) tenants.push(await signUpAgency(service.url, `proof${i}`))
    const places = tenants.flatMap((tenant, i) => Array.from({ length: WRITERS_EACH }, (_, j) => ({ tenant, workspace: `w${i}x${j}` })))
    for (const { tenant, workspace } of places)
      await tenant.client.createWorkspace({ orgSlug: tenant.slug }, { name: workspace, slug: workspace })

    const ledger: WriteLedger = { acknowledged: new Set(), tried: new Set() }
    writers = places.map(({ tenant, workspace }) => write(service.url, tenant, workspace, ledger, load))
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
      good: slowest <= READY_WITHIN_MS,
    }
    yield* reconcile(service, tenants, ledger)
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

interface Write {
  readonly name: string
  readonly key: string
  /** Not before: its key is still taken by a request that died, or the service is away. */
  readonly next: number
}

/**
 * Repeats each write, with its Idempotency-Key, until it is known to have
 * been carried out; one that has to wait does not keep the others.
 */
async function write(url: string, { token, slug }: CrashTenant, workspace: string, ledger: WriteLedger, load: LoadState): Promise<void> {
  const path = `${url}/v1/organizations/${slug}/workspaces/${workspace}`
  let waiting: Write[] = []
  let stopped = 0
  for (let i = 0; load.phase === 'going' || (load.phase === 'ending' && waiting.length); i++) {
    stopped ||= load.phase === 'going' ? 0 : Date.now()
    if (stopped && Date.now() - stopped > SETTLED_WITHIN_MS) throw new Error(`${waiting.length} writes of ${workspace} were never settled`)
    const due = waiting.find(({ next }) => next <= Date.now())
    if (!due && load.phase !== 'going') {
      await sleep(50)
      continue
    }
    const { name, key } = due ?? { name: `${workspace}-${i}`, key: randomUUID() }
    ledger.tried.add(name)
    const outcome = await tryOnce(path, token, name, key)
    waiting = waiting.filter((one) => one !== due)
    if (outcome === 'done') ledger.acknowledged.add(name)
    else waiting.push({ name, key, next: Date.now() + (outcome === 'taken' ? 1000 : 0) })
    if (outcome === 'away') await sleep(100)
  }
}

async function tryOnce(path: string, token: string, name: string, key: string): Promise<'done' | 'taken' | 'away'> {
  const answer = await ask(path, {
    method: 'PATCH',
    body: { name },
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': key },
    agent,
    withinMs: 10_000,
  }).catch(() => undefined)
  // The connection died with the service, or its database is not back yet.
  if (!answer || answer.status === 503) return 'away'
  if (answer.status === 200) return 'done'
  const { code } = JSON.parse(answer.body) as { code?: string }
  if (code === 'answer_lost') return 'done' // it says so itself: carried out, answer lost
  if (code === 'request_running') return 'taken'
  throw new Error(`unexpected answer ${answer.status}: ${answer.body}`)
}

async function* reconcile({ url }: Service, tenants: readonly CrashTenant[], ledger: WriteLedger): AsyncGenerator<Finding> {
  const [counted, last] = [new Map<string, number>(), new Map<string, string>()]
  let entriesInAll = 0
  const verdicts: string[] = []
  const astray: string[] = []
  for (const { client, token, slug } of tenants) {
    const { entries, verdict } = await verifyExport(url, token, slug)
    entriesInAll += entries.length
    if (!verdict.good) verdicts.push(`${slug}: ${verdict.text}`)
    for (const { action, changes } of entries)
      for (const name of action === 'workspace.updated' ? changes.map(({ to }) => String(to)) : []) {
        counted.set(name, (counted.get(name) ?? 0) + 1)
        last.set(name.split('-')[0]!, name)
      }
    const { workspaces } = await client.listWorkspaces({ orgSlug: slug })
    astray.push(...workspaces.filter((one) => last.get(one.slug) !== one.name).map((one) => one.slug))
  }
  const lost = [...ledger.acknowledged].filter((name) => !counted.has(name))
  const doubled = [...counted].filter(([, times]) => times > 1)
  const strangers = [...counted.keys()].filter((name) => !ledger.acknowledged.has(name))
  yield {
    tried: `${ledger.acknowledged.size} acknowledged writes of ${ledger.tried.size} tried`,
    found: `${lost.length} lost, ${doubled.length} doubled`,
    good: lost.length + doubled.length === 0 && ledger.acknowledged.size === ledger.tried.size,
  }
  yield {
    tried: `${[...counted.values()].reduce((sum, times) => sum + times, 0)} audit entries of changes`,
    found: strangers.length ? `${strangers.length} for writes that nobody was told of` : 'one for each of them',
    good: strangers.length === 0,
  }
  yield {
    tried: `the hash chains of ${tenants.length} organizations, ${entriesInAll} entries`,
    found: verdicts.join('; ') || 'intact',
    good: verdicts.length === 0,
  }
  yield {
    tried: `${tenants.length * WRITERS_EACH} workspaces`,
    found: astray.length ? `${astray.join(', ')} differ from their last entry` : 'each as its last entry says',
    good: astray.length === 0,
  }
}

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)]!
