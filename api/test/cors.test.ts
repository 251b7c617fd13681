import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, request, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ trustedOrigins: ['https://app.agency.example'] })
})
afterAll(() => world.stop())

const TRUSTED = ['http://localhost:3000', 'http://127.0.0.1:3000', 'http://[::1]:3000', 'https://app.agency.example']
const STRANGERS = [
  'https://evil.example',
  'null',
  'https://app.agency.example.evil.example',
  'https://evil-app.agency.example',
  'http://app.agency.example',
  'https://app.agency.example:8443',
  'https://APP.agency.example',
  'https://app.agency.example/',
  'http://localhost:3001',
  'http://localhost.evil.example:3000',
]
const preflight = (origin: string, path = '/v1/me') =>
  request(`${world.url}${path}`, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'PATCH', 'access-control-request-headers': 'content-type' },
  })

describe('another origin', () => {
  it.each(TRUSTED)('%s may call with credentials', async (origin) => {
    const asked = await preflight(origin)
    expect(asked.status).toBe(204)
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-allow-methods': 'GET, HEAD, PATCH',
      'access-control-allow-headers': expect.stringContaining('idempotency-key'),
      vary: expect.stringContaining('Origin'),
    })
    const answer = await request(`${world.url}/v1/me`, { headers: { origin } })
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin)
    expect(answer.headers.get('access-control-expose-headers')).toContain('Retry-After')
  })

  it.each(STRANGERS)('%s may not', async (origin) => {
    for (const answer of [
      await preflight(origin),
      await request(`${world.url}/v1/me`, { headers: { origin } }),
      await request(`${world.url}/version`, { headers: { origin } }),
    ]) {
      expect([...answer.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
      expect(answer.headers.get('vary')).toContain('Origin')
    }
  })

  it('gets no grant on a path that does not exist', async () => {
    expect((await preflight(TRUSTED[0]!, '/v1/nowhere')).status).toBe(404)
  })
})

describe('a change by cookie', () => {
  const rename = async (headers: Record<string, string>) => {
    const { admin } = await world.organization()
    const cookie = `adjoin_session=${admin.token}`
    return request(`${world.url}/v1/me`, {
      method: 'PATCH',
      body: '{"name":"Ada"}',
      headers: { cookie, 'content-type': 'application/json', ...headers },
    })
  }

  it.each([...TRUSTED.map((origin): Record<string, string> => ({ origin })), { 'sec-fetch-site': 'same-origin' }])(
    'from %j is taken',
    async (headers) => {
      expect((await rename(headers)).status).toBe(200)
    },
  )

  it.each([
    {},
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    ...STRANGERS.map((origin) => ({ origin, 'sec-fetch-site': 'same-origin' })),
  ] as Record<string, string>[])('from %j is refused', async (headers) => {
    const answer = await rename(headers)
    expect(answer.status).toBe(401)
    expect(answer.json().code).toBe('origin_refused')
  })
})

describe('every answer', () => {
  it.each([
    ['GET', '/v1/me'],
    ['GET', '/health'],
    ['GET', '/version'],
    ['GET', '/openapi.json'],
    ['POST', '/v1/signup'],
    ['PUT', '/v1/me'],
    ['GET', '/nowhere'],
    ['GET', '/%ff'],
    ['OPTIONS', '/v1/me'],
  ])('to %s %s keeps browsers from guessing, framing, caching and telling', async (method, path) => {
    const { headers } = await request(`${world.url}${path}`, { method })
    expect(Object.fromEntries(headers)).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      // The same for everyone: it may be kept, and is asked about.
      'cache-control': path === '/openapi.json' ? 'no-cache' : 'no-store',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    })
    expect(headers.get('server')).toBeNull()
    expect(headers.get('x-powered-by')).toBeNull()
  })

  it('on https insists on https from then on', async () => {
    const secure = await world.replica({ publicUrl: 'https://adjoin.example' })
    expect((await request(`${secure.url}/version`)).headers.get('strict-transport-security')).toMatch(/max-age=\d{8}/)
    expect((await request(`${world.url}/version`)).headers.get('strict-transport-security')).toBeNull()
  })
})
