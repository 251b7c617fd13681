// Programs call an ad system through its integration:
// what passes, what is refused and in which order, what is remembered.
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealCredential } from '../src/features/integrations/credential.ts'
import { MOST } from '../src/gateway/places.ts'
import { credentialOf } from '../src/providers/provider.ts'
import { connectIntegration } from './connected-integration.ts'
import { createWorld, request, sql, type TestOrganization, type TestPerson, type TestWorkspace, type World } from './world.ts'

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
let viewer: TestPerson
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } }) // checks in the background would be calls as well
  organization = await world.organization()
  workspace = await world.workspace(organization)
  viewer = await world.join(organization, 'viewer')
})
afterAll(() => world.stop())

const W = () => ({ orgSlug: organization.slug, workspaceSlug: workspace.slug })
const SEARCH = 'v25/customers/1234567890/googleAds:search'
const CAMPAIGNS = JSON.stringify({ query: 'SELECT campaign.id, campaign.name, metrics.cost_micros FROM campaign' })

/** A Google Ads integration as a client has connected it. */
async function connected(mode: 'off' | 'read' | 'full' = 'full', claims = {}) {
  const { id } = await organization.admin.client.createIntegration(W(), {
    provider: 'google_ads',
    name: 'Search',
    settings: { customerId: '1234567890', loginCustomerId: '9876543210' },
    callPolicy: { mode },
  })
  const token = world.twins.mint('google_ads', 'access', claims)
  const credential = credentialOf(
    {},
    {
      accessToken: token,
      accessExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
      refreshToken: world.twins.mint('google_ads', 'refresh', claims),
      scopes: ['https://www.googleapis.com/auth/adwords'],
      obtainedAt: new Date().toISOString(),
    },
  )
  const owner = { organization_id: organization.id, workspace_id: workspace.id, id }
  await world.query(sql`update integrations set status = 'active', connected_at = now(), credential_version = 1,
    credential = ${sealCredential(world.app.parts, owner, credential)} where organization_id = ${organization.id} and id = ${id}`)
  return { id, token }
}

const call = (id: string, path: string, init: RequestInit = {}, headers: Record<string, string> = organization.admin.headers) =>
  request(`${world.url}/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${id}/proxy/${path}`, {
    ...init,
    headers: { ...headers, ...(init.body ? { 'content-type': 'application/json' } : {}), ...(init.headers as Record<string, string>) },
  })
const post = (id: string, path: string, body: string, headers?: Record<string, string>) => call(id, path, { method: 'POST', body }, headers)
const code = ({ text }: { text: string }) => (JSON.parse(text) as { code: string }).code

describe('a call', () => {
  it('reaches the ad system with the credentials of the integration, and its answer comes back as it is', async () => {
    const { id } = await connected()
    const answer = await post(id, SEARCH, CAMPAIGNS)
    expect(answer.status, answer.text).toBe(200)
    expect(answer.headers.get('adjoin-answer')).toBe('google_ads')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('content-disposition')).toBe('attachment')
    expect(JSON.parse(answer.text).results[0].campaign.name).toBeTruthy()
  })

  it('takes the host as its first segment, as in a copied URL, and no other host', async () => {
    const { id } = await connected()
    expect((await post(id, `googleads.googleapis.com/${SEARCH}`, CAMPAIGNS)).status).toBe(200)
    for (const host of ['www.googleapis.com', 'googleads.googleapis.com.evil.example', 'GOOGLEADS.googleapis.com', 'evil.example'])
      expect(code(await post(id, `${host}/${SEARCH}`, CAMPAIGNS)), host).toBe('path_refused')
  })

  it('of a viewer reads, whatever its method, and changes nothing', async () => {
    const { id } = await connected()
    expect((await post(id, SEARCH, CAMPAIGNS, viewer.headers)).status).toBe(200)
    const change = await post(id, 'v25/customers/1234567890/campaigns:mutate', '{"operations":[]}', viewer.headers)
    expect([change.status, code(change), change.headers.get('adjoin-answer')]).toEqual([403, 'change_refused', 'adjoin'])
  })

  it('changes nothing where programs may only read, and does nothing where they may not call', async () => {
    const reading = await connected('read')
    const change = 'v25/customers/1234567890/campaigns:mutate'
    expect(code(await post(reading.id, change, '{"operations":[]}'))).toBe('change_refused')
    const off = await connected('off')
    expect(code(await post(off.id, SEARCH, CAMPAIGNS))).toBe('calls_off')
  })

  it('is refused where it would mint, show or give access, or carry other calls', async () => {
    const { id } = await connected()
    for (const path of [
      'v25/customers/1234567890/customerUserAccessInvitations:mutate',
      'v25/customers/1234567890/CUSTOMERUSERACCESSES:mutate',
      'batch',
      'v20/customers/1234567890/googleAds:search',
    ])
      expect(code(await post(id, path, '{}')), path).toBe('path_refused')
    for (const query of ['access_token=x', 'a=1&ACCESS_TOKEN=x', '%61ccess_token=x', 'key=1;access_token=2', '%24httpMethod=DELETE'])
      expect(code(await post(id, `${SEARCH}?${query}`, CAMPAIGNS)), query).toBe('path_refused')
    const overridden = await call(id, SEARCH, { method: 'POST', body: CAMPAIGNS, headers: { 'x-http-method-override': 'DELETE' } })
    expect(code(overridden)).toBe('path_refused')
  })

  it('is refused where its path could be read in two ways', async () => {
    const { id } = await connected()
    for (const path of ['v25/customers/1%2f2/googleAds:search', 'v25//x', 'v25/customers/%2e%2e%2fx', 'v25/x;y', 'v25/x%252f']) {
      const answer = await post(id, path, CAMPAIGNS)
      expect([answer.status, code(answer)], path).toEqual([400, 'path_invalid'])
    }
  })
})

