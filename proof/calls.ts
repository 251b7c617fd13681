// kill -9 of replicas and of their PostgreSQL while programs change things at an ad system.
// What reached the ad system must be in the audit trail, from before it arrived; and nothing arrives twice.
import { randomInt, randomUUID } from 'node:crypto'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createClient } from '@adjoin/contract'
import pg from 'pg'
import { serverOf } from '../api/src/db/embedded-process.ts'
import { createSandbox } from '../api/src/sandbox/index.ts'
import { newSealKey } from '../api/src/vault/key-ring.ts'
import { ask } from './ask.ts'
import { verifyExport } from './chain.ts'
import { createDatabase, type ProofDatabase } from './database.ts'
import type { Finding, Size } from './finding.ts'
import { type Furnish, furnishBy } from './furnish.ts'
import { patience } from './patience.ts'
import { killDatabaseIn } from './scratch.ts'
import { createService, type Service } from './service.ts'

const SIZES = { small: { kills: 6, changes: 600 }, full: { kills: 150, changes: 30_000 } }
const PROCESS = fileURLToPath(new URL('secrets/process.ts', import.meta.url))
const REPLICAS = 2
/** Several, because the changes of one organization wait for each other at the head of its trail. */
const ORGANIZATIONS = 4
const CALLERS_EACH = 4
const PATH = 'v1/buyer/campaigns/'

const agent = new Agent({ keepAlive: true })

/** A change at the twin: its path was never used before. */
interface Arrival {
  readonly at: number
  /** Its entry could be read when it arrived; undefined where the database was away. */
  recorded: boolean | undefined
}

interface Caller {
  readonly proxy: string
  readonly key: Record<string, string>
}

export async function* calls(size: Size): AsyncGenerator<Finding> {
  const { kills, changes } = SIZES[size]
  // What is opened is closed in reverse.
  const opened: (() => unknown)[] = []
  const load = { over: false }
  try {
    const database = await createDatabase()
    opened.push(database.remove)
    const reader = new pg.Pool({ ...database.connection, max: 8 })
    reader.on('error', () => {}) // of a connection that died with its database
    opened.push(() => reader.end())
    const arrivals = new Map<string, Arrival[]>()
    const organizations: string[] = []
    const observe = (call: { method: string; url: string }) => arrived(call, arrivals, (path) => isRecorded(reader, path, organizations))
    const sandbox = await createSandbox({ secret: 'proof', environment: 'test', observe }).listen()
    opened.push(sandbox.close)
    const services = await startReplicas(database, { TWINS: sandbox.url, NODE_OPTIONS: patience(size) }, opened)
    const furnish = furnishBy(database.connection)
    opened.push(furnish.end)
    const tenants = await Promise.all(Array.from({ length: ORGANIZATIONS }, () => createTenant(services[0]!.url, furnish)))
    organizations.push(...tenants.map(({ organization }) => organization.id))

    let sent = 0
    const callers = tenants.flatMap(({ caller }, i) =>
      Array.from({ length: CALLERS_EACH }, async (_, j) => {
        for (let n = 0; !load.over; n++) {
          await change(services, caller, `${i}x${j}x${n}`)
          sent++
        }
      }),
    )
    const ended = Promise.all(callers)
    ended.catch(() => {}) // whoever waits for it hears of it
    opened.push(() => {
      load.over = true
      return Promise.allSettled(callers)
    })
    for (let kill = 0; kill <= kills; kill++) {
      const goal = Math.ceil(((kill + 1) * changes) / (kills + 1))
      while (sent < goal) await Promise.race([sleep(10), ended])
      if (kill === kills) break
      await sleep(randomInt(30))
      await killAndRestart(services, database, kill)
      if (size === 'full' && kill % 15 === 14) yield { tried: `${kill + 1} kills`, found: `${sent} changes tried` }
    }
    load.over = true
    await ended
    yield* reconcile(services[0]!.url, tenants, arrivals, { kills, sent })
  } finally {
    while (opened.length) await opened.pop()!()
  }
}

async function startReplicas(database: ProofDatabase, more: Record<string, string>, opened: (() => unknown)[]): Promise<Service[]> {
  const env = { DATABASE_URL: database.url(), SEAL_KEYS: newSealKey('proof'), NODE_ENV: 'test', LOG_LEVEL: 'error', ...more }
  const services = await Promise.all(Array.from({ length: REPLICAS }, () => createService(env, PROCESS)))
  for (const service of services) {
    opened.push(service.remove)
    service.start()
    await service.ready()
  }
  return services
}

async function createTenant(url: string, furnish: Furnish) {
  const organization = await furnish.organization()
  const { slug: workspaceSlug } = await furnish.workspace(organization)
  const at = { orgSlug: organization.slug, workspaceSlug }
  const client = createClient({ url, headers: { ...organization.admin.headers } })
  const { id } = await client.createIntegration(at, { provider: 'adform', name: 'Display', callPolicy: { mode: 'full' } })
  await client.submitIntegrationCredentials({ ...at, id }, { clientId: 'fake.client@clients.adform.com', clientSecret: 'fake-secret-1' })
  const proxy = `/v1/organizations/${organization.slug}/workspaces/${workspaceSlug}/integrations/${id}/proxy/${PATH}`
  const caller: Caller = { proxy, key: { ...(await furnish.key(organization)).headers } }
  return { organization, caller }
}

