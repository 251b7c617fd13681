// One service for a long time at 60 % of what it can do:
// memory, connections and answers must be at the end as they were in the middle.
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../furnishing/free-port.ts'
import type { Finding, Options, Size } from './finding.ts'
import { furnishBy } from './furnish.ts'
import { createMix, type MixAction } from './mix.ts'
import { patience } from './patience.ts'
import { createReplicas } from './replicas.ts'
import { growthPerTenMinutes, openInspector, type Point, readVitals, type Vitals } from './vitals.ts'

const MINUTES: Record<Size, number> = { small: 0.75, full: 30 }
const SHARE = 0.6
const CLIENTS = 16
/**
 * In ten minutes. What the heap holds tells a leak;
 * resident memory swings with the garbage, so that its slope is blurred.
 */
const MOST_GROWTH = { resident: 0.05, held: 0.02 }
/** Below this a slope is the engine settling down, and is only told. */
const JUDGED_FROM_MINUTES = 10
const SAMPLE_MS = 5000
/** A collection stops the service for a moment: seldom. */
const WEIGH_MS = 10_000
/** So many unanswered, the next one waits until one of them is. */
const MOST_UNDER_WAY = 200
/** Where the next request is later than this, those due meanwhile are left out: the rate was not held. */
const MOST_LATE_MS = 1000
/** Of the time, where the machine has nothing else to do. */
const LEAST_HELD = 0.95

type Sample = Vitals & { readonly ms: number }

