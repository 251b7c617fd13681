// At the door: which credential counts, what a malformed one costs, and what a good one writes.
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { trackLastUse } from '../src/access/last-use.ts'
import type { KeyCaller } from '../src/call.ts'
import { newApiKey } from '../src/domain/api-key.ts'
import { head, rawAnswer } from './raw-socket.ts'
import { withoutIntervals } from './without-intervals.ts'
import { createWorld, refusal, request, sql, type TestKey, type TestOrganization, type World } from './world.ts'

let world: World
let organization: TestOrganization
let key: TestKey
beforeAll(async () => {
  // Without jobs every statement is a request's.
  world = await createWorld({ roles: { api: true, jobs: false } })
  organization = await world.organization()
  key = await world.key(organization, { level: 'organization', role: 'viewer' })
})
afterAll(() => world.stop())
beforeEach(() => {
  world.statements.length = 0
})

const path = () => `/v1/organizations/${organization.slug}`
const ask = (headers: Record<string, string>) => request(`${world.url}${path()}`, { headers })

/** What fetch would refuse to send: header lines as they are. */
const statusOf = async (...lines: string[]) => (await rawAnswer(world.url, head('GET', path(), lines))).status

describe('a key that is not well-formed', () => {
  const swapCase = (text: string) => [...text].map((c) => (c === c.toLowerCase() ? c.toUpperCase() : c.toLowerCase())).join('')
  const spoiled: [string, (good: string) => string][] = [
    ['empty', () => ''],
    ['truncated', (good) => good.slice(0, -1)],
    ['truncated to its prefix', (good) => good.slice(0, 15)],
    ['without its checksum', (good) => good.slice(0, -6)],
    ['extended', (good) => `${good}0`],
    ['doubled', (good) => good + good],
    ['in the other case', swapCase],
    ['with an upper-case prefix', (good) => good.replace('adj_', 'ADJ_')],
    ['with another prefix', (good) => good.replace('adj_', 'adk_')],
    ['with one character changed', (good) => good.slice(0, 20) + (good[20] === 'x' ? 'y' : 'x') + good.slice(21)],
    ['with two characters exchanged', (good) => good.slice(0, 4) + [...good.slice(4, 47)].reverse().join('') + good.slice(47)],
    ['padded inside', (good) => good.replace('adj_', 'adj_ ')],
    ['percent-encoded', (good) => good.replace('_', '%5F')],
    ['with an encoded NUL behind it', (good) => `${good}%00`],
    ['with an encoded space behind it', (good) => `${good}%20`],
    ['quoted', (good) => `"${good}"`],
    ['as a bearer', (good) => `Bearer ${good}`],
    ['twice in one header', (good) => `${good}, ${good}`],
    ['with a no-break space behind it', (good) => `${good}\u00a0`],
    ['SQL', () => "' or '1'='1"],
    ['8,000 characters long', () => 'adj_'.repeat(2000)],
  ]
  it.each(spoiled)('%s is 401 without a query', async (_, spoil) => {
    const answer = await ask({ 'x-api-key': spoil(key.key) })
    expect(answer.status).toBe(401)
    expect(answer.json()).toMatchObject({ code: 'credential_invalid' })
    expect(answer.headers.get('www-authenticate')).toContain('ApiKey')
    expect(world.statements).toEqual([])
  })

  it('with a control character in it is not even a request', async () => {
    for (const character of ['\0', '\x01', '\x7f']) expect([400, 401]).toContain(await statusOf(`x-api-key: ${key.key}${character}`))
    expect(world.statements).toEqual([])
    // Spaces and tabs around a field's value are no part of it (RFC 9110, 5.5):
    // the parser never shows them to anybody.
    expect(await statusOf(`x-api-key: \t ${key.key} \t `)).toBe(200)
  })
})

it('looks a wrong key with the right prefix and checksum up like any other: by its hash alone', async () => {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
  const secret = key.key.slice(4, 15) + newApiKey().slice(15, 47)
  let rest = crc32(secret)
  let checksum = ''
  for (let i = 0; i < 6; i++, rest = Math.floor(rest / 62)) checksum = digits[rest % 62] + checksum
  const near = await ask({ 'x-api-key': `adj_${secret}${checksum}` })
  const nearStatements = world.statements.splice(0)
  const far = await ask({ 'x-api-key': newApiKey() })
  expect([near.status, far.status]).toEqual([401, 401])
  expect(nearStatements).toHaveLength(1)
  expect(world.statements).toEqual(nearStatements)
  expect(nearStatements[0]).toMatch(/where k\.key_hash = \$\d+$/)
})

