// The service on Citus: the suites, every statement of a tenant on one shard, a worker that dies, shards that move.
import { spawnSync } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { newSealKey } from '../../api/src/vault/key-ring.ts'
import { signUpAgency } from '../../furnishing/front-door.ts'
import type { Finding, Size } from '../finding.ts'
import { createService, type Service } from '../service.ts'
import { type CitusCluster, findCitus, startCluster } from './cluster.ts'
import { type Failure, type LoadTenant, startLoad } from './load.ts'
import { suites } from './suites.ts'

const ADMIN = fileURLToPath(new URL('../../api/src/admin/main.ts', import.meta.url))
const SIZES = { small: { tenants: 6, kills: 1, moves: 1 }, full: { tenants: 12, kills: 6, moves: 6 } }
const SHARDS = 8
const AWAY_MS = 5000
/** The two problems with 503: nothing was done, or nobody knows and the Idempotency-Key tells. */
const UNAVAILABLE = ['unavailable', 'outcome_unknown']

export async function* citus(size: Size): AsyncGenerator<Finding> {
  const bin = findCitus()
  if (!bin) {
    yield { tried: 'Citus', found: 'left out: no PostgreSQL with Citus was found here. Set CITUS_BIN to the folder of its programs' }
    return
  }
  yield { tried: 'Citus', found: `in ${bin}` }
  yield* onCluster(await startCluster(bin, CARELESS), (cluster) => suites(cluster, size))
  yield* onCluster(await startCluster(bin), (cluster) => live(cluster, size))
}

/** The disk matters where something is killed, and nowhere else. */
const CARELESS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }

async function* onCluster(cluster: CitusCluster, work: (cluster: CitusCluster) => AsyncIterable<Finding>): AsyncGenerator<Finding> {
  try {
    yield* work(cluster)
  } finally {
    await cluster.remove()
  }
}

/** One database that is distributed with everything in it, and what happens to it under load. */
async function* live(cluster: CitusCluster, size: Size): AsyncGenerator<Finding> {
  const env = { DATABASE_URL: await cluster.createDatabase('proof'), SEAL_KEYS: newSealKey('proof') }
  const services = await Promise.all([createService({ ...env, ROLES: 'api' }), createService(env)])
  try {
    const [, first] = services as [Service, Service]
    first.start()
    await first.ready()
    const tenants: LoadTenant[] = []
    for (let i = 0; i < SIZES[size].tenants; i++) tenants.push(await furnish(first.url, `citus${i}`))
    await first.stop()
    yield* distributed(env)
    for (const service of services) service.start()
    await Promise.all(services.map((service) => service.ready()))
    // Moves first: after a worker has died, connections to it that the coordinator kept fail once when they are next used.
    yield* moves(cluster, services, tenants, SIZES[size].moves)
    yield* crashes(cluster, services, tenants, SIZES[size].kills)
  } finally {
    await Promise.all(services.map((service) => service.remove()))
  }
}

async function furnish(url: string, slug: string): Promise<LoadTenant> {
  const agency = await signUpAgency(url, slug)
  const workspace = `w-${slug}`
  await agency.client.createWorkspace({ orgSlug: slug }, { name: workspace, slug: workspace })
  const { key } = await agency.client.createApiKey({ orgSlug: slug }, { name: 'Reader', level: 'organization', role: 'viewer' })
  return { ...agency, workspace, key }
}

const admin = (env: Record<string, string>, ...args: string[]) =>
  spawnSync(process.execPath, [ADMIN, ...args], { env: { PATH: process.env.PATH, ...env }, encoding: 'utf8' })

async function* distributed(env: Record<string, string>): AsyncGenerator<Finding> {
  const [planned, done, again, trails] = [
    admin(env, 'distribute', '--dry-run'),
    admin(env, 'distribute', '--shards', String(SHARDS)),
    admin(env, 'distribute'),
    admin(env, 'verify-audit'),
  ]
  const good = [planned, done, again, trails].every(({ status }) => status === 0) && again.stdout.includes('nothing was changed')
  yield {
    tried: 'adjoin-admin distribute, with its plan first, and once more afterwards',
    found: good ? `${done.stdout.trim()} ${trails.stdout.trim()}` : [planned, done, again, trails].map(({ stderr }) => stderr).join(''),
    good,
  }
}

