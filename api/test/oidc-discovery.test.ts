import { createPublicKey } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { readConfig } from '../src/config.ts'
import { createIdentity } from '../src/identity/index.ts'
import { DEFAULT_WAITS } from '../src/waits.ts'
import { createBrowser } from './browser.ts'
import { forge, type HostileProvider, newRsaKey, startHostileProvider } from './hostile-provider.ts'
import { type Handle, json } from './loopback.ts'
import { stopwatch } from './stopwatch.ts'
import { createWorld } from './world.ts'

const CALLBACK = 'http://localhost:3000/v1/auth/google/callback'
let op: HostileProvider
beforeAll(async () => {
  op = await startHostileProvider()
})
beforeEach(() => op.behave())
afterAll(() => op.close())

const identity = (environment: 'test' | 'production' = 'test') => createIdentity({ identity: { google: op.client }, environment })
const document = (more: Record<string, unknown>) => json(200, { ...op.metadata, ...more })

describe('a provider’s description of itself', () => {
  const faults: [string, Handle][] = [
    ['is a 500', json(500, {})],
    ['is a redirect', (_, response) => void response.writeHead(302, { location: `${op.metadata.issuer}/elsewhere` }).end()],
    ['is no JSON', (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer":')],
    ['is a page', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<html>')],
    ['is of another issuer', (...args) => document({ issuer: 'https://accounts.google.com' })(...args)],
    [
      'is endless',
      (_, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(`{"x":"${'x'.repeat(400_000)}"}`),
    ],
    ['sends people to a script', (...args) => document({ authorization_endpoint: 'javascript:alert(1)' })(...args)],
    ['sends people nowhere', (...args) => document({ authorization_endpoint: undefined })(...args)],
  ]
  it.each(faults)('that %s makes the sign-in fail, closed', async (_, handle) => {
    op.answers['/.well-known/openid-configuration'] = handle
    expect(await identity().begin('google', CALLBACK, undefined)).toMatchObject({ failed: 'provider_unavailable' })
  })

  it('that never comes ends the wait after five seconds, for the page and for its callback', async () => {
    op.answers['/.well-known/openid-configuration'] = () => {}
    const world = await createWorld({ identity: { google: op.client } }, { waits: { identity: DEFAULT_WAITS.identity } })
    const time = stopwatch()
    const landing = await createBrowser('http://localhost:3000', world.url).visit('/v1/auth/google')
    expect(landing.href).toBe('http://localhost:3000/error?code=provider_unavailable')
    expect(time()).toBeLessThan(15_000)
    const line = world.log.lines.findLast((one) => one.includes('sign-in with an identity provider failed'))!
    expect(JSON.parse(line)).toMatchObject({ provider: 'google', step: 'discovery', error: 'provider_unavailable', why: 'OAUTH_TIMEOUT' })
    await world.stop()
  })

  it('is read once for many visitors, and a failure is not asked for again by each of them', async () => {
    const count = () => op.received.filter(({ path }) => path.endsWith('openid-configuration')).length
    const before = count()
    const good = identity()
    await Promise.all(Array.from({ length: 20 }, () => good.begin('google', CALLBACK, undefined)))
    expect(count() - before).toBe(1)
    op.answers['/.well-known/openid-configuration'] = json(500, {})
    const bad = identity()
    const begin = () => bad.begin('google', CALLBACK, undefined)
    await begin()
    await Promise.all(Array.from({ length: 19 }, begin))
    // Once more at most, where the machine stood still for the seconds that a failure is remembered.
    expect(count() - before).toBeLessThanOrEqual(3)
  })

  it('over http is read from this machine only, and never in production', async () => {
    expect(await identity('production').begin('google', CALLBACK, undefined)).toMatchObject({ failed: 'provider_unavailable' })
    const env = { GOOGLE_CLIENT_ID: 'a', GOOGLE_CLIENT_SECRET: 'b' }
    expect(readConfig({ ...env, GOOGLE_ISSUER: 'http://127.0.0.1:9' }).identity.google!.issuer).toBe('http://127.0.0.1:9')
    for (const issuer of ['http://accounts.google.com', 'http://127.0.0.1.evil.example', 'ftp://x', 'accounts.google.com'])
      expect(() => readConfig({ ...env, GOOGLE_ISSUER: issuer })).toThrow('GOOGLE_ISSUER must be the https address of an issuer')
    expect(() => readConfig({ ...env, NODE_ENV: 'production', GOOGLE_ISSUER: 'http://127.0.0.1:9' })).toThrow('GOOGLE_ISSUER')
  })

  it('cannot weaken what we check: `none` and HS256 stay refused when it offers them', async () => {
    op.answers['/.well-known/openid-configuration'] = document({ id_token_signing_alg_values_supported: ['none', 'HS256', 'RS256'] })
    for (const forgery of [{ header: { alg: 'none' } }, { header: { alg: 'HS256' }, secret: op.client.clientSecret }]) {
      const one = identity()
      const begun = await one.begin('google', CALLBACK, undefined)
      if ('failed' in begun) throw new Error(begun.why)
      const { state, nonce } = begun.visit
      op.issue(forge({ ...forgery, claims: op.honest({ nonce }) }))
      const callback = new URL(`${CALLBACK}?code=a&state=${state}`)
      expect(await one.finish('google', callback, begun.visit)).toMatchObject({ failed: 'identity_invalid' })
    }
  })

  it('whose keys redirect elsewhere proves nothing', async () => {
    const one = identity()
    const begun = await one.begin('google', CALLBACK, undefined)
    if ('failed' in begun) throw new Error(begun.why)
    op.answers['/jwks'] = (_, response) => void response.writeHead(302, { location: `${op.metadata.issuer}/other-keys` }).end()
    op.answers['/other-keys'] = json(200, { keys: [] })
    op.issue(forge({ key: op.key, claims: op.honest({ nonce: begun.visit.nonce }) }))
    const callback = new URL(`${CALLBACK}?code=a&state=${begun.visit.state}`)
    expect(await one.finish('google', callback, begun.visit)).toMatchObject({ failed: 'provider_unavailable' })
    expect(op.received.some(({ path }) => path === '/other-keys')).toBe(false)
  })
})

describe('a connection that the provider closes without an answer', () => {
  const closing = (times: number, then: Handle): Handle => {
    let left = times
    return (received, response, request) => (left-- > 0 ? void request.socket.destroy() : then(received, response, request))
  }
  async function signIn(path: string, times: number) {
    const one = identity()
    const trouble = () => {
      op.answers[path] = closing(times, op.answers[path]!)
    }
    if (path !== '/token') trouble()
    const begun = await one.begin('google', CALLBACK, undefined)
    if ('failed' in begun) return begun
    op.issue(forge({ key: op.key, claims: op.honest({ nonce: begun.visit.nonce }) }))
    if (path === '/token') trouble()
    return one.finish('google', new URL(`${CALLBACK}?code=a&state=${begun.visit.state}`), begun.visit)
  }
  const paths = ['/.well-known/openid-configuration', '/token', '/jwks']

  it.each(paths)('is replaced, as %s is asked for again: it may have been an old one that nobody had used', async (path) => {
    expect(await signIn(path, 1)).toMatchObject({ account: { subject: 'victim' } })
  })
  it.each(paths)('is replaced once only: asked twice for %s, it is not there', async (path) => {
    const before = op.received.length
    expect(await signIn(path, 2)).toMatchObject({ failed: 'provider_unavailable' })
    expect(op.received.slice(before).filter((one) => one.path === path)).toHaveLength(2)
  })
})

describe('Microsoft’s endpoint for all tenants', () => {
  const HOST = 'https://login.microsoftonline.com'
  const TENANT = '11111111-2222-4333-8444-555555555555'
  const OTHER = '99999999-2222-4333-8444-555555555555'
  const key = newRsaKey()

  /** Answers for the real host, so that its special rule about issuers is the one that is tested. */
  async function finish(claims: Record<string, unknown>) {
    let token = ''
    const answers: Record<string, unknown> = {
      '/common/v2.0/.well-known/openid-configuration': {
        ...op.metadata,
        issuer: `${HOST}/{tenantid}/v2.0`,
        authorization_endpoint: `${HOST}/common/oauth2/v2.0/authorize`,
        token_endpoint: `${HOST}/common/oauth2/v2.0/token`,
        jwks_uri: `${HOST}/common/discovery/v2.0/keys`,
      },
      '/common/discovery/v2.0/keys': { keys: [{ ...createPublicKey(key).export({ format: 'jwk' }), kid: 'one', use: 'sig' }] },
    }
    const microsoft = createIdentity(
      {
        identity: { microsoft: { clientId: 'adjoin', clientSecret: 's', issuer: `${HOST}/common/v2.0` } },
        environment: 'production',
      },
      async (url) => {
        const { origin, pathname } = new URL(url)
        if (origin !== HOST) throw new Error(`${url} was asked`)
        return Response.json(pathname.endsWith('/token') ? { access_token: 'a', token_type: 'Bearer', id_token: token } : answers[pathname])
      },
    )
    const begun = await microsoft.begin('microsoft', CALLBACK, undefined)
    if ('failed' in begun) throw new Error(begun.why)
    token = forge({ key, claims: { ...op.honest({ nonce: begun.visit.nonce }), oid: TENANT, tid: TENANT, ...claims } })
    return microsoft.finish('microsoft', new URL(`${CALLBACK}?code=a&state=${begun.visit.state}`), begun.visit)
  }

  it('names the issuer of the person’s own tenant, and that is the one we demand', async () => {
    expect(await finish({ iss: `${HOST}/${TENANT}/v2.0` })).toMatchObject({
      account: { issuer: `${HOST}/${TENANT}/v2.0`, subject: `${TENANT}/${TENANT}`, emailProved: false },
    })
  })

  it.each([
    ['another tenant’s issuer', { iss: `${HOST}/${OTHER}/v2.0` }],
    ['the template itself', { iss: `${HOST}/{tenantid}/v2.0` }],
    ['the template itself, without a tenant', { iss: `${HOST}/{tenantid}/v2.0`, tid: undefined }],
    ['the endpoint’s own address', { iss: `${HOST}/common/v2.0` }],
    ['another host', { iss: `https://sts.windows.net/${TENANT}/` }],
    ['a tenant that is no id', { iss: `${HOST}/evil/v2.0`, tid: 'evil' }],
    ['a tenant in another spelling', { iss: `${HOST}/${TENANT.toUpperCase()}X/v2.0`, tid: `${TENANT.toUpperCase()}X` }],
  ])('refuses %s', async (_, claims) => {
    expect(await finish(claims)).toMatchObject({ failed: 'identity_invalid' })
  })
})
