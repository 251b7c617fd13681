// Writers on three replicas, a reader of the feed, and webhooks whose consumers are slow, dead, reset, answer garbage or redirect,
// while the processes that deliver are killed and the database restarts.
import { randomInt } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Client, createClient } from '@adjoin/contract'
import { serverOf } from '../api/src/db/embedded-process.ts'
import { signUpAgency } from '../furnishing/front-door.ts'
import { type Consumer, type ConsumerKind, consumerKinds, startConsumers } from './events/consumers.ts'
import type { Finding, Size } from './finding.ts'
import { createReplicas, type Replicas } from './replicas.ts'
import { killDatabaseIn } from './scratch.ts'

const SIZES = {
  small: { events: 400, kills: 3, restarts: 1, failsEvery: 50, settledWithinMs: 180_000 },
  full: { events: 20_000, kills: 50, restarts: 5, failsEvery: 500, settledWithinMs: 900_000 },
}
const WEBHOOKS = 20
const WRITERS = 6

export async function* events(size: Size): AsyncGenerator<Finding> {
  const { events: wanted, kills, restarts, failsEvery, settledWithinMs } = SIZES[size]
  const replicas = await createReplicas(3)
  const consumers = await startConsumers(WEBHOOKS, failsEvery)
  try {
    const urls = replicas.services.map(({ url }) => url)
    const { client, token, slug } = await signUpAgency(urls[0]!, 'events')
    const o = { orgSlug: slug }
    for (let i = 0; i < WRITERS; i++) await client.createWorkspace(o, { name: `w${i}`, slug: `w${i}` })
    const { head: from } = await client.listEvents(o)
    for (const { url } of consumers.all) await client.createWebhook(o, { url, types: ['workspace.updated'] })

    const clients = urls.map((url) => createClient({ url, headers: { authorization: `Bearer ${token}` }, retries: 5 }))
    const ending = new AbortController()
    const feed: number[] = []
    const reading = readFeed(clients[1]!, slug, from, feed, ending.signal)
    const state = { written: 0 }
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, i) => write(clients[i % 3]!, slug, i, wanted, state)))
    await disturb(replicas, kills, restarts, () => state.written / wanted)
    await writing

    const expected = await written(client, slug, from)
    const isDone = () => feed.length >= expected.length && consumers.living().every(({ seen }) => new Set(seen).size >= expected.length)
    for (const until = Date.now() + settledWithinMs; !isDone() && Date.now() < until; ) {
      await replicas.database.operator(`update webhooks set due_at = now() where due_at > now() + interval '1 second'`)
      await sleep(200)
    }
    ending.abort()
    await reading.catch(() => {})
    yield {
      tried: `${wanted} changes on three replicas, ${kills} kills, ${restarts} restarts of the database`,
      found: `${expected.length} events`,
    }
    yield feedFinding(feed, expected)
    for (const kind of consumerKinds)
      yield consumerFinding(
        kind,
        consumers.all.filter((one) => one.kind === kind),
        expected,
      )
  } finally {
    await replicas.remove()
    await consumers.close()
  }
}

/** A change that was not acknowledged is made again: what counts is what the trail holds at the end. */
async function write(client: Client, orgSlug: string, writer: number, wanted: number, state: { written: number }): Promise<void> {
  for (let i = 0; state.written < wanted; i++) {
    const done = await client.updateWorkspace({ orgSlug, workspaceSlug: `w${writer}` }, { name: `w${writer} ${i}` }).catch(() => undefined)
    if (done) state.written++
    else await sleep(100)
  }
}

async function readFeed(client: ReturnType<typeof createClient>, orgSlug: string, after: string, seen: number[], signal: AbortSignal) {
  for await (const event of client.events({ orgSlug, after, types: ['workspace.updated'], signal })) seen.push(event.sequence)
}

/** A start is not what is proved here, and beside all this it may take its time. */
const PATIENCE_MS = 120_000

/** Spread over the load: each time another process, killed at any moment, and now and then the database. */
async function disturb({ services, database }: Replicas, kills: number, restarts: number, progress: () => number): Promise<void> {
  for (let kill = 0; kill < kills; kill++) {
    while (progress() < (kill + 0.5) / kills) await sleep(50)
    await sleep(randomInt(200))
    const service = services[kill % services.length]!
    service.kill('SIGKILL')
    if (kill % Math.ceil(kills / restarts) === 0) {
      killDatabaseIn(database.folder)
      do await sleep(100).then(() => database.ensure())
      while (!serverOf(join(database.folder, 'postgres')))
    }
    service.start()
    await service.ready(PATIENCE_MS)
  }
}

/** What the trail itself says, read once everything is quiet. */
async function written(client: Client, orgSlug: string, after: string): Promise<number[]> {
  const all: number[] = []
  for (let from = after; ; ) {
    const page = await client.listEvents({ orgSlug, after: from, types: 'workspace.updated', limit: 200 })
    all.push(...page.events.map(({ sequence }) => sequence))
    if (page.next === page.head) return all
    from = page.next
  }
}

const feedFinding = (feed: readonly number[], expected: readonly number[]): Finding => ({
  tried: 'the feed, read while everything was killed',
  found: `${feed.length} of ${expected.length}, ${feed.length - new Set(feed).size} twice, ${isOrdered(feed) ? 'in order' : 'out of order'}`,
  good: feed.length === expected.length && feed.every((sequence, i) => sequence === expected[i]),
})

function consumerFinding(kind: ConsumerKind, all: readonly Consumer[], expected: readonly number[]): Finding {
  const missing = all.map(({ seen }) => expected.length - new Set(seen).size)
  const again = all.reduce((sum, { seen }) => sum + seen.length - new Set(seen).size, 0)
  const ordered = all.every(({ seen }) => isOrdered([...new Set(seen)]))
  return {
    tried: `${all.length} webhooks whose server is ${kind}`,
    found: `${missing.join(', ')} missing, ${again} repeated, ${ordered ? 'in order' : 'out of order'}`,
    ...(kind !== 'dead' && { good: missing.every((count) => count === 0) && ordered }),
  }
}

const isOrdered = (sequences: readonly number[]): boolean => sequences.every((sequence, i) => i === 0 || sequence > sequences[i - 1]!)