/** Sent to one replica and, where that died under it, with the same Idempotency-Key to the other. */
async function change(services: readonly Service[], { proxy, key }: Caller, name: string): Promise<void> {
  const headers = { ...key, 'idempotency-key': randomUUID() }
  for (const service of randomInt(2) ? services : services.toReversed()) {
    const sent = { method: 'PUT', body: { name }, headers, agent, withinMs: 10_000 }
    const answer = await ask(`${service.url}${proxy}${name}`, sent).catch(() => undefined)
    if (answer && answer.status !== 503) return
    await sleep(20)
  }
}

/** Its entry is looked for at once: one that is written after its change has left is missing here. */
function arrived(
  { method, url }: { method: string; url: string },
  arrivals: Map<string, Arrival[]>,
  look: (path: string) => Promise<boolean>,
): void {
  if (method !== 'PUT') return
  const path = url.slice(url.indexOf(`/${PATH}`))
  const arrival: Arrival = { at: Date.now(), recorded: undefined }
  arrivals.set(path, [...(arrivals.get(path) ?? []), arrival])
  look(path).then(
    (found) => {
      arrival.recorded = found
    },
    () => {}, // the database was killed, too: it is looked for again in the end
  )
}

/** Among the newest of its organization, which the path names first. */
async function isRecorded(reader: pg.Pool, path: string, organizations: readonly string[]): Promise<boolean> {
  const newest = 'select content from audit_entries where organization_id = $1 order by sequence desc limit 100'
  const entry = `select from (${newest}) newest where content::jsonb #>> '{metadata,path}' = $2`
  const organization = organizations[Number(path.slice(PATH.length + 1).split('x')[0])]
  return (await reader.query(entry, [organization, path])).rowCount === 1
}

/** A replica, the other one, their PostgreSQL: by turns. */
async function killAndRestart(services: readonly Service[], database: ProofDatabase, turn: number): Promise<void> {
  const service = services[turn % (REPLICAS + 1)]
  if (service) {
    service.kill('SIGKILL')
    await sleep(5)
    service.start()
  } else {
    killDatabaseIn(database.folder)
    await sleep(20)
    // Whoever holds its lock has to notice first that it is gone.
    while (!serverOf(join(database.folder, 'postgres'))) await database.ensure().then(() => sleep(20))
    await database.ensure()
  }
  await Promise.all(services.map((each) => each.ready()))
}

async function* reconcile(
  url: string,
  tenants: readonly Awaited<ReturnType<typeof createTenant>>[],
  arrivals: ReadonlyMap<string, Arrival[]>,
  { kills, sent }: { kills: number; sent: number },
): AsyncGenerator<Finding> {
  const recorded = new Map<string, number>()
  const verdicts: string[] = []
  let doubled = 0
  for (const { organization } of tenants) {
    const { slug, admin } = organization
    const { entries, verdict } = await verifyExport(url, admin.token, slug)
    if (!verdict.good) verdicts.push(`${slug}: ${verdict.text}`)
    for (const { action, metadata, createdAt } of entries)
      if (action === 'integration.change_sent') {
        if (recorded.has(String(metadata.path))) doubled++
        recorded.set(String(metadata.path), Date.parse(createdAt))
      }
  }
  const all = [...arrivals].flatMap(([path, list]) => list.map((arrival) => ({ path, ...arrival })))
  const without = all.filter(({ path }) => !recorded.has(path))
  const late = all.filter(({ path, at, recorded: then }) => then === false || (recorded.get(path) ?? 0) > at)
  const twice = [...arrivals.values()].filter(({ length }) => length > 1)
  const looked = all.filter(({ recorded: then }) => then !== undefined)
  yield {
    tried: `${all.length} changes that reached the ad system, of ${sent} tried, during ${kills} kills of replicas and of PostgreSQL`,
    found: `${without.length} without an audit entry, ${late.length} with one that came later`,
    good: all.length > sent / 2 && without.length + late.length === 0,
  }
  const missing = looked.filter(({ recorded: then }) => !then)
  yield {
    tried: `${looked.length} entries looked for when their change arrived`,
    found: `${missing.length} missing`,
    good: looked.length > all.length / 2 && missing.length === 0,
  }
  yield {
    tried: 'changes sent again with their Idempotency-Key',
    found: `${twice.length} arrived twice, ${doubled} recorded twice`,
    good: twice.length + doubled === 0,
  }
  const unsent = [...recorded.keys()].filter((path) => !arrivals.has(path)).length
  yield { tried: `${recorded.size} entries of changes`, found: `${unsent} of changes that were killed before they left` }
  yield { tried: `the hash chains of ${tenants.length} organizations`, found: verdicts.join('; ') || 'intact', good: !verdicts.length }
}