export async function* soak(size: Size, { minutes = MINUTES[size] }: Options = {}): AsyncGenerator<Finding> {
  const [metricsPort, inspectorPort] = [await freePort(), await freePort()]
  const replicas = await createReplicas(1, {
    SANDBOX: 'true',
    METRICS_PORT: String(metricsPort),
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort} ${patience(size)}`,
  })
  const agent = new Agent({ keepAlive: true })
  const state = { going: true }
  let watching: Promise<unknown> = Promise.resolve()
  try {
    const furnish = furnishBy(replicas.database.connection)
    const next = await createMix(replicas.services[0]!.url, agent, furnish)
    const windowMs = Math.min(10_000, minutes * 4000)
    await saturate(next, windowMs)
    // The slowest of three: what is held for long must be possible at any time.
    const most = [await saturate(next, windowMs), await saturate(next, windowMs), await saturate(next, windowMs)]
    const perSecond = Math.min(...most.map((run) => run.perSecond))
    const rate = perSecond * SHARE
    yield {
      tried: `as much as ${CLIENTS} clients can ask`,
      found: `${Math.round(perSecond)} requests a second`,
      good: most.every(({ faults }) => faults.length === 0),
    }

    const inspector = await openInspector(inspectorPort)
    const [samples, held]: [Sample[], Point[]] = [[], []]
    const [began, lasts] = [performance.now(), minutes * 60_000]
    const since = () => performance.now() - began
    const look = async () => {
      while (state.going) {
        samples.push({ ms: since(), ...(await readVitals(metricsPort, furnish)) })
        await sleep(Math.min(SAMPLE_MS, lasts / 20))
      }
    }
    const weigh = async () => {
      while (state.going) {
        held.push({ ms: since(), value: await inspector.heldBytes() })
        await sleep(Math.max(WEIGH_MS, lasts / 30))
      }
    }
    watching = Promise.all([look(), weigh()])
    const run = await hold(next, rate, lasts)
    state.going = false
    await watching
    inspector.close()
    await furnish.end()

    const judged = minutes >= JUDGED_FROM_MINUTES
    yield {
      tried: `${run.milliseconds.length} requests in ${minutes} minutes, ${Math.round(rate)} a second`,
      found: run.faults.length
        ? `${run.faults.length} failed, such as ${run.faults.slice(0, 3).join('; ')}`
        : `none failed; p50 ${percentile(run.milliseconds, 50)} ms, p99 ${percentile(run.milliseconds, 99)} ms`,
      good: run.faults.length === 0,
    }
    const heldShare = 1 - run.leftOutMs / lasts
    yield {
      tried: `a rate of ${SHARE * 100} % of that, all the time`,
      found: `held for ${Math.round(heldShare * 100)} % of it`,
      ...(judged && { good: heldShare >= LEAST_HELD }),
    }
    const late = <T extends { ms: number }>(series: readonly T[]) => series.filter(({ ms }) => ms > lasts / 2)
    yield memory(
      'resident memory',
      late(samples).map(({ ms, rss }) => ({ ms, value: rss })),
      judged && MOST_GROWTH.resident,
    )
    yield memory('what the heap holds after a collection', late(held), judged && MOST_GROWTH.held)
    const connections = samples.map((sample) => sample.connections)
    const grown = growthPerTenMinutes(late(samples).map((sample) => ({ ms: sample.ms, value: sample.connections })))
    yield {
      tried: 'connections to PostgreSQL',
      found: `${Math.min(...connections)} to ${Math.max(...connections)}, ${percent(grown)} in ten minutes`,
      good: Math.max(...connections) <= POOL,
    }
    yield {
      tried: 'event loop lag, p99 of each look',
      found: `${Math.round(Math.max(...samples.map(({ lag }) => lag)) * 1000)} ms at the most`,
    }
  } finally {
    state.going = false
    await watching.catch(() => {})
    agent.destroy()
    await replicas.remove()
  }
}

/** The pool's size, by default. */
const POOL = 10

function memory(what: string, points: readonly Point[], most: number | false): Finding {
  const growth = growthPerTenMinutes(points)
  const [first, last] = [points[0]!.value, points.at(-1)!.value].map((bytes) => (bytes / 1_048_576).toFixed(1))
  const found = `${first} to ${last} MB over the second half`
  return most ? { tried: what, found: `${found}, ${percent(growth)} in ten minutes`, good: growth < most } : { tried: what, found }
}

interface Run {
  readonly milliseconds: number[]
  readonly faults: string[]
}

/** Closed loop: each client asks again as soon as it is answered. */
async function saturate(next: () => MixAction, ms: number): Promise<Run & { perSecond: number }> {
  const run: Run = { milliseconds: [], faults: [] }
  const began = performance.now()
  const client = async () => {
    while (performance.now() - began < ms) await timed(next(), performance.now(), run)
  }
  await Promise.all(Array.from({ length: CLIENTS }, client))
  return { ...run, perSecond: (run.milliseconds.length / (performance.now() - began)) * 1000 }
}

/**
 * Open loop: requests are sent when they are due, answered or not, and timed from then. Unless far too many are
 * unanswered: a machine that others have slowed down since is not asked for what it could do before.
 */
async function hold(next: () => MixAction, rate: number, ms: number): Promise<Run & { leftOutMs: number }> {
  const run: Run = { milliseconds: [], faults: [] }
  const underWay = new Set<Promise<void>>()
  const began = performance.now()
  let leftOutMs = 0
  for (let due = began; performance.now() - began < ms; due += 1000 / rate) {
    while (due > performance.now()) await sleep(2)
    while (underWay.size >= MOST_UNDER_WAY) await Promise.race(underWay)
    const late = performance.now() - due
    if (late > MOST_LATE_MS) {
      leftOutMs += late
      due += late
    }
    const task: Promise<void> = timed(next(), due, run).finally(() => underWay.delete(task))
    underWay.add(task)
  }
  await Promise.all(underWay)
  return { ...run, leftOutMs }
}

async function timed(action: MixAction, due: number, { milliseconds, faults }: Run): Promise<void> {
  const fault = await action()
  milliseconds.push(performance.now() - due)
  if (fault) faults.push(fault)
}

const percent = (share: number) => `${share < 0 ? '' : '+'}${(share * 100).toFixed(2)} %`

function percentile(numbers: readonly number[], of100: number): number {
  const sorted = Float64Array.from(numbers).sort()
  return Math.round(sorted[Math.floor((sorted.length * of100) / 100)]! * 10) / 10
}
