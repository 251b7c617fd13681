import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createBrowser } from './browser.ts'
import { type Forgery, forge, type HostileProvider, newRsaKey, startHostileProvider } from './hostile-provider.ts'
import { type Handle, json } from './loopback.ts'
import { createWorld, sql, type World } from './world.ts'

const PUBLIC = 'http://localhost:3000'
let op: HostileProvider
let world: World
let email: string
beforeAll(async () => {
  op = await startHostileProvider()
  world = await createWorld({ identity: { google: op.client } })
  email = (await world.organization()).admin.email
})
beforeEach(async () => {
  op.behave()
  await world.query(sql`delete from identities`)
})
afterAll(async () => {
  await world.stop()
  await op.close()
})

/**
 * Where a browser lands that comes back from the provider with a code,
 * while the provider hands out this token for it.
 */
async function land(forged: (nonce: string) => string | undefined, more = '') {
  const browser = createBrowser(PUBLIC, world.url)
  const { next } = await browser.step('/v1/auth/google')
  const { state, nonce } = Object.fromEntries(next!.searchParams) as { state: string; nonce: string }
  op.issue(forged(nonce))
  const landing = await browser.visit(`/v1/auth/google/callback?code=abc&state=${state}${more}`)
  return { landing: landing.pathname + landing.search, signedIn: (await browser.request('/v1/me')).status === 200 }
}

/** An honest token but for the change. */
const token =
  (change: (claims: Record<string, unknown>) => Forgery) =>
  (nonce: string): string => {
    const claims = op.honest({ email, nonce })
    const forgery = change(claims)
    return forge({ key: op.key, claims, ...forgery })
  }
const claims = (more: Record<string, unknown>) => token((honest) => ({ claims: { ...honest, ...more } }))
const now = () => Math.floor(Date.now() / 1000)
const stranger = newRsaKey()
const publicPem = () => createPublicKey(op.key).export({ format: 'pem', type: 'spki' })

const attacks: Record<string, (nonce: string) => string | undefined> = {
  'alg none': token(() => ({ header: { alg: 'none' }, key: undefined })),
  'alg None, spelled otherwise': token(() => ({ header: { alg: 'None' }, key: undefined })),
  'alg none with a signature': token(() => ({ header: { alg: 'none' } })),
  'no signature': token(() => ({ key: undefined })),
  'HS256 with the public key as PEM': token(() => ({ header: { alg: 'HS256' }, secret: publicPem() })),
  'HS256 with the public key as JWK': token(() => ({
    header: { alg: 'HS256' },
    secret: JSON.stringify(createPublicKey(op.key).export({ format: 'jwk' })),
  })),
  'HS256 with the client secret': token(() => ({ header: { alg: 'HS256' }, secret: op.client.clientSecret })),
  'an unknown kid': token(() => ({ header: { kid: 'two' }, key: stranger })),
  'the right kid and another key': token(() => ({ key: stranger })),
  'a key that the token brings along': token(() => {
    const jwk = createPublicKey(stranger).export({ format: 'jwk' })
    return { header: { jwk, kid: undefined }, key: stranger }
  }),
  'an algorithm we did not choose': (nonce) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const text = forge({ header: { alg: 'ES256' }, claims: op.honest({ email, nonce }) }).slice(0, -1)
    return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
  },
  'claims changed after signing': (nonce) => {
    const [header, , signature] = forge({ key: op.key, claims: op.honest({ email: 'mallory@evil.example', nonce }) }).split('.')
    return [header, forge({ claims: op.honest({ email, nonce }) }).split('.')[1], signature].join('.')
  },
  'an unknown critical header': token(() => ({ header: { crit: ['b64'], b64: false } })),
  'another issuer': claims({ iss: 'https://accounts.google.com' }),
  'the issuer with a slash more': token((honest) => ({ claims: { ...honest, iss: `${honest.iss}/` } })),
  'another audience': claims({ aud: 'another-client' }),
  'two audiences without azp': claims({ aud: ['adjoin', 'another-client'] }),
  'two audiences and the azp of the other': claims({ aud: ['adjoin', 'another-client'], azp: 'another-client' }),
  'no audience': claims({ aud: undefined }),
  expired: token((honest) => ({ claims: { ...honest, iat: now() - 7200, exp: now() - 3600 } })),
  'no expiry': claims({ exp: undefined }),
  'an expiry that is text': claims({ exp: '9999999999' }),
  'issued in the future': token((honest) => ({ claims: { ...honest, iat: now() + 3600, exp: now() + 7200 } })),
  'valid only later': token((honest) => ({ claims: { ...honest, nbf: now() + 3600, exp: now() + 7200 } })),
  'no nonce': claims({ nonce: undefined }),
  'another nonce': claims({ nonce: 'x'.repeat(43) }),
  'a nonce that is a list': token((honest) => ({ claims: { ...honest, nonce: [honest.nonce] } })),
  'no subject': claims({ sub: undefined }),
  'a subject that is a number': claims({ sub: 7 }),
  'a subject with NUL': claims({ sub: 'victim\0' }),
  'no ID token at all': () => undefined,
  'five parts': (nonce) => `${forge({ key: op.key, claims: op.honest({ email, nonce }) })}.a.b`,
  'not a token': () => 'not-a-token',
}