describe('a change', () => {
  it('is in the trail before it leaves, and among the calls with how it ended', async () => {
    const { id } = await connected()
    const body = '{"operations":[{"create":{"name":"secret plan"}}]}'
    const answer = await post(id, 'v25/customers/1234567890/campaigns:mutate', body)
    expect(answer.status, answer.text).toBe(200)
    const { auditLogs } = await organization.admin.client.listAuditLogs({ orgSlug: organization.slug, action: 'integration.change_sent' })
    expect(auditLogs[0]).toMatchObject({
      target: { id },
      metadata: {
        method: 'POST',
        host: 'googleads.googleapis.com',
        path: '/v25/customers/1234567890/campaigns:mutate',
        bodyBytes: body.length,
        bodySha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    })
    expect(JSON.stringify(auditLogs[0])).not.toContain('secret plan')
    await expect
      .poll(async () => (await organization.admin.client.listIntegrationCalls({ ...W(), id })).calls)
      .toMatchObject([{ effect: 'change', outcome: 'ok', status: 200, path: '/v25/customers/1234567890/campaigns:mutate' }])
    const { usage } = await organization.admin.client.getIntegrationUsage({ ...W(), id, by: 'hour' })
    expect(usage).toMatchObject([{ effect: 'change', outcome: 'ok', calls: 1 }])
  })

  it('waits while the integration is being disabled, and is then not sent', async () => {
    const { id } = await connected()
    const operator = new pg.Client({ connectionString: world.config.databaseUrl! })
    await operator.connect()
    try {
      await operator.query('begin')
      await operator.query(`update integrations set status = 'disabled', enabled_status = 'active' where id = '${id}'`)
      const arrived = world.arrivals.length
      const change = post(id, 'v25/customers/1234567890/campaigns:mutate', '{}')
      const waiting = async () =>
        (await operator.query("select 1 from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()")).rowCount
      await expect.poll(waiting).toBeGreaterThan(0)
      await operator.query('commit')
      expect(code(await change)).toBe('integration_disabled')
      expect(world.arrivals.length).toBe(arrived)
    } finally {
      await operator.end()
    }
  })

  it('is sent once, however often its Idempotency-Key comes', async () => {
    const { id } = await connected()
    const send = () =>
      call(id, 'v25/customers/1234567890/campaigns:mutate', { method: 'POST', body: '{}', headers: { 'idempotency-key': 'once-1' } })
    expect((await send()).status).toBe(200)
    expect(code(await send())).toBe('already_sent')
  })
})

describe('a secret', () => {
  it('does not leave in an answer that repeats it', async () => {
    const { id, token } = await connected()
    const answer = await post(id, SEARCH, JSON.stringify({ query: 'SELECT sandbox.echo FROM campaign' }))
    expect(answer.status).toBe(200)
    expect(answer.text).not.toContain(token)
    expect(answer.text).toContain('****')
  })
})

describe('an access that the ad system no longer accepts', () => {
  it('is renewed once, and the call sent again', async () => {
    const { id } = await connected()
    const owner = { organization_id: organization.id, workspace_id: workspace.id, id }
    const stale = credentialOf(
      {},
      {
        accessToken: 'ya29.no-longer-any-good',
        refreshToken: world.twins.mint('google_ads', 'refresh'),
        obtainedAt: new Date().toISOString(),
      },
    )
    await world.query(
      sql`update integrations set credential = ${sealCredential(world.app.parts, owner, stale)} where organization_id = ${organization.id} and id = ${id}`,
    )
    expect((await post(id, SEARCH, CAMPAIGNS)).status).toBe(200)
  })

  it('is told as ours, never as a 401, and checked at once', async () => {
    const { id } = await connected('full', { play: 'refuse' })
    const answer = await post(id, SEARCH, CAMPAIGNS)
    expect([answer.status, code(answer)]).toEqual([502, 'vendor_refused_credential'])
  })
})

describe('a caller who hangs up', () => {
  it('ends the call, and its place goes to the next', async () => {
    const { id } = await connected('full', { play: 'slow' })
    const place = `${world.url}/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${id}/proxy/${SEARCH}`
    const caller = new AbortController()
    const before = world.arrivals.length
    const hurried = () =>
      fetch(place, {
        method: 'POST',
        body: CAMPAIGNS,
        headers: { ...organization.admin.headers, 'content-type': 'application/json' },
        signal: caller.signal,
      }).catch((error: Error) => error.name)
    const calls = Array.from({ length: 12 }, hurried)
    await expect.poll(() => world.arrivals.length - before).toBe(MOST.caller)
    caller.abort()
    expect(await Promise.all(calls)).toEqual(Array(12).fill('AbortError'))
    // All eight places are free again, long before the slow answers would have come.
    const leaves = await Promise.all(
      Array.from({ length: 8 }, (_, n) => world.app.parts.gateway.places.enter(id, { caller: `${n}`, person: `${n}` })),
    )
    expect(leaves).not.toContain(null)
    for (const place of leaves) place!.leave()
    await expect
      .poll(async () => {
        await world.app.parts.usage.flush()
        return organization.admin.client.getIntegrationUsage({ ...W(), id })
      })
      .toMatchObject({ usage: [{ outcome: 'canceled' }] })
  })
})

describe('an ad system that asks to slow down', () => {
  it('says so itself, and is left alone for as long', async () => {
    const { id } = await connected('full', { play: 'throttle' })
    const first = await post(id, SEARCH, CAMPAIGNS)
    expect([first.status, first.headers.get('adjoin-answer')]).toEqual([429, 'google_ads'])
    const second = await post(id, SEARCH, CAMPAIGNS)
    expect([second.status, code(second), second.headers.get('adjoin-answer')]).toEqual([429, 'vendor_throttled', 'adjoin'])
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(30)
  })
})

describe('a frozen organization', () => {
  it('sends nothing until it is thawed', async () => {
    const { id } = await connected()
    const O = { orgSlug: organization.slug }
    const frozen = await organization.admin.client.freezeOrganization(O, { reason: 'A key leaked' })
    expect(frozen.frozen).toMatchObject({ by: organization.admin.email, reason: 'A key leaked' })
    expect(code(await post(id, SEARCH, CAMPAIGNS))).toBe('organization_frozen')
    await expect(organization.admin.client.verifyIntegration({ ...W(), id })).rejects.toMatchObject({ code: 'organization_frozen' })
    expect((await organization.admin.client.thawOrganization(O)).frozen).toBeNull()
    expect((await post(id, SEARCH, CAMPAIGNS)).status).toBe(200)
  })
})

it('a GraphQL document that two readers read differently is refused for everybody, whatever the policy', async () => {
  for (const mode of ['read', 'full'] as const) {
    const id = await connectIntegration({ world, organization, workspace }, 'stackadapt', mode)
    for (const headers of [organization.admin.headers, viewer.headers])
      for (const document of [
        'query A { a }\n#\r mutation B { b }',
        'mutation {\n a # b\n}',
        '{\n a(x: """b""") }',
        'mutation A {\n\u001a b }',
      ]) {
        const answer = await post(id, 'graphql', JSON.stringify({ query: document, operationName: 'A' }), headers)
        const { code: refused, detail } = JSON.parse(answer.text) as { code: string; detail: string }
        expect([document, answer.status, refused, detail]).toEqual([
          document,
          403,
          'path_refused',
          expect.stringMatching(/^Line 2 .* has /),
        ])
      }
  }
})
