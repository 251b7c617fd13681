// Events: how fast one process delivers them, what a thousand waiting readers cost, and what webhooks cost whoever writes.
import { readFileSync } from 'node:fs'
import { Agent, createServer, get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient } from '@adjoin/contract'
import { signUpAgency } from '../furnishing/front-door.ts'
import { requestBytes } from './load.ts'
import { type Measure, rounded } from './measure.ts'
import { type Bench, createBench, type PreparedService } from './setup.ts'
import { compare } from './sides.ts'

const ORGANIZATIONS = 5
const WEBHOOKS_EACH = 20
const EVENTS_EACH = 400
const WAITS = 1000
const STEP = 25
const WRITERS = 8
const PATIENCE_MS = 120_000

interface EventsTenant {
  readonly slug: string
  readonly token: string
}

export async function* events(): AsyncIterable<Measure> {
  const bench = await createBench()
  const consumer = await startConsumer()
  try {
    const { hooked, plain } = await bench.prepare((service) => seed(service, consumer.url))
    yield* writes(bench, hooked, plain)
    yield* waits(bench, plain[0]!)
    yield* deliveries(bench, consumer)
  } finally {
    await bench.remove()
    consumer.close()
  }
}

async function seed({ url }: PreparedService, hook: string) {
  const tenants: EventsTenant[] = []
  for (let i = 0; i < ORGANIZATIONS + WRITERS; i++) {
    const { client, slug, token } = await signUpAgency(url, `events-${i}`)
    await client.createWorkspace({ orgSlug: slug }, { name: 'North', slug: 'north' })
    if (i < ORGANIZATIONS) for (let j = 0; j < WEBHOOKS_EACH; j++) await client.createWebhook({ orgSlug: slug }, { url: hook })
    tenants.push({ slug, token })
  }
  return { hooked: tenants.slice(0, ORGANIZATIONS), plain: tenants.slice(ORGANIZATIONS) }
}

/** Takes everything at once, and counts. */
async function startConsumer() {
  const state = { taken: 0 }
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      state.taken++
      response.writeHead(204).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  return { state, close, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
}

/** What a writer pays for webhooks of its organization; they are delivered by another process. */
async function* writes(bench: Bench, hooked: readonly EventsTenant[], plain: readonly EventsTenant[]): AsyncIterable<Measure> {
  const server = await bench.adjoin()
  const renaming = ({ slug, token }: EventsTenant) =>
    Array.from({ length: 50 }, (_, i) =>
      requestBytes('PATCH', `/v1/organizations/${slug}/workspaces/north`, { authorization: `Bearer ${token}` }, { name: `North ${i}` }),
    )
  const sides = [
    { name: 'without webhooks', ...server, requests: plain.slice(0, ORGANIZATIONS).map(renaming) },
    { name: 'with 20 webhooks', ...server, requests: hooked.map(renaming) },
  ]
  const { of, ratio } = await compare(sides)
  for (const { name } of sides)
    yield { what: `writes ${name}`, numbers: { perSecond: rounded(of(name).perSecond), p99: rounded(of(name).p99) } }
  yield {
    what: 'writes with 20 webhooks beside none',
    numbers: { throughput: rounded(ratio('perSecond', 'with 20 webhooks', 'without webhooks')) },
    bars: { throughput: { least: 0.95 } },
  }
}

async function* waits(bench: Bench, { slug, token }: EventsTenant): AsyncIterable<Measure> {
  const { url, pids } = await bench.adjoin()
  const client = createClient({ url, headers: { authorization: `Bearer ${token}` } })
  for (let i = 0; i < 50; i++) await client.listEvents({ orgSlug: slug })
  const [before, connectionsBefore] = [residentMegabytes(pids[0]!), await connectionsOf(bench)]
  const agent = new Agent({ keepAlive: true, maxSockets: WAITS })
  let answered = 0
  let refused = 0
  const headers = { authorization: `Bearer ${token}` }
  const all: ReturnType<typeof get>[] = []
  const wait = () =>
    get(`${url}/v1/organizations/${slug}/events?wait=25`, { agent, headers }, (answer) => {
      if (answer.statusCode === 200) answered++
      else refused++
      answer.resume()
    }).on('error', () => refused++)
  // A few at a time, as readers come: a thousand at once are a flood.
  for (let i = 0; i < WAITS; i += STEP) {
    for (let j = 0; j < STEP; j++) all.push(wait())
    await sleep(150)
  }
  await sleep(3000)
  const [after, connections] = [residentMegabytes(pids[0]!), await connectionsOf(bench)]
  const early = answered
  await client.updateWorkspace({ orgSlug: slug, workspaceSlug: 'north' }, { name: `North ${Math.random()}` })
  const began = performance.now()
  while (answered + refused < WAITS && performance.now() - began < 20_000) await sleep(5)
  yield {
    what: `${WAITS} waiting readers`,
    numbers: {
      megabytes: rounded(after - before),
      connections: connections - connectionsBefore,
      early,
      refused,
      answered,
      lastAnswerMs: rounded(performance.now() - began),
    },
    bars: { megabytes: { most: 50 }, connections: { most: 0 }, answered: { least: WAITS } },
  }
  for (const request of all) request.destroy()
  agent.destroy()
}

const residentMegabytes = (pid: number): number => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1024

/** Those that are at work: idle ones are the pool's. */
async function connectionsOf({ database }: Bench): Promise<number> {
  const [row] = await database.operator<{ n: number }>(
    `select count(*)::int as n from pg_stat_activity where application_name = 'adjoin' and state <> 'idle'`,
  )
  return row!.n
}

async function* deliveries(bench: Bench, { state }: Awaited<ReturnType<typeof startConsumer>>): AsyncIterable<Measure> {
  const { operator } = bench.database
  await operator(`update webhooks h set position = a.sequence from audit_heads a where a.organization_id = h.organization_id`)
  await operator(`select append_audit_entry(o.organization_id, (select content from audit_entries e where e.organization_id = o.organization_id
    order by sequence desc limit 1), null, false) from (select distinct organization_id from webhooks) o, generate_series(1, ${EVENTS_EACH})`)
  const wanted = ORGANIZATIONS * WEBHOOKS_EACH * EVENTS_EACH
  const before = state.taken
  await bench.adjoin({ ROLES: 'jobs' })
  const began = performance.now()
  while (state.taken - before < wanted && performance.now() - began < PATIENCE_MS) await sleep(10)
  const seconds = (performance.now() - began) / 1000
  yield {
    what: `${wanted} deliveries over ${ORGANIZATIONS * WEBHOOKS_EACH} webhooks by one process for jobs`,
    numbers: { perSecond: rounded((state.taken - before) / seconds), came: state.taken - before },
    bars: { perSecond: { least: 1000 } },
    good: state.taken - before >= wanted,
  }
}
