import { accessOf, isChange, type OperationId, operationIds, route } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, request, sql, type TestPerson, type World } from './world.ts'

const OWN = 'http://localhost:3000'
let world: World
let person: TestPerson
let changer: TestPerson
beforeAll(async () => {
  world = await createWorld({ trustedOrigins: ['https://trusted.com'] })
  person = (await world.organization()).admin
  changer = (await world.organization()).admin
})
afterAll(() => world.stop())

/**
 * Every change that a person can make, with names that exist nowhere:
 * what gets past the guard ends in 400 or 404.
 */
const changes = operationIds.filter((id) => isChange(id) && (accessOf(id)?.session ?? '-') !== '-')
const NOTHING = '00000000-0000-4000-8000-000000000000'
const pathOf = (id: OperationId) => route(id)[1].replace(/\{(\w+)\}/g, (_, name) => (/slug$/i.test(name) ? 'nowhere' : NOTHING))

/** A session for each: signing out is among the changes, and would work. */
const withSession = async () => (await world.signIn(changer.id, changer.email, changer.name)).token
const send = async (id: OperationId, headers: Record<string, string>) =>
  request(`${world.url}${pathOf(id)}`, { method: route(id)[0], headers })
const byCookie = async (id: OperationId, headers: Record<string, string>) =>
  send(id, { cookie: `adjoin_session=${await withSession()}`, ...headers })

