// Traces: what a collector is told of a request and of what it led to, and that nobody pays who has none.
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { statementName } from '../src/traces/traced.ts'
import { type CollectedSpan, startCollector } from './collector.ts'
import { startConsumer } from './consumer.ts'
import { productIn } from './sources.ts'
import { createWorld, request, type TestOrganization, type TestWorkspace, type World } from './world.ts'

let collector: Awaited<ReturnType<typeof startCollector>>
let world: World
let organization: TestOrganization
let workspace: TestWorkspace
beforeAll(async () => {
  collector = await startCollector()
  world = await createWorld({
    traces: { endpoint: collector.url, headers: { authorization: 'Bearer collector' }, serviceName: 'adjoin-test', ratio: 1 },
  })
  organization = await world.organization()
  workspace = await world.workspace(organization)
})
afterAll(async () => {
  await world.stop()
  await collector.close()
})

const eventually = (check: () => unknown) => vi.waitFor(check, { timeout: 20_000, interval: 50 })
const newTrace = () => randomBytes(16).toString('hex')
const PARENT = 'b7ad6b7169203331'
const of = (traceId: string) => collector.spans.filter((span) => span.traceId === traceId)
const named = (spans: readonly CollectedSpan[], name: string) => spans.find((span) => span.name === name)

/** What was told of a request that belongs to a trace of the caller's. */
async function traced(path: string, init: RequestInit = {}) {
  const traceId = newTrace()
  const traceparent = `00-${traceId}-${PARENT}-01`
  const answer = await request(`${world.url}${path}`, {
    ...init,
    headers: { ...organization.admin.headers, traceparent, ...(init.headers as Record<string, string>) },
  })
  await eventually(() => expect(of(traceId).some(({ parentSpanId }) => parentSpanId === PARENT)).toBe(true))
  return { answer, traceId, spans: of(traceId), root: of(traceId).find(({ parentSpanId }) => parentSpanId === PARENT)! }
}

describe('a request', () => {
  it('is a part of its caller’s trace, and its statements are parts of it', async () => {
    const { spans, root, answer } = await traced(`/v1/organizations/${organization.slug}/workspaces`)
    expect(root).toMatchObject({
      name: 'GET /v1/organizations/:orgSlug/workspaces',
      attributes: {
        'http.response.status_code': 200,
        'adjoin.operation': 'listWorkspaces',
        'adjoin.request_id': answer.headers.get('x-request-id'),
      },
    })
    const statements = spans.filter((span) => span.attributes['db.query.summary'])
    expect(statements.length).toBeGreaterThan(0)
    for (const statement of statements) {
      expect(statement.parentSpanId).toBe(root.spanId)
      const [began, ended] = [BigInt(statement.startTimeUnixNano), BigInt(statement.endTimeUnixNano)]
      expect(BigInt(root.startTimeUnixNano) <= began && began <= ended).toBe(true)
    }
    expect(Math.abs(Number(BigInt(root.endTimeUnixNano) / 1_000_000n) - Date.now())).toBeLessThan(60_000)
  })

  it('tells nothing that a caller sent: no value, no path, no secret', async () => {
    const name = `Secret ${newTrace()}`
    const path = `/v1/organizations/${organization.slug}/workspaces`
    const { answer } = await traced(path, {
      method: 'POST',
      body: JSON.stringify({ name, slug: `w-${newTrace().slice(0, 8)}` }),
      headers: { 'content-type': 'application/json' },
    })
    expect(answer.status, answer.text).toBe(201)
    const told = collector.bodies.join()
    for (const value of [name, organization.slug, organization.admin.token, organization.admin.email]) expect(told).not.toContain(value)
  })

  it('of somebody who traces but does not record is not told', async () => {
    const traceId = newTrace()
    const headers = { ...organization.admin.headers, traceparent: `00-${traceId}-${PARENT}-00` }
    await request(`${world.url}/v1/me`, { headers })
    await traced('/v1/me')
    expect(of(traceId)).toEqual([])
  })

  it('is recorded because its caller wants it only behind a proxy that we trust: anybody can send a header', async () => {
    const apart = await startCollector()
    const open = await createWorld({
      trustedProxies: [],
      traces: { endpoint: apart.url, headers: {}, serviceName: 'adjoin-test', ratio: 0 },
    })
    const traceId = newTrace()
    await request(`${open.url}/version`, { headers: { traceparent: `00-${traceId}-${PARENT}-01` } })
    await open.stop() // which sends what there is
    expect(apart.spans).toEqual([])
    expect(open.log.lines.join()).toContain(traceId)
    await apart.close()
  })

  it('writes its trace to the log, also where the caller has none', async () => {
    await request(`${world.url}/v1/organizations/${organization.slug}/members`, { headers: organization.admin.headers })
    const line = () => world.log.lines.map((text) => JSON.parse(text)).find(({ operation }) => operation === 'listOrganizationMembers')
    await eventually(() => expect(line()?.traceId).toMatch(/^[0-9a-f]{32}$/))
    await eventually(() => expect(of(line().traceId).length).toBeGreaterThan(0))
  })

  it('a refusal is no error; the collector hears who we are, with the headers that it wants', async () => {
    const { root } = await traced('/v1/organizations/nobody-here')
    expect(root.attributes['http.response.status_code']).toBe(404)
    expect(root.status.code ?? 0).toBe(0)
    expect(collector.resources[0]).toMatchObject({ 'service.name': 'adjoin-test' })
    expect(collector.headers[0]).toMatchObject({ authorization: 'Bearer collector' })
  })
})