describe('an ID token', () => {
  it('is taken when everything about it is right: what the attacks below are held against', async () => {
    expect(await land(claims({}))).toEqual({ landing: '/', signedIn: true })
  })

  it.each(Object.keys(attacks))('is refused: %s', async (name) => {
    expect(await land(attacks[name]!)).toEqual({ landing: '/error?code=identity_invalid', signedIn: false })
    expect(await world.query(sql`select from identities`)).toHaveLength(0)
  })

  it('is refused when the answer that holds it is larger than any could be', async () => {
    expect(await land(claims({ name: 'x'.repeat(400_000) }))).toMatchObject({
      landing: '/error?code=provider_unavailable',
      signedIn: false,
    })
  })

  it('brings a name into the account only as one clean line', async () => {
    const organization = await world.organization()
    const guest = `guest@${organization.domain}`
    await land(claims({ sub: 'other', email: guest, name: 'Eve\u202egnp.exe\r\nBcc: x' }))
    const [user] = await world.query(sql`select name from users where email = ${guest}`)
    expect(user).toEqual({ name: 'guest' })
  })
})

describe('the way back', () => {
  it('is refused when it names another issuer (mix-up), before the code is sent anywhere', async () => {
    const asked = op.received.length
    expect(await land(claims({}), '&iss=https%3A%2F%2Faccounts.google.com')).toEqual({
      landing: '/error?code=identity_invalid',
      signedIn: false,
    })
    expect(op.received.slice(asked).some(({ path }) => path === '/token')).toBe(false)
  })

  it('shows the provider’s words to nobody', async () => {
    const browser = createBrowser(PUBLIC, world.url)
    const { next } = await browser.step('/v1/auth/google')
    const state = next!.searchParams.get('state')
    const words = encodeURIComponent('<script>alert(1)</script>')
    const landing = await browser.visit(`/v1/auth/google/callback?error=server_error&error_description=${words}&state=${state}`)
    expect(landing.href).toBe(`${PUBLIC}/error?code=provider_unavailable`)
  })

  const faults: [string, Handle][] = [
    ['answers 500', json(500, { error: 'server_error' })],
    ['redirects', (_, response) => void response.writeHead(302, { location: 'http://169.254.169.254/' }).end()],
    ['answers with a page', (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hi</h1>')],
    ['hangs up', (_, response) => void response.destroy()],
  ]
  it.each(faults)('ends on the error page when the token endpoint %s', async (_, handle) => {
    const browser = createBrowser(PUBLIC, world.url)
    const { next } = await browser.step('/v1/auth/google')
    op.answers['/token'] = handle
    const landing = await browser.visit(`/v1/auth/google/callback?code=abc&state=${next!.searchParams.get('state')}`)
    expect(landing.href).toBe(`${PUBLIC}/error?code=provider_unavailable`)
  })

  const lastTrouble = () =>
    JSON.parse(world.log.lines.findLast((line) => line.includes('sign-in with an identity provider failed'))!) as Record<string, unknown>

  it('leaves in the log what an operator needs to mend it', async () => {
    const broken: [Handle, object][] = [
      [
        json(401, { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret canary.' }),
        { vendorError: 'invalid_client', vendorCode: 'AADSTS7000215', vendorStatus: 401 },
      ],
      [json(400, { error: 'a canary, in words' }), { vendorStatus: 400 }],
      [(_, response) => void response.writeHead(502, { 'content-type': 'text/html' }).end('canary'), { vendorStatus: 502 }],
    ]
    for (const [handle, expected] of broken) {
      const browser = createBrowser(PUBLIC, world.url)
      const { next } = await browser.step('/v1/auth/google')
      op.answers['/token'] = handle
      await browser.visit(`/v1/auth/google/callback?code=canary-code&state=${next!.searchParams.get('state')}`)
      const { level, time, msg, ...line } = lastTrouble()
      expect(line).toMatchObject({
        provider: 'google',
        step: 'exchange',
        operation: 'finishProviderSignIn',
        requestId: expect.any(String),
        ...expected,
      })
      expect([level, msg]).toEqual(['warn', 'sign-in with an identity provider failed'])
      expect(new Date(String(time)).getTime()).toBeGreaterThan(0)
      expect(JSON.stringify(line)).not.toContain('canary')
    }
    const browser = createBrowser(PUBLIC, world.url)
    const { next } = await browser.step('/v1/auth/google')
    const back = { error: 'unauthorized_client', error_description: 'canary', state: next!.searchParams.get('state')! }
    await browser.visit(`/v1/auth/google/callback?${new URLSearchParams(back)}`)
    expect(lastTrouble()).toMatchObject({ step: 'authorization', error: 'identity_invalid', vendorError: 'unauthorized_client' })
    await browser.visit(`/v1/auth/google/callback?${new URLSearchParams(back)}`)
    expect(lastTrouble()).toMatchObject({ step: 'state', error: 'state_invalid' })
  })

  it('says the same when the code is no good, and logs no token, code or secret', async () => {
    const browser = createBrowser(PUBLIC, world.url)
    const { next } = await browser.step('/v1/auth/google')
    op.answers['/token'] = json(400, { error: 'invalid_grant', error_description: 'canary-of-the-provider' })
    const landing = await browser.visit(`/v1/auth/google/callback?code=canary-code&state=${next!.searchParams.get('state')}`)
    expect(landing.href).toBe(`${PUBLIC}/error?code=identity_invalid`)
    const log = world.log.lines.join('')
    expect(lastTrouble()).toMatchObject({ step: 'exchange', error: 'identity_invalid', vendorError: 'invalid_grant', vendorStatus: 400 })
    expect(log).toContain('sign-in with an identity provider failed')
    for (const secret of ['canary', op.client.clientSecret, next!.searchParams.get('state')!]) expect(log).not.toContain(secret)
  })
})
