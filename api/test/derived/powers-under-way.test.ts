// A power must not outlive its end in what is under way: whatever takes the power to read, wherever it is taken,
// ends answers that arrive, answers that are waited for, and what waits for a place.
import { get, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { atOnce, createClient, takesPower } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../../furnishing/until.ts'
import type { App } from '../../src/app.ts'
import { sealCredential } from '../../src/features/integrations/credential.ts'
import { credentialOf } from '../../src/providers/provider.ts'
import { callTool } from '../agent-calls.ts'
import { callLosses, classes, type Holder, holderIn, readLosses } from '../power-losses.ts'
import { inTurns } from '../sampled.ts'
import { stopwatch } from '../stopwatch.ts'
import { createSuite, type Suite, type Tenant } from '../suite.ts'
import { refusal, sql } from '../world.ts'

let suite: Suite
let replica: App
beforeAll(async () => {
  suite = await createSuite({ roles: { api: true, jobs: false } }) // checks in the background would be calls as well
  replica = await suite.world.replica()
})
afterAll(() => suite.stop())

const SEARCH = 'v25/customers/1234567890/googleAds:search'
const CHANGE = 'v25/customers/1234567890/campaigns:mutate'
const QUERY = { query: 'SELECT campaign.id FROM campaign' }
/** What one caller may have under way at once through an integration; one more waits. */
const PLACES = 6
const ENDED = 'ended before its answer was complete'

/** Its ad system begins to answer after a minute, or writes a line a second. */
async function slowIntegration({ world, organization, workspace, admin, w }: Tenant) {
  const settings = { customerId: '1234567890', loginCustomerId: '9876543210' }
  const { id } = await admin.createIntegration(w, { provider: 'google_ads', name: 'Search', settings, callPolicy: { mode: 'full' } })
  const mint = (kind: 'access' | 'refresh') => world.twins.mint('google_ads', kind, { play: 'slow' })
  const times = { accessExpiresAt: new Date(Date.now() + 3_600_000).toISOString(), obtainedAt: new Date().toISOString() }
  const scopes = ['https://www.googleapis.com/auth/adwords']
  const credential = credentialOf({}, { accessToken: mint('access'), refreshToken: mint('refresh'), scopes, ...times })
  const owner = { organization_id: organization.id, workspace_id: workspace.id, id }
  await world.query(sql`update integrations set status = 'active', connected_at = now(), credential_version = 1,
    credential = ${sealCredential(world.app.parts, owner, credential)} where organization_id = ${organization.id} and id = ${id}`)
  return { ...w, id }
}
type At = Awaited<ReturnType<typeof slowIntegration>>

/** Not the revocations that follow a deletion. */
const arrivedCalls = () => suite.world.arrivals.filter(({ url }) => url.includes('/customers/')).length

/** Calls of one holder through one integration, at the process that hears of nothing. */
function callsOf(at: At, { headers }: Holder) {
  const before = arrivedCalls()
  const hungUp = new AbortController()
  const send = (path: string) =>
    fetch(`${replica.url}/v1/organizations/${at.orgSlug}/workspaces/${at.workspaceSlug}/integrations/${at.id}/proxy/${path}`, {
      method: 'POST',
      body: JSON.stringify(path.includes('mutate') ? { operations: [] } : QUERY),
      headers: { ...headers, 'content-type': 'application/json' },
      signal: hungUp.signal,
    })
  return {
    hangUp: () => hungUp.abort(),
    /** How each ended: whole, cut, or with what it was refused. */
    outcome: (path: string) => send(path).then(readOutcome, (error: Error) => error.name),
    stream: () => send(`${SEARCH}?sandbox=slow`),
    agent: () =>
      callTool(replica.url, headers, 'read_ad_system', {
        integration: `${at.orgSlug}/${at.workspaceSlug}/${at.id}`,
        method: 'POST',
        path: `${SEARCH}?sandbox=slow`,
        body: QUERY,
      }),
    arrived: () => arrivedCalls() - before,
    waiting: () => replica.parts.gateway.places.waiting(at.id),
  }
}

const readOutcome = async (answer: Response): Promise<string> => {
  const text = await answer.text().catch(() => 'cut')
  return answer.ok ? (text === 'cut' ? text : 'whole') : (JSON.parse(text) as { detail: string }).detail
}

/** What belongs to the integration alone is the same for each class: one after the other has its turn. */
const cells = callLosses.flatMap((loss, n) => {
  const those = loss.of === classes ? [classes[n % classes.length]!] : loss.of
  return those.map((by) => ({ ...loss, by }))
})
const oneEach = callLosses.map((loss, n) => ({ ...loss, by: loss.of[n % loss.of.length]! }))

it('the table has every kind of entry that takes power', () => {
  expect([...takesPower].filter((kind) => !callLosses.some((loss) => loss.kind === kind))).toEqual([])
})

describe('what is under way ends', () => {
  it.each(inTurns(cells, 5))('$name, $by', async ({ by, assigned, change, lose }) => {
    const tenant = await suite.tenant()
    const at = await slowIntegration(tenant)
    const holder = await holderIn(tenant, by, assigned)
    const calls = callsOf(at, holder)
    const path = change ? CHANGE : SEARCH
    const stream = change ? undefined : await calls.stream()
    const agent = change ? undefined : calls.agent()
    const unanswered = Array.from({ length: change ? PLACES : PLACES - 2 }, () => calls.outcome(path))
    await until(() => calls.arrived() === PLACES)
    const waiting = calls.outcome(path)
    await until(() => calls.waiting() === 1)

    await lose(tenant, holder, at)
    for (const outcome of await Promise.all(unanswered)) expect(outcome).toContain(ENDED)
    expect(await waiting).not.toBe('whole')
    if (stream) expect(await readOutcome(stream)).toBe('cut')
    const told = await agent
    if (told) {
      expect(told).toMatchObject({ status: 200, result: { isError: true } })
      expect(told.result!.content[0]!.text).toContain(ENDED)
    }
    expect(calls.arrived()).toBe(PLACES)
  })
})

describe('what waits is not sent, however soon its turn comes', () => {
  it.each(inTurns(oneEach, 5, 1))('$name, $by', async ({ by, assigned, change, lose }) => {
    const tenant = await suite.tenant()
    const at = await slowIntegration(tenant)
    const holder = await holderIn(tenant, by, assigned)
    const [before, after] = [callsOf(at, holder), callsOf(at, holder)]
    const path = change ? CHANGE : SEARCH
    const running = Array.from({ length: PLACES }, () => before.outcome(path))
    await until(() => before.arrived() === PLACES)
    const waiting = after.outcome(path)
    await until(() => after.waiting() === 1)
    await lose(tenant, holder, at)
    before.hangUp()
    await Promise.all(running)
    expect(await waiting).not.toBe('whole')
    expect(before.arrived()).toBe(PLACES)
  })
})

it('within a second, at another process', async () => {
  const took: number[] = []
  for (let round = 0; round < 10 && !took.some((ms) => ms < 1000); round++) {
    const tenant = await suite.tenant()
    const holder = await holderIn(tenant, 'organizationKey')
    const stream = await callsOf(await slowIntegration(tenant), holder).stream()
    await tenant.admin.revokeApiKey({ ...tenant.o, id: holder.key!.id })
    const time = stopwatch()
    expect(await readOutcome(stream)).toBe('cut')
    took.push(time())
  }
  expect(Math.min(...took), 'the best of ten: the machine may be busy with others').toBeLessThan(1000)
})

describe('what others have under way goes on', () => {
  const some = ['session ended', 'key revoked', 'guest removed from the workspace', 'member made a viewer']
  it.each(readLosses.filter(({ name }) => some.includes(name)))('$name', async ({ of, assigned, change, lose }) => {
    const tenant = await suite.tenant()
    const at = await slowIntegration(tenant)
    const [loser, other] = [await holderIn(tenant, of[0]!, assigned), await holderIn(tenant, of[0]!, assigned)]
    const [lost, kept] = [callsOf(at, loser), callsOf(at, other)]
    const ending = lost.outcome(change ? CHANGE : SEARCH)
    const stream = await kept.stream()
    await until(() => lost.arrived() === 2)
    await lose(tenant, loser)
    expect(await ending).toContain(ENDED)
    const lines = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    for (let line = 0; line < 2; line++) expect((await lines.read()).value).toContain('"row"')
    kept.hangUp()
  })
})

describe('a wait for events ends', () => {
  it.each(
    inTurns(readLosses, 3)
      .filter(({ change }) => !change)
      .map((loss) => ({ ...loss, by: loss.of[0]! })),
  )('$name', async ({ by, assigned, lose }) => {
    const tenant = await suite.tenant()
    const holder = await holderIn(tenant, by, assigned)
    const client = createClient({ url: replica.url, headers: holder.headers, retries: 0 })
    const waiting = () => replica.parts.notices.waiting
    const before = waiting()
    const ended = refusal(client.listWorkspaceEvents({ ...tenant.w, wait: 25 }))
    await until(() => waiting() === before + 1)
    await lose(tenant, holder)
    expect([401, 403, 404]).toContain((await ended).status)
  })
})

/** At most 64 KiB in ten milliseconds: all of it takes seconds. */
async function readSlowly(answer: IncomingMessage): Promise<'whole' | 'cut'> {
  try {
    for await (const _ of answer) await sleep(10)
    return 'whole'
  } catch {
    return 'cut'
  }
}

describe('an export ends', () => {
  const rows = inTurns(readLosses, 5, 1).filter(({ assigned, name }) => !assigned && name !== 'workspace deleted')
  it.each(rows.map((loss) => ({ ...loss, by: loss.of.find((kind) => kind !== 'workspaceKey')! })))('$name', async ({ by, lose }) => {
    const tenant = await suite.tenant()
    const { world, organization } = tenant
    const entry = { action: 'workspace.updated', metadata: { long: 'x'.repeat(8000) } }
    await world.query(
      sql`select append_audit_entry(${organization.id}, ${JSON.stringify(entry)}, null, false) from generate_series(1, 4000)`,
    )
    const holder = await holderIn(tenant, by)
    const answer = await new Promise<IncomingMessage>((begun) =>
      get(`${replica.url}/v1/organizations/${organization.slug}/audit-logs/export`, { headers: holder.headers }, begun),
    )
    expect(answer.statusCode).toBe(200)
    const reading = readSlowly(answer)
    await lose(tenant, holder)
    expect(await reading).toBe('cut')
  })
})

it('whoever waits for a turn behind their own requests is identified again', async () => {
  const { world, tenant: newTenant, stop } = await createSuite({ roles: { api: true, jobs: false }, limitsFactor: 0.25 })
  onTestFinished(stop)
  const tenant = await newTenant()
  const at = await slowIntegration(tenant)
  const holder = await holderIn(tenant, 'userKey')
  const client = createClient({ url: world.url, headers: holder.headers, retries: 0 })
  const seen = world.statements.length
  const identified = () => world.statements.slice(seen).filter((text) => text.includes('from api_keys k join users')).length
  const hungUp = new AbortController()
  const running = Array.from({ length: atOnce.caller / 4 }, () =>
    client.proxyPost({ ...at, path: SEARCH }, JSON.stringify(QUERY), { signal: hungUp.signal }).catch(() => {}),
  )
  await until(() => world.arrivals.filter(({ url }) => url.includes(SEARCH)).length === running.length)
  const waiting = refusal(client.getOrganization(tenant.o))
  await until(() => identified() > running.length)
  await tenant.admin.revokeApiKey({ ...tenant.o, id: holder.key!.id })
  hungUp.abort()
  await Promise.all(running)
  expect(await waiting).toMatchObject({ status: 401, code: 'credential_invalid' })
})