describe('what a request leads to', () => {
  it('calls to an ad system are parts of it, by system and host', async () => {
    const at = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
    const { id } = await organization.admin.client.createIntegration(at, {
      provider: 'magnite',
      name: 'Sales',
      settings: { accountId: '123' },
    })
    const { spans, root } = await traced(
      `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${id}/credentials`,
      {
        method: 'POST',
        body: JSON.stringify({ accessKey: 'a-key-that-is-wrong', secretKey: 'a-secret-that-is-wrong' }),
        headers: { 'content-type': 'application/json' },
      },
    )
    const call = spans.find((span) => span.attributes['adjoin.provider'] === 'magnite')
    expect(call, JSON.stringify(spans.map(({ name }) => name))).toBeDefined()
    expect(call!.parentSpanId).toBe(root.spanId)
    expect(call!.attributes['server.address']).toMatch(/\w\.\w/)
  })

  it('a job is a trace of its own', async () => {
    await world.client().sendSignInLink({ email: `${newTrace().slice(0, 8)}@example.com` })
    await eventually(() => expect(named(collector.spans, 'job mail.send')).toBeDefined())
    const job = named(collector.spans, 'job mail.send')!
    expect(job.parentSpanId ?? '').toBe('')
    await eventually(() => expect(of(job.traceId).some(({ parentSpanId }) => parentSpanId === job.spanId)).toBe(true))
  })

  it('a webhook tells its consumer which trace it belongs to', async () => {
    const consumer = await startConsumer()
    const at = { orgSlug: organization.slug }
    await organization.admin.client.createWebhook(at, { url: consumer.url, types: ['workspace.*'] })
    await organization.admin.client.updateWorkspace({ ...at, workspaceSlug: workspace.slug }, { name: 'Renamed' })
    await eventually(() => expect(consumer.received.length).toBeGreaterThan(0))
    const [, traceId, spanId] = String(consumer.received[0]!.headers.traceparent).split('-')
    await eventually(() => expect(of(traceId!).find((span) => span.spanId === spanId)).toMatchObject({ name: 'POST webhook' }))
    await eventually(() => expect(named(of(traceId!), 'deliver events')).toBeDefined())
    await consumer.close()
  })
})

describe('where nobody looks', () => {
  it('not a module of it is loaded', () => {
    const held = (text: string) => /^import [^;]*?from '[^']*open-?telemetry/m.test(text)
    const loading = productIn('api/src').filter(({ text }) => held(text))
    expect(loading.map(({ path }) => path)).toEqual(['api/src/traces/open-telemetry.ts'])
  })

  it('a collector that is away is told of in the log, and nobody waits for it', async () => {
    const traces = { endpoint: 'http://127.0.0.1:9', headers: {}, serviceName: 'adjoin', ratio: 1 }
    const replica = await world.replica({ traces })
    const { status } = await request(`${replica.url}/v1/me`, { headers: organization.admin.headers })
    expect(status).toBe(200)
    await eventually(() => expect(world.log.lines.join('')).toContain('traces could not be sent'))
  })
})

describe('a statement', () => {
  it.each([
    ['select 1', 'select'],
    ['\n  select a from integrations i join x on true', 'select integrations'],
    ['insert into audit_entries (a) values ($1)', 'insert audit_entries'],
    ['update jobs set a = $1', 'update jobs'],
    ['with due as materialized (select id from webhooks) update webhooks set a = 1', 'with webhooks'],
    ['begin', 'begin'],
  ])('%s is called %s', (text, name) => expect(statementName(text)).toBe(name))
})