describe('a keyed request', () => {
  it('takes one round trip to know key, scope and role, and one for the answer', async () => {
    const workspace = await world.workspace(organization)
    const keys = [
      await world.key(organization, { level: 'user' }),
      key,
      await world.key(organization, { level: 'workspace', role: 'viewer', workspace }),
    ]
    const here = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
    for (const { client } of keys) {
      world.statements.length = 0
      expect((await client.getWorkspace(here)).slug).toBe(workspace.slug)
      expect(world.statements.length).toBeLessThanOrEqual(2)
      world.statements.length = 0
      expect((await client.listIntegrations(here)).integrations).toEqual([])
      expect(world.statements.length).toBeLessThanOrEqual(2)
    }
    for (const { client } of keys.slice(0, 2)) {
      world.statements.length = 0
      expect((await client.listWorkspaces({ orgSlug: organization.slug })).workspaces.map(({ slug }) => slug)).toContain(workspace.slug)
      expect(world.statements.length).toBeLessThanOrEqual(2)
    }
  })

  it('is found by unique index alone, whether its path names a workspace or none', async () => {
    const { slug } = await world.workspace(organization)
    const planOf = async (read: () => Promise<unknown>, values: string[]) => {
      world.statements.length = 0
      await read()
      const text = values.reduce((all, value, i) => all.replace(new RegExp(`\\$${i + 1}\\b`), `'${value}'`), world.statements[0]!)
      const plan = await world.app.parts.db.transaction(async (query) => {
        await query(sql`set local enable_seqscan = off`)
        return query<{ 'QUERY PLAN': string }>({ texts: [`explain ${text}`], values: [] })
      })
      return plan.map((line) => line['QUERY PLAN']).join('\n')
    }
    const orgSlug = organization.slug
    for (const plan of [
      await planOf(() => ask(key.headers), [orgSlug, '\\x00']),
      await planOf(() => key.client.getWorkspace({ orgSlug, workspaceSlug: slug }), [orgSlug, slug, '\\x00']),
    ]) {
      expect(plan).toContain('api_keys_hash')
      expect(plan).not.toContain('Seq Scan')
    }
  })
})

describe('two credentials on one request', () => {
  const cookie = (token: string) => ({ cookie: `adjoin_session=${token}` })
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  it('are decided by the key before the bearer before the cookie; never the union of both', async () => {
    const { admin } = organization
    const guest = await world.join(organization, 'guest')
    const role = async (headers: Record<string, string>) => (await ask(headers)).json().role
    expect(await role({ ...key.headers, ...bearer(admin.token), ...cookie(admin.token) })).toBe('viewer')
    expect(await role({ ...bearer(guest.token), ...cookie(admin.token) })).toBe('guest')
    // What the viewer's key may not do, the admin's session beside it does not allow either.
    const trail = await request(`${world.url}${path()}/audit-logs`, { headers: { ...key.headers, ...bearer(admin.token) } })
    expect(trail.status).toBe(403)
    const me = await request(`${world.url}/v1/me`, { headers: { ...key.headers, ...bearer(admin.token) } })
    expect([me.status, me.json().code]).toEqual([401, 'credential_refused'])
  })

  it('fail with the bad one: no good one behind it is looked at', async () => {
    const { token } = organization.admin
    const revoked = await world.key(organization, { level: 'user' })
    await organization.admin.client.revokeApiKey({ orgSlug: organization.slug, id: revoked.id })
    for (const bad of ['', 'nonsense', newApiKey(), revoked.key]) {
      expect((await ask({ 'x-api-key': bad, ...bearer(token), ...cookie(token) })).status).toBe(401)
    }
    for (const authorization of [
      '',
      'Bearer',
      'Bearer ',
      'Bearer a b',
      `Basic ${btoa('ada:secret')}`,
      `Bearer ${newApiKey().slice(0, 43)}`,
      token,
    ])
      expect((await ask({ authorization, ...cookie(token) })).status).toBe(401)
  })

  it('of one kind are malformed', async () => {
    const good = `authorization: Bearer ${organization.admin.token}`
    expect(await statusOf(good)).toBe(200)
    expect(await statusOf(good, good)).toBe(401)
    expect(await statusOf(good, 'authorization: Bearer other')).toBe(401)
    expect(await statusOf(`x-api-key: ${key.key}`, `x-api-key: ${key.key}`)).toBe(401)
  })

  it('are ignored where anybody may come in, and a key is refused on every sign-in route for people', async () => {
    expect((await request(`${world.url}/health`, { headers: { 'x-api-key': 'nonsense' } })).status).toBe(200)
    for (const [method, route] of [
      ['GET', 'session'],
      ['POST', 'sign-out'],
      ['POST', 'sign-out-everywhere'],
    ]) {
      world.statements.length = 0
      const answer = await request(`${world.url}/v1/auth/${route}`, { method: method!, headers: key.headers })
      expect([answer.status, answer.json().code]).toEqual([401, 'credential_refused'])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer realm="adjoin"')
      expect(world.statements).toEqual([])
    }
  })
})