const foreign: [string, Record<string, string>][] = [
  ['no Origin at all', {}],
  ['a foreign Origin', { origin: 'https://evil.example' }],
  ['the Origin null', { origin: 'null' }],
  ['our host on another port', { origin: 'http://localhost:3001' }],
  ['our host on https', { origin: 'https://localhost:3000' }],
  ['a host that begins like a trusted one', { origin: 'https://trusted.com.evil.example' }],
  ['a host that ends like a trusted one', { origin: 'https://eviltrusted.com' }],
  ['the http twin of a trusted one', { origin: 'http://trusted.com' }],
  ['Sec-Fetch-Site cross-site', { 'sec-fetch-site': 'cross-site' }],
  ['Sec-Fetch-Site same-site', { 'sec-fetch-site': 'same-site' }],
  ['Sec-Fetch-Site none', { 'sec-fetch-site': 'none' }],
  ['a foreign Origin that claims to be same-origin', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
  ['a Referer of ours instead', { referer: `${OWN}/account` }],
]

describe('a change with the session cookie', () => {
  it.each(foreign)('is refused on every operation: %s', async (_, headers) => {
    expect(changes.length).toBeGreaterThan(30)
    for (const id of changes) {
      const answer = await byCookie(id, headers)
      expect([id, answer.status, answer.json().code]).toEqual([id, 401, 'origin_refused'])
    }
  })

  it.each([
    ['our own Origin', { origin: OWN }],
    ['a trusted Origin', { origin: 'https://trusted.com' }],
    ['our own page, as the browser itself says', { 'sec-fetch-site': 'same-origin' }],
    ['loopback in another spelling, in development', { origin: 'http://127.0.0.1:3000' }],
  ])('gets past the guard from %s', async (_, headers) => {
    for (const id of changes) expect([id, (await byCookie(id, headers)).text.includes('origin_refused')]).toEqual([id, false])
  })

  it('is needed for no bearer and no key: no browser sends those by itself', async () => {
    const key = await world.key(await world.organization(), { level: 'organization', role: 'admin' })
    for (const id of changes) {
      const bearer = await send(id, { authorization: `Bearer ${await withSession()}`, origin: 'https://evil.example' })
      const byKey = await send(id, { 'x-api-key': key.key, origin: 'https://evil.example' })
      for (const answer of [bearer, byKey]) expect([id, answer.text.includes('origin_refused')]).toEqual([id, false])
    }
  })

  it.each(['text/plain', 'multipart/form-data; boundary=x', 'application/x-www-form-urlencoded', 'application/json+x'])(
    'in the body of a form (%s) is refused even from our own page',
    async (type) => {
      const answer = await request(`${world.url}/v1/me`, {
        method: 'PATCH',
        body: '{"name":"Mallory"}',
        headers: { cookie: `adjoin_session=${person.token}`, origin: OWN, 'content-type': type },
      })
      expect(answer.status).toBe(415)
    },
  )

  it('cannot be smuggled in as a GET, nor by a header that names another method', async () => {
    const before = await world.query(sql`select name from users where id = ${person.id}`)
    const headers = { cookie: `adjoin_session=${person.token}` }
    for (const override of ['x-http-method-override', 'x-method-override', 'x-http-method'])
      for (const method of ['GET', 'POST']) {
        const answer = await request(`${world.url}/v1/me?_method=PATCH`, {
          method,
          headers: { ...headers, origin: OWN, [override]: 'PATCH' },
        })
        expect([400, 405]).toContain(answer.status)
      }
    for (const path of ['/v1/auth/sign-out', '/v1/auth/sign-out-everywhere'])
      for (const method of ['GET', 'HEAD']) await request(`${world.url}${path}`, { method, headers })
    expect(await world.query(sql`select name from users where id = ${person.id}`)).toEqual(before)
    expect((await person.client.getMe()).id).toBe(person.id)
  })

  it('that would set the cookie is refused from a foreign page, and allowed without an Origin', async () => {
    for (const path of ['magic-link/verify', 'device/token']) {
      const body = path === 'device/token' ? { deviceCode: 'x' } : { token: 'x' }
      const post = (headers: Record<string, string>) =>
        request(`${world.url}/v1/auth/${path}`, {
          method: 'POST',
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json', ...headers },
        })
      for (const origin of ['https://evil.example', 'null']) expect((await post({ origin })).json().code).toBe('origin_refused')
      expect((await post({})).json().code).not.toBe('origin_refused')
    }
  })
})

describe('a page of another origin', () => {
  const preflight = (origin: string) =>
    request(`${world.url}/v1/me`, { method: 'OPTIONS', headers: { origin, 'access-control-request-method': 'PATCH' } })

  it.each(['https://trusted.com', OWN])('may read and change with credentials if it is %s', async (origin) => {
    const { status, headers } = await preflight(origin)
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-origin')).toBe(origin)
    expect(headers.get('access-control-allow-credentials')).toBe('true')
    expect(headers.get('access-control-allow-methods')).toContain('PATCH')
    const answer = await request(`${world.url}/v1/me`, { headers: { origin, authorization: `Bearer ${person.token}` } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
  })

  it.each([
    'https://evil-trusted.com',
    'https://trusted.com.evil',
    'https://trusted.com:8443',
    'http://trusted.com',
    'https://TRUSTED.com.',
    'https://sub.trusted.com',
    'null',
    'file://',
    '*',
    'https://trusted.com/',
    'https://trusted.com, https://evil.example',
  ])('gets no word of it if it is %s', async (origin) => {
    const answers = [
      await preflight(origin),
      await request(`${world.url}/v1/me`, { headers: { origin, authorization: `Bearer ${person.token}` } }),
    ]
    for (const { headers } of answers) {
      expect(headers.get('access-control-allow-origin')).toBeNull()
      expect(headers.get('access-control-allow-credentials')).toBeNull()
      expect(headers.get('vary')).toContain('Origin')
    }
  })

  it('finds nothing of mine in any cache: every answer says no-store', async () => {
    for (const path of ['/v1/me', '/v1/me/sessions', '/v1/auth/session', '/v1/organizations', '/v1/nothing'])
      for (const headers of [{}, { authorization: `Bearer ${person.token}` }])
        expect((await request(`${world.url}${path}`, { headers })).headers.get('cache-control')).toBe('no-store')
  })
})
