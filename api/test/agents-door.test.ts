// The door for agents: who comes in, with what, and from where.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { callTool, post } from './agent-calls.ts'
import { makeLimitsLast } from './lasting-limits.ts'
import { rawAnswer } from './raw-socket.ts'
import { createWorld, request, sql, type TestKey, type TestOrganization, type World } from './world.ts'

let world: World
let organization: TestOrganization
let key: TestKey
beforeAll(async () => {
  world = await createWorld({ trustedOrigins: ['https://tools.agency.example'] })
  await makeLimitsLast(world)
  organization = await world.organization()
  key = await world.key(organization, { level: 'organization', role: 'viewer' })
})
afterAll(() => world.stop())

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' }
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }
const UNKNOWN = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'no_such_tool', arguments: {} } }
const INVALID = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_accounts', arguments: {} } }
const RESOURCE = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'adjoin://access' } }
const NO_RESOURCE = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: 'adjoin://nothing' } }

describe('a credential', () => {
  it.each([PING, LIST, UNKNOWN, INVALID, RESOURCE, NO_RESOURCE])('must come with everything: $method $params', async (message) => {
    const none = await post(world.url, world.headersOf({}), message)
    expect([none.status, none.json().code]).toEqual([401, 'credential_missing'])
    expect(none.headers.get('www-authenticate')).toContain('ApiKey realm="adjoin"')
    const revoked = await world.key(organization)
    await world.query(sql`update api_keys set revoked_at = now() where organization_id = ${organization.id} and id = ${revoked.id}`)
    const ended = await post(world.url, revoked.headers, message)
    expect([ended.status, ended.json().code]).toEqual([401, 'credential_invalid'])
  })

  it('is a key in x-api-key, a key as a bearer, or a session as a bearer', async () => {
    const { key: raw, headers } = key
    const { 'x-api-key': _, ...rest } = headers
    for (const credential of [headers, { ...rest, authorization: `Bearer ${raw}` }, organization.admin.headers]) {
      const { code, result } = await callTool(world.url, credential, 'find_integrations', {})
      expect([code, result?.isError]).toEqual([undefined, undefined])
    }
  })

  it('is never a cookie', async () => {
    const cookie = world.headersOf({ cookie: `adjoin_session=${organization.admin.token}`, origin: world.config.publicUrl })
    const { status } = await post(world.url, cookie, LIST)
    expect(status).toBe(401)
  })

  it('that is malformed is refused', async () => {
    const { status } = await post(world.url, world.headersOf({ 'x-api-key': 'adj_nothing' }), LIST)
    expect(status).toBe(401)
  })
})

describe('a page of somebody else’s', () => {
  it('is refused by its origin', async () => {
    for (const origin of ['https://evil.example', 'null', 'http://localhost.evil.example:3000']) {
      const { status } = await post(world.url, key.headers, LIST, { origin })
      expect([origin, status]).toEqual([origin, 403])
    }
    for (const origin of [world.config.publicUrl, 'https://tools.agency.example'])
      expect((await post(world.url, key.headers, LIST, { origin })).status).toBe(200)
  })

  it('is refused by the name that it calls us', async () => {
    const body = JSON.stringify(LIST)
    const asked = (host: string) =>
      `POST /mcp HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n` +
      `x-api-key: ${key.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`
    const statusOf = async (host: string) => (await rawAnswer(world.url, asked(host))).status
    expect(await statusOf('rebound.evil.example')).toBe(403)
    for (const host of ['localhost:3000', '127.0.0.1', '[::1]:3000', 'tools.agency.example'])
      expect([host, await statusOf(host)]).toEqual([host, 200])
  })
})

describe('the protocol', () => {
  it('has no streams and no sessions: other methods are refused', async () => {
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const { status, headers } = await request(`${world.url}/mcp`, { method, headers: { ...key.headers, accept: 'text/event-stream' } })
      expect([method, status, headers.get('allow')]).toEqual([method, 405, 'POST, OPTIONS'])
    }
    const { headers } = await post(world.url, key.headers, LIST)
    expect(headers.get('mcp-session-id')).toBeNull()
    expect(headers.get('content-type')).toBe('application/json')
  })

  it('takes one message at a time', async () => {
    for (const message of [[LIST, LIST], [], 'tools/list', null]) expect((await post(world.url, key.headers, message)).status).toBe(400)
  })

  it('does not open subscriptions, which would be state', async () => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const listen = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: { notifications: {}, _meta } }
    const answer = await post(world.url, key.headers, listen, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'subscriptions/listen',
    })
    expect(answer.text).toContain('error')
  })

  it('answers an ordinary call of a tool as the SDK does, in both revisions', async () => {
    const envelope = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const given = { describe_ad_api: { provider: 'meta_ads' }, search_audit_trail: {}, list_accounts: {} }
    for (const [name, args] of Object.entries(given)) {
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name }
      const call = (_meta: object) => ({ jsonrpc: '2.0', id: 'a', method: 'tools/call', params: { name, arguments: args, _meta } })
      const modern = [envelope, { ...envelope, progressToken: 1 }].map((meta) => post(world.url, key.headers, call(meta), headers))
      const [direct, bySdk] = (await Promise.all(modern)).map((answer) => answer.json())
      expect(direct).toEqual(bySdk)
      const older = [{}, { progressToken: 1 }].map((meta) =>
        post(world.url, key.headers, call(meta), { 'mcp-protocol-version': '2025-11-25' }),
      )
      const [legacyDirect, legacyBySdk] = (await Promise.all(older)).map((answer) => answer.json())
      expect(legacyDirect).toEqual(legacyBySdk)
      expect(legacyDirect).toHaveProperty('result.content')
    }
  })

  it('leaves what is not ordinary to the SDK, which refuses it', async () => {
    const params = { name: 'describe_ad_api', arguments: { provider: 'meta_ads' } }
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
    const wrong = await post(world.url, key.headers, call, { 'mcp-protocol-version': '1999-01-01' })
    expect(wrong.status).toBe(400)
    const unmatched = await post(world.url, key.headers, call, {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': 'other',
    })
    expect(unmatched.status).toBe(400)
  })

  it('is not served by a process that only does jobs', async () => {
    const jobs = await world.replica({ roles: { api: false, jobs: true } })
    expect((await post(jobs.url, key.headers, LIST)).status).toBe(404)
  })
})

it('what an agent writes as headers is the ad system’s, never ours', async () => {
  const integration = `${organization.slug}/nowhere/00000000-0000-4000-8000-000000000000`
  const given = { integration, path: 'member', headers: { 'X-API-Key': 'adj_other', Authorization: 'Bearer other', Cookie: 'a=b' } }
  expect((await callTool(world.url, key.headers, 'read_ad_system', given)).code).toBe('not_found')
})

it('limits count tools as they count the operations behind them', async () => {
  const tight = await world.replica({ limitsFactor: 0.002 })
  const workspace = await world.workspace(organization)
  const { id } = await organization.admin.client.createIntegration(
    { orgSlug: organization.slug, workspaceSlug: workspace.slug },
    { provider: 'xandr', name: 'Publisher' },
  )
  const given = { integration: `${organization.slug}/${workspace.slug}/${id}`, path: 'member' }
  const codes = []
  for (let i = 0; i < 4; i++) codes.push((await callTool(tight.url, key.headers, 'read_ad_system', given)).code)
  expect(codes).toEqual(['integration_unconnected', 'integration_unconnected', 'limit_exceeded', 'limit_exceeded'])
})