describe('the time of a key’s last request', () => {
  const lastRequest = async (id: string) => (await organization.admin.client.getApiKey({ orgSlug: organization.slug, id })).lastRequest

  it('is written after the request, by the database’s clock, and at the latest when the service stops', async () => {
    const replica = await world.start()
    const { id, headers } = await world.key(organization, { level: 'user' })
    const before = (await world.query<{ now: Date }>(sql`select now()`))[0]!.now
    for (let i = 0; i < 3; i++) await world.client(headers, replica.url).getCurrentApiKey()
    const after = (await world.query<{ now: Date }>(sql`select now()`))[0]!.now
    expect(world.statements.filter((text) => text.includes('last_request_at ='))).toEqual([])
    await replica.stop()
    const at = Date.parse((await lastRequest(id))!)
    expect(at).toBeGreaterThanOrEqual(before.getTime())
    expect(at).toBeLessThanOrEqual(after.getTime())
  })

  it('is written once for all requests since the last time', async () => {
    const { db, log } = world.app.parts
    const { id } = await world.key(organization, { level: 'user' })
    let writes = 0
    const counting: typeof db = {
      ...db,
      query: (fragment) => {
        writes++
        return db.query(fragment)
      },
    }
    const tracker = trackLastUse(counting, log, 600_000)
    const caller = { class: 'userKey', key: { id, organizationId: organization.id } } as KeyCaller
    for (const second of [1, 2, 3]) tracker.note(caller, new Date(2030, 0, 1, 0, 0, second), '203.0.113.7')
    expect(writes).toBe(0)
    await tracker.stop()
    expect(writes).toBe(1)
    expect(await lastRequest(id)).toBe(new Date(2030, 0, 1, 0, 0, 3).toISOString())
  })

  it('never goes back, and waits for nobody who is changing the key', async () => {
    const replica = await withoutIntervals(() => world.start())
    const [ahead, held, free] = await Promise.all([1, 2, 3].map(() => world.key(organization, { level: 'user' })))
    for (const { headers } of [ahead!, held!, free!]) await world.client(headers, replica.url).getCurrentApiKey()
    await world.query(
      sql`update api_keys set last_request_at = '2100-01-01' where organization_id = ${organization.id} and id = ${ahead!.id}`,
    )
    const [locked, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const change = world.app.parts.db.transaction(async (query) => {
      await query(sql`select from api_keys where organization_id = ${organization.id} and id = ${held!.id} for update`)
      locked.resolve()
      await release.promise
    })
    await locked.promise
    await replica.stop()
    release.resolve()
    await change
    expect(await lastRequest(ahead!.id)).toBe('2100-01-01T00:00:00.000Z')
    expect(await lastRequest(held!.id)).toBeUndefined()
    expect(await lastRequest(free!.id)).toBeDefined()
  })

  it('survives an outage of the database', async () => {
    const { db, log } = world.app.parts
    const { id } = await world.key(organization, { level: 'user' })
    const tracker = trackLastUse(db, log, 10)
    const at = new Date('2030-01-01T00:00:00.000Z')
    await world.query(sql`alter table api_keys rename to api_keys_away`)
    tracker.note({ class: 'userKey', key: { id, organizationId: organization.id } } as KeyCaller, at, '203.0.113.7')
    await expect.poll(() => world.log.lines.join()).toContain('could not save last-use times')
    await world.query(sql`alter table api_keys_away rename to api_keys`)
    await tracker.stop()
    expect(await lastRequest(id)).toBe(at.toISOString())
    expect((await organization.admin.client.getApiKeyUsage({ orgSlug: organization.slug, id })).lastRequestIp).toBe('203.0.113.7')
  })

  it('is noted for a session as well, which a late note never revives', async () => {
    const replica = await world.start()
    const person = await world.join(organization, 'viewer')
    await world.query(sql`update sessions set last_used_at = now() - interval '6 days' where user_id = ${person.id}`)
    await world.client(person.headers, replica.url).getMe()
    await world.query(sql`update sessions set last_used_at = now() - interval '8 days' where user_id = ${person.id}`)
    await replica.stop()
    expect((await refusal(person.client.getMe())).problem.detail).toContain('signed out')
  })
})
