// A hundred clients walk through requests in different ways. What the agency reads of it
// equals what each of them did, written down by the script itself.
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSuite, newCredentials, newcomer, PUBLIC, type Suite, type Tenant, tokenOf } from '../suite.ts'
import { newAddress, request, sql } from '../world.ts'

let suite: Suite
let tenant: Tenant
beforeAll(async () => {
  suite = await createSuite()
  tenant = await suite.tenant()
})
afterAll(() => suite.stop())

type Item = 'publisher' | 'search'
interface Walk {
  readonly admin: Tenant['admin']
  readonly at: Tenant['w'] & { requestId: string }
  /** What the script saw happen, and when it began. */
  readonly seen: Map<string, Date>
  readonly client: ReturnType<typeof anyone>
  readonly token: string
  readonly items: Record<Item, string>
  readonly clientEmail: string
}
interface Ledger {
  readonly status: string
  readonly publisher: string
  readonly search: string
  /** Which times there must be: of the request, or of an item. */
  readonly times: readonly string[]
  readonly stopped?: boolean
}

const anyone = () => suite.world.client({ 'x-forwarded-for': newAddress() })
const CLIENTS = 100
const AT_ONCE = 8

/** Marks when something begins to be so, once. */
const note = ({ seen }: Walk, ...what: string[]) => {
  for (const one of what) if (!seen.has(one)) seen.set(one, new Date())
}

const submit = async (walk: Walk, play = '') => {
  note(walk, 'started', 'publisher.started')
  const at = { token: walk.token, itemId: walk.items.publisher }
  const { username, password } = newCredentials()
  return walk.client.submitConnectItemCredentials(at, { username: `${play}${username}`, password })
}
const connect = async (walk: Walk) => {
  note(walk, 'publisher.completed')
  expect(await submit(walk)).toMatchObject({ status: 'active' })
}
const consent = async (walk: Walk, decision: 'allow' | 'deny') => {
  note(walk, 'started', 'search.started', ...(decision === 'allow' ? ['search.completed'] : []))
  const { authorizationUrl } = await walk.client.startConnectItemOAuth({ token: walk.token, itemId: walk.items.search }, {})
  const there = await fetch(`${authorizationUrl}&decision=${decision}`, { redirect: 'manual' })
  await request(there.headers.get('location')!.replace(PUBLIC, suite.world.url))
}
const decline = async (walk: Walk) => {
  note(walk, 'started', 'search.completed')
  await walk.client.declineConnectItem({ token: walk.token, itemId: walk.items.search })
}
const passOn = async (walk: Walk) => {
  note(walk, 'started')
  const { connectUrl } = await walk.client.passOnConnectItem({ token: walk.token, itemId: walk.items.publisher })
  return tokenOf(connectUrl)
}
const send = async (walk: Walk) => {
  note(walk, 'sent')
  await walk.admin.sendConnectRequest(walk.at)
}
const expire = (walk: Walk) =>
  suite.world.query(sql`update connect_requests set expires_at = now() - interval '1 minute' where id = ${walk.at.requestId}`)

const finished = ['started', 'publisher.started', 'publisher.completed', 'search.completed', 'completed']

/** What a client does, and what must be known of it afterwards. */
const ways: Record<string, readonly [walk: (walk: Walk) => Promise<unknown>, known: Ledger]> = {
  finishes: [
    async (walk) => {
      await send(walk)
      await connect(walk)
      note(walk, 'completed')
      await consent(walk, 'allow')
    },
    { status: 'complete', publisher: 'connected', search: 'connected', times: ['sent', 'search.started', ...finished] },
  ],
  'leaves out what is optional': [
    async (walk) => {
      await decline(walk)
      note(walk, 'completed')
      await connect(walk)
    },
    { status: 'complete', publisher: 'connected', search: 'declined', times: finished },
  ],
  'fails first': [
    async (walk) => {
      await send(walk)
      expect(await submit(walk, 'refuse-')).toMatchObject({ reason: 'login_refused' })
      await consent(walk, 'deny')
      await connect(walk)
      note(walk, 'completed')
      await consent(walk, 'allow')
    },
    { status: 'complete', publisher: 'connected', search: 'connected', times: ['sent', 'search.started', ...finished] },
  ],
  'is stuck': [
    (walk) => submit(walk, 'refuse-'),
    { status: 'open', publisher: 'failed', search: 'pending', times: ['started', 'publisher.started'] },
  ],
  'changes their mind at the consent screen': [
    (walk) => consent(walk, 'deny'),
    { status: 'open', publisher: 'pending', search: 'failed', times: ['started', 'search.started'] },
  ],
  'passes on to somebody who connects': [
    async (walk) => {
      await send(walk)
      const token = await passOn(walk)
      note(walk, 'publisher.started', 'publisher.completed')
      await anyone().submitConnectCredentials({ token }, newCredentials())
    },
    {
      status: 'partial',
      publisher: 'connected',
      search: 'pending',
      times: ['sent', 'started', 'publisher.started', 'publisher.completed'],
    },
  ],
  'passes on to somebody who only looks': [
    async (walk) => anyone().getConnectLink({ token: await passOn(walk) }),
    { status: 'open', publisher: 'pending', search: 'pending', times: ['started'] },
  ],
  'stops the emails': [
    async (walk) => {
      await send(walk)
      await expect.poll(() => suite.world.mails(walk.clientEmail)).toHaveLength(1)
      const [mail] = await suite.world.mails(walk.clientEmail)
      await walk.client.stopClientMails({ token: /connect\/stop\/([\w-]+)/.exec(mail!.text)![1]! })
    },
    { status: 'open', publisher: 'pending', search: 'pending', times: ['sent'], stopped: true },
  ],
  'does half of it until the link expires': [
    async (walk) => {
      await send(walk)
      await connect(walk)
      await expire(walk)
    },
    {
      status: 'expired',
      publisher: 'connected',
      search: 'pending',
      times: ['sent', 'started', 'publisher.started', 'publisher.completed'],
    },
  ],
  'never opens it, until it expires': [
    async (walk) => {
      await send(walk)
      await expire(walk)
    },
    { status: 'expired', publisher: 'pending', search: 'pending', times: ['sent'] },
  ],
  'reads it often, as scanners do': [
    async (walk) => {
      for (let n = 0; n < 5; n++) await walk.client.getPublicConnectRequest({ token: walk.token })
    },
    { status: 'open', publisher: 'pending', search: 'pending', times: [] },
  ],
  'begins, and the agency cancels': [
    async (walk) => {
      await connect(walk)
      await walk.admin.cancelConnectRequest(walk.at)
    },
    { status: 'canceled', publisher: 'connected', search: 'pending', times: ['started', 'publisher.started', 'publisher.completed'] },
  ],
}

