// The service on a cluster, as compose.ha.yaml runs it, and eighteen writers that keep books of every answer.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@adjoin/contract'
import type pg from 'pg'
import { connectionTo, newClient } from '../../api/src/db/hosts.ts'
import { newSealKey } from '../../api/src/vault/key-ring.ts'
import type { HttpAnswer } from '../ask.ts'
import { createLedger, type LoadLedger } from '../faults/ledger.ts'
import { furnishBy } from '../furnish.ts'
import { removeScratch, scratchFolder } from '../scratch.ts'
import { createService, type Service } from '../service.ts'
import { type LoadState, type WriterTenant, write } from '../writers.ts'
import { runAdmin } from './admin.ts'
import type { Cluster } from './cluster.ts'

/** What became of the requests, from some moment on. */
export interface AnswerTally {
  acknowledged: number
  /** 503: the database is away. */
  unavailable: number
  /** Of them, those that say that the change may have been made. */
  unknown: number
  /** A repeated key that tells what became of the first request, or that it is still under way. */
  settled: number
  /** Anything else: each a defect. */
  readonly others: string[]
  readonly slow: number[]
}

export interface FailoverLoad {
  readonly env: Record<string, string>
  readonly tenants: readonly WriterTenant[]
  readonly ledgers: readonly LoadLedger[]
  readonly checkpoints: string
  readonly folder: string
  url(): string
  /** Of everything so far; a copy. */
  tally(): AnswerTally
  acknowledged(): number
  /** The longest time without an acknowledged write in between, in seconds. */
  longestGap(from: number, to: number): number
  /** Waits until each writer's organization has had a write acknowledged that began from now on. */
  flowing(withinMs?: number): Promise<void>
  /** Has the process for jobs write its checkpoints now, and not in five minutes. */
  checkpointsDue(): Promise<void>
  /** Processes of the service that have ended, though nobody told them to. */
  dead(): string[]
  /** Replaces the processes for the API by some that find the database in another way. */
  findBy(databaseUrl: string): Promise<void>
  /** No new writes; those under way are settled. */
  settle(): Promise<void>
  remove(): Promise<void>
}

const ORGANIZATIONS = 9
const WRITERS_EACH = 2
const SLOW_MS = 15_000
const PATIENCE_MS = 25_000

export async function startLoad(cluster: Cluster, pauseMs: number): Promise<FailoverLoad> {
  const folder = scratchFolder('failover')
  const checkpoints = join(folder, 'checkpoints.ndjson')
  const env = { SEAL_KEYS: newSealKey('proof'), DATABASE_URL: cluster.url('run') }
  await runAdmin({ ...env, DATABASE_URL: cluster.url('owner') }, ['migrate'])
  const start = async (more: Record<string, string>) => {
    const service = await createService({ ...env, ...more })
    service.start()
    await service.ready(60_000)
    return service
  }
  let apis: Service[] = await Promise.all([1, 2].map(() => start({ ROLES: 'api' })))
  const jobs = await start({ ROLES: 'jobs', AUDIT_CHECKPOINTS: `file://${checkpoints}` })

  const furnish = furnishBy(connectionOf(cluster))
  const tenants: WriterTenant[] = []
  const places: { tenant: WriterTenant; workspace: string; ledger: LoadLedger }[] = []
  const ledgers = Array.from({ length: ORGANIZATIONS }, createLedger)
  for (const [i, ledger] of ledgers.entries()) {
    const organization = await furnish.organization()
    const { token, headers } = organization.admin
    const tenant: WriterTenant = {
      token,
      slug: organization.slug,
      get client() {
        return createClient({ url: apis[0]!.url, headers, retries: 5 }) // of the processes that there are now
      },
    }
    tenants.push(tenant)
    for (let j = 0; j < WRITERS_EACH; j++) {
      const workspace = `w${i}x${j}`
      await furnish.workspace(organization, workspace)
      places.push({ tenant, workspace, ledger })
    }
  }
  await furnish.end()

  const tally: AnswerTally = { acknowledged: 0, unavailable: 0, unknown: 0, settled: 0, others: [], slow: [] }
  const acknowledgedAt: number[] = []
  const lastBegun = new Map<string, number>()
  const note = (slug: string) => (answer: HttpAnswer | undefined, began: number) => {
    const [now, code] = [performance.now(), /"code":"(\w+)"/.exec(answer?.body ?? '')?.[1]]
    if (now - began > SLOW_MS) tally.slow.push(Math.round(now - began))
    if (answer?.status === 200) {
      tally.acknowledged++
      acknowledgedAt.push(now)
      lastBegun.set(slug, began)
    } else if (answer?.status === 503) {
      tally.unavailable++
      if (code === 'outcome_unknown') tally.unknown++
    } else if (code === 'request_running' || code === 'answer_lost') tally.settled++
    else tally.others.push(answer ? `${answer.status} ${code}` : 'no answer')
  }
  const state: LoadState = { phase: 'going' }
  let turn = 0
  const url = () => apis[turn++ % apis.length]!.url
  const writers = places.map(({ tenant, workspace, ledger }) =>
    write({ url, tenant, workspace, ledger, load: state, pauseMs, note: note(tenant.slug), patienceMs: PATIENCE_MS }),
  )
  const settled = Promise.all(writers)
  settled.catch(() => {}) // whoever waits for it hears of it

  return {
    env,
    tenants,
    ledgers,
    checkpoints,
    folder,
    url,
    tally: () => ({ ...tally, others: [...tally.others], slow: [...tally.slow] }),
    acknowledged: () => ledgers.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0),
    longestGap: (from, to) => {
      const moments = [from, ...acknowledgedAt.filter((at) => at > from && at < to), to]
      return moments.slice(1).reduce((longest, at, i) => Math.max(longest, at - moments[i]!), 0) / 1000
    },
    flowing: async (withinMs = 60_000) => {
      const since = performance.now()
      while (!tenants.every(({ slug }) => lastBegun.get(slug)! > since)) {
        if (performance.now() - since > withinMs) throw new Error(`not every organization could write again within ${withinMs} ms`)
        await Promise.race([sleep(50), settled])
      }
    },
    checkpointsDue: async () => {
      const client = newClient(connectionTo(cluster.url('run')))
      client.on('error', () => {})
      await client.connect()
      await client.query(`update schedules set due_at = now() where name = 'checkpoints'`)
      await client.end()
    },
    dead: () => [...apis, jobs].filter((service) => !isAlive(service.pid())).map((service) => service.output().slice(-800)),
    findBy: async (databaseUrl) => {
      const [before, fresh] = [apis, await Promise.all([1, 2].map(() => start({ ROLES: 'api', DATABASE_URL: databaseUrl })))]
      apis = fresh
      await sleep(1000) // for what was sent to the old ones
      await Promise.all(before.map((service) => service.remove()))
    },
    settle: async () => {
      state.phase = 'ending'
      await settled
    },
    remove: async () => {
      state.phase = 'over'
      await Promise.allSettled(writers)
      await Promise.all([...apis, jobs].map((service) => service.remove()))
      removeScratch(folder)
    },
  }
}

/** Through the first HAProxy, while nothing is wrong. */
function connectionOf(cluster: Cluster): pg.ClientConfig {
  const [host, port] = cluster.balancers[0]!.primary.split(':')
  const { username, password, pathname } = new URL(cluster.url('run', 'standby'))
  return { host: host!, port: Number(port), user: username, password, database: pathname.slice(1) }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