/** The port of the worker that an organization is on. */
async function homes(cluster: CitusCluster): Promise<Map<string, number>> {
  const rows = await cluster.operator<{ slug: string; port: number }>(
    'proof',
    `select o.slug, s.nodeport as port from organizations o
      join citus_shards s on s.table_name = 'members'::regclass and s.shardid = get_shard_id_for_distribution_column('members', o.id)`,
  )
  return new Map(rows.map(({ slug, port }) => [slug, port]))
}

/** What the services logged of requests that they could not carry out: each cause once. */
function causes(services: readonly Service[]): string {
  const logged = services.flatMap((service) => [...service.output().matchAll(/"err":\{"name":"[^"]*","message":"((?:[^"\\]|\\.)*)"/g)])
  return [...new Set(logged.map(([, message]) => message!.replace(/\d+/g, 'N')))].slice(0, 5).join('; ')
}

const urlsOf = (services: readonly Service[]) => services.map(({ url }) => url)

async function* crashes(
  cluster: CitusCluster,
  services: readonly Service[],
  tenants: readonly LoadTenant[],
  kills: number,
): AsyncGenerator<Finding> {
  const home = await homes(cluster)
  const at = (port: number) => tenants.filter(({ slug }) => home.get(slug) === port).length
  // Always the same: for the others, nothing may ever have happened. Where chance put nobody, nobody would notice.
  const worker = cluster.workers.find(({ port }) => at(port) > 0)!
  const load = startLoad(urlsOf(services), tenants)
  for (let kill = 0; kill < kills; kill++) {
    await sleep(3000)
    worker.kill()
    await sleep(AWAY_MS)
    await worker.start()
  }
  await sleep(3000)
  await load.end()
  const isOwn = ({ slug }: Failure) => home.get(slug) === worker.port
  const [own, foreign] = [load.failures.filter(isOwn), load.failures.filter((failure) => !isOwn(failure))]
  const good = foreign.length === 0 && own.length > 0 && own.every(({ what }) => UNAVAILABLE.includes(what))
  yield {
    tried: `${kills} kills of a worker under load, each away for ${AWAY_MS / 1000} s (${at(worker.port)} organizations on it, ${tenants.length - at(worker.port)} on the other)`,
    found: [
      `${foreign.length} failed requests of organizations on the other worker, ${own.length} of its own`,
      ...new Set([...foreign, ...own].map(({ what }) => what)),
      ...(good ? [] : [causes(services)]),
    ].join(', '),
    good,
  }
  yield await load.reconcile(services[0]!.url)
}

/** Shards go to one worker, and the rebalancer brings them back. */
async function* moves(
  cluster: CitusCluster,
  services: readonly Service[],
  tenants: readonly LoadTenant[],
  rounds: number,
): AsyncGenerator<Finding> {
  const load = startLoad(urlsOf(services), tenants)
  await sleep(1000)
  let moved = 0
  for (let round = 0; round < rounds; round++) {
    const [from, to] = [cluster.workers[round % 2]!, cluster.workers[(round + 1) % 2]!]
    const shards = await cluster.operator<{ shardid: string }>(
      'proof',
      "select shardid from citus_shards where table_name = 'members'::regclass and nodeport = $1 order by shardid limit 2",
      [from.port],
    )
    for (const { shardid } of shards) {
      await cluster.operator('proof', "select citus_move_shard_placement($1, '127.0.0.1', $2, '127.0.0.1', $3, 'force_logical')", [
        shardid,
        from.port,
        to.port,
      ])
      moved++
    }
    await cluster.operator('proof', "select rebalance_table_shards(shard_transfer_mode := 'force_logical')")
  }
  await sleep(1000)
  await load.end()
  const kinds = [...new Set(load.failures.map(({ what }) => what)), ...(load.failures.length ? [causes(services)] : [])].join(', ')
  yield {
    tried: `${moved} shards moved, each with all of its tables, and ${rounds} times rebalanced, under load`,
    found: `${load.failures.length} failed requests${kinds && ` (${kinds})`}; the slowest took ${Math.round(load.slowest())} ms`,
    good: load.failures.length === 0,
  }
  yield await load.reconcile(services[0]!.url)
}
