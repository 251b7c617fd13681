// A real cluster (Patroni, etcd, HAProxy, PostgreSQL) with the settings of deploy/ha, and every part of it failing in turn
// under write load. Every acknowledged write must be there, once. Where Patroni is not installed, nothing is proved.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { runAdmin } from './failover/admin.ts'
import { type Cluster, startCluster } from './failover/cluster.ts'
import { type FailoverKind, kinds, switchover } from './failover/kinds.ts'
import { type FailoverLoad, startLoad } from './failover/load.ts'
import { findPrograms, NotFound } from './failover/programs.ts'
import { unknownMetrics } from './failover/watched.ts'
import type { Finding, Size } from './finding.ts'
import { reconcileWrites } from './writers.ts'

/** The full size has as many writes as the crashes have; writers rest in between, as the machine has to itself. */
const SIZES = { small: { writes: 1000, pauseMs: 100 }, full: { writes: 100_000, pauseMs: 100 } }
const CALM_MS = 3000

export async function* failover(size: Size): AsyncGenerator<Finding> {
  let programs: ReturnType<typeof findPrograms>
  try {
    programs = findPrograms()
  } catch (error) {
    const found = (error as Error).message
    yield { tried: 'a cluster with Patroni', found, ...(!(error instanceof NotFound) && { good: false }) }
    return
  }
  const cluster = await startCluster(programs)
  try {
    yield { tried: 'a cluster with the files of deploy/ha', found: programs.versions }
    const missing = await unknownMetrics(cluster)
    yield { tried: 'the metrics of deploy/ha/alerts.yaml', found: missing.join(', ') || 'all are shown', good: missing.length === 0 }
    const load = await startLoad(cluster, SIZES[size].pauseMs)
    try {
      yield* playAll(cluster, load, size)
    } finally {
      await load.remove()
    }
  } finally {
    await cluster.remove()
  }
}

async function* playAll(cluster: Cluster, load: FailoverLoad, size: Size): AsyncGenerator<Finding> {
  await load.flowing()
  for (const kind of kinds) if (kind.rounds[size]) yield await tryOut(kind, cluster, load, size)
  await load.findBy(cluster.url('run', 'nodes'))
  yield await tryOut({ ...switchover, name: 'switchover, DATABASE_URL names the nodes' }, cluster, load, size)

  while (load.acknowledged() < SIZES[size].writes) await load.flowing().then(() => sleep(1000))
  const dead = load.dead()
  await load.settle()
  const { unavailable, unknown, settled, others, slow } = load.tally()
  yield {
    tried: `${load.acknowledged()} acknowledged writes in all, ${unavailable} answers of 503, ${unknown} of them outcome_unknown`,
    found: `${settled} repeated keys found their first request, ${others.length} other answers, ${slow.length} after more than 15 s, ${dead.length} processes of the service died`,
    good: others.length + slow.length + dead.length === 0,
  }
  const [tried, acknowledged] = [union(load.ledgers.map((one) => one.tried)), union(load.ledgers.map((one) => one.acknowledged))]
  yield* reconcileWrites(load.url(), load.tenants, { tried, acknowledged })
  yield* lookThrough(cluster, load)
}

async function tryOut(kind: FailoverKind, cluster: Cluster, load: FailoverLoad, size: Size): Promise<Finding> {
  const [gaps, complaints, before] = [[] as number[], [] as string[], load.tally()]
  for (let round = 0; round < kind.rounds[size]; round++) {
    await cluster.whole()
    await load.checkpointsDue()
    await sleep(CALM_MS)
    const [primary, began] = [await cluster.primary(), performance.now()]
    await kind.cause(cluster, () => load.flowing())
    await load.flowing()
    await cluster.whole()
    await sleep(CALM_MS)
    gaps.push(load.longestGap(began, performance.now()))
    if (kind.moves && (await cluster.primary()) === primary) complaints.push('the primary stayed where it was')
  }
  for (const [i, { client, slug }] of load.tenants.entries()) complaints.push(...(await load.ledgers[i]!.reconcile(client, slug)))
  const now = load.tally()
  const [others, slow] = [now.others.slice(before.others.length), now.slow.slice(before.slow.length)]
  if (others.length) complaints.push(`${others.length} answers other than 2xx and 503 (${others[0]})`)
  if (slow.length) complaints.push(`${slow.length} answers after more than 15 s`)
  const dead = load.dead()
  if (dead.length) complaints.push(`a process of the service died: ${dead[0]}`)
  const longest = Math.max(...gaps)
  if (longest > kind.gapWithin) complaints.push(`more than ${kind.gapWithin} s without a write`)
  const span = gaps.length > 1 ? `${Math.min(...gaps).toFixed(1)} to ${longest.toFixed(1)}` : longest.toFixed(1)
  const counts = `${now.acknowledged - before.acknowledged} writes acknowledged, ${now.unavailable - before.unavailable} × 503`
  return {
    tried: `${kind.name} (${gaps.length})`,
    found: `${span} s without a write, ${counts}; ${complaints.join('; ') || '0 lost, 0 doubled'}`,
    good: complaints.length === 0,
  }
}

/** What operators do after a failover, and what a standby can do for them. */
async function* lookThrough(cluster: Cluster, { env, checkpoints, folder }: FailoverLoad): AsyncGenerator<Finding> {
  const written = readFileSync(checkpoints, 'utf8').trim().split('\n').length
  const verdict = await runAdmin(env, ['verify-audit', '--checkpoints', checkpoints]).catch((error: Error) => error)
  yield {
    tried: `verify-audit with ${written} checkpoints, due before each fault`,
    found: verdict instanceof Error ? verdict.message : verdict.split('\n').slice(-2).join('; '),
    good: !(verdict instanceof Error),
  }
  const standby = { ...env, DATABASE_URL: cluster.url('run', 'standby') }
  const failed: string[] = []
  for (const args of [['verify-audit', '--checkpoints', checkpoints], ['backup', join(folder, 'standby.backup')], ['check'], ['keys']])
    await runAdmin(standby, args).catch((error: Error) => failed.push(error.message))
  yield {
    tried: 'verify-audit, backup, check and keys on a standby',
    found: failed.join('; ') || 'all work',
    good: failed.length === 0,
  }
}

const union = <T>(sets: readonly Set<T>[]): Set<T> => new Set(sets.flatMap((set) => [...set]))