async function begin(): Promise<Walk> {
  const { admin, w } = tenant
  const clientEmail = newcomer()
  const items = [
    { provider: 'xandr' as const, name: 'Publisher' },
    { provider: 'google_ads' as const, name: 'Search', settings: { customerId: '1234567890' }, optional: true },
  ]
  const made = await admin.createConnectRequest(w, { title: 'Your ad accounts', clientEmail, items })
  const [publisher, search] = made.items.map(({ id }) => id) as [string, string]
  const at = { ...w, requestId: made.id }
  return { admin, at, seen: new Map(), client: anyone(), token: tokenOf(made.connectUrl!), items: { publisher, search }, clientEmail }
}

/** What the agency reads, by the names of the script. */
async function read({ admin, at }: Walk) {
  const { status, sentAt, startedAt, completedAt, mailsStopped, items } = await admin.getConnectRequest(at)
  const [publisher, search] = items as [(typeof items)[number], (typeof items)[number]]
  const times: Record<string, string | null> = {
    sent: sentAt,
    started: startedAt,
    completed: completedAt,
    'publisher.started': publisher.startedAt,
    'publisher.completed': publisher.completedAt,
    'search.started': search.startedAt,
    'search.completed': search.completedAt,
  }
  expect(items.map((item) => item.sentAt)).toEqual([sentAt, sentAt])
  return { status, publisher: publisher.status, search: search.status, stopped: mailsStopped, times }
}

it('a hundred clients: the funnel shows what each of them did, and when', async () => {
  const names = Object.keys(ways)
  const queue = Array.from({ length: CLIENTS }, (_, n) => names[(n * 7) % names.length]!).values()
  const walked: { name: string; walk: Walk; from: Date; to: Date }[] = []
  const worker = async () => {
    for (const name of queue) {
      const walk = await begin()
      const from = new Date()
      await ways[name]![0](walk)
      walked.push({ name, walk, from, to: new Date() })
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  expect(walked).toHaveLength(CLIENTS)

  for (const { name, walk, from, to } of walked) {
    const { times: wanted, stopped = false, ...known } = ways[name]![1]
    const { times, ...found } = await read(walk)
    expect(found, name).toEqual({ ...known, stopped })
    const there = Object.keys(times).filter((time) => times[time] !== null)
    expect(there.sort(), name).toEqual([...wanted].sort())
    expect([...walk.seen.keys()].sort(), name).toEqual(there)
    for (const time of there) {
      const at = Date.parse(times[time]!)
      // The database has a clock of its own, to the microsecond.
      expect(at, `${name}: ${time}`).toBeGreaterThanOrEqual(Math.max(from.getTime(), walk.seen.get(time)!.getTime()) - 5)
      expect(at, `${name}: ${time}`).toBeLessThanOrEqual(to.getTime() + 5)
    }
  }

  const expected = Map.groupBy(walked, ({ name }) => ways[name]![1].status)
  for (const status of ['open', 'partial', 'complete', 'expired', 'canceled'] as const) {
    const { connectRequests } = await tenant.admin.listConnectRequests({ ...tenant.w, status })
    const wanted = (expected.get(status) ?? []).map(({ walk }) => walk.at.requestId)
    expect(connectRequests.map(({ id }) => id).sort(), status).toEqual(wanted.sort())
  }
})
