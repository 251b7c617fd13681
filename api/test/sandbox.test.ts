import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSandbox, plays, type Sandbox } from '../src/sandbox/index.ts'
import { oauthRoutes } from '../src/sandbox/oauth.ts'
import { createTokenIssuer } from '../src/sandbox/tokens.ts'

let sandbox: Sandbox
let url = ''
let time = Date.parse('2026-01-05T12:00:00Z')
let close: () => Promise<void>
beforeAll(async () => {
  sandbox = createSandbox({ secret: 'one', environment: 'test', clock: () => time })
  ;({ url, close } = await sandbox.listen())
})
afterAll(() => close())

const authorize = (query: Record<string, string>) =>
  fetch(`${url}/sandbox/google_ads/accounts.google.com/o/oauth2/v2/auth?${new URLSearchParams(query)}`, { redirect: 'manual' })
const asked = { client_id: 'c', redirect_uri: 'http://localhost:3000/back', scope: 'one two', state: 's&"<x>' }
const token = async (form: Record<string, string>, base = url) => {
  const answer = await fetch(`${base}/sandbox/google_ads/oauth2.googleapis.com/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'c', client_secret: 's', ...form }),
  })
  return { status: answer.status, body: (await answer.json()) as Record<string, string> }
}
const accounts = (access: string, base = url) =>
  fetch(`${base}/sandbox/google_ads/googleads.googleapis.com/v25/customers:listAccessibleCustomers`, {
    headers: { authorization: `Bearer ${access}`, 'developer-token': 'd' },
  })

describe('the sandbox', () => {
  it('does not start in production', () => {
    expect(() => createSandbox({ secret: 'x', environment: 'production' })).toThrow('does not run in production')
  })

  it('knows its own systems and calls only', async () => {
    for (const path of [
      '/',
      '/sandbox',
      '/sandbox/nobody/host/path',
      '/sandbox/xandr/api.appnexus.com/other',
      '/sandbox/xandr/evil.example/auth',
      '/sandbox/xandr/',
    ])
      expect((await fetch(url + path)).status, path).toBe(404)
  })

  it('takes no large bodies', async () => {
    expect((await fetch(`${url}/sandbox/xandr/api.appnexus.com/auth`, { method: 'POST', body: 'x'.repeat(70_000) })).status).toBe(413)
  })
})

describe('its consent page', () => {
  it('says what it is, offers every choice, runs no script and cannot be framed', async () => {
    const answer = await authorize({ ...asked, scope: '<script>alert(1)</script> two' })
    const page = await answer.text()
    expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(page).toContain('<strong>Sandbox.</strong>')
    expect(page).toContain('<html lang="en">')
    expect(page).not.toContain('<script')
    for (const decision of ['deny', ...plays.filter((play) => play !== 'garble')]) expect(page).toContain(`decision=${decision}"`)
  })

  it('brings state back untouched, whatever it holds', async () => {
    for (const decision of ['allow', 'deny']) {
      const location = new URL((await authorize({ ...asked, decision })).headers.get('location') ?? '')
      expect(location.searchParams.get('state')).toBe(asked.state)
    }
  })

  it.each(['', 'javascript:alert(1)', '/relative', 'data:text/html,x'])('sends no one to %j', async (redirect_uri) => {
    expect((await authorize({ ...asked, redirect_uri, decision: 'allow' })).status).toBe(400)
  })
})

describe('its tokens', () => {
  it('are good for another replica and after a restart with the same secret, and for no other sandbox or kind', async () => {
    const access = sandbox.mint('google_ads', 'access')
    const [same, other] = await Promise.all(['one', 'two'].map((secret) => createSandbox({ secret, environment: 'test' }).listen()))
    expect((await accounts(access, same!.url)).status).toBe(200)
    expect((await accounts(access, other!.url)).status).toBe(401)
    expect((await accounts(sandbox.mint('google_ads', 'refresh'))).status).toBe(401)
    expect((await accounts(sandbox.mint('xandr', 'access'))).status).toBe(401)
    await Promise.all([same!.close(), other!.close()])
  })

  it('cannot be altered', async () => {
    const access = sandbox.mint('google_ads', 'access')
    const start = access.indexOf('_') + 1
    for (let position = start; position < access.length; position += 7) {
      const altered = access.slice(0, position) + (access[position] === 'A' ? 'B' : 'A') + access.slice(position + 1)
      // The last character of a signature carries bits that do not count.
      if (position !== access.length - 1) expect((await accounts(altered)).status, String(position)).toBe(401)
    }
  })

  it('expire', async () => {
    const access = sandbox.mint('google_ads', 'access', { expires: time + 1000 })
    expect((await accounts(access)).status).toBe(200)
    time += 2000
    expect((await accounts(access)).status).toBe(401)
  })

  it('come for a code once, to the address and the verifier it was asked with', async () => {
    // The challenge to the verifier of RFC 7636, appendix B.
    const pkce = { code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' }
    const location = new URL((await authorize({ ...asked, ...pkce, decision: 'allow' })).headers.get('location') ?? '')
    const form = { grant_type: 'authorization_code', code: location.searchParams.get('code') ?? '', redirect_uri: asked.redirect_uri }
    const code_verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk'
    expect(await token({ ...form, code_verifier: 'another' })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await token({ ...form, code_verifier, redirect_uri: 'http://localhost:3000/other' })).toMatchObject({ status: 400 })
    expect(await token({ ...form, code_verifier, client_secret: 'refuse' })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    })
    expect(await token({ ...form, code_verifier })).toMatchObject({ status: 200, body: { token_type: 'Bearer' } })
    expect(await token({ ...form, code_verifier })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  it('are spent by a refresh where the system rotates them', () => {
    const routes = oauthRoutes({
      system: 'Rotating',
      authorize: 'GET x/authorize',
      token: 'POST x/token',
      accessSeconds: 60,
      refreshSeconds: 600,
      rotates: true,
      clientAuth: 'basic',
    })
    const issuer = createTokenIssuer('rotating', { wrap: {}, routes }, 'secret', () => time)
    const refresh = (refresh_token: string, authorization = `Basic ${Buffer.from('id:pass').toString('base64')}`) => {
      const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token })
      const reply = routes['POST x/token']?.(
        {
          method: 'POST',
          host: 'x',
          path: '/token',
          parameters: {},
          query: form,
          headers: { authorization },
          text: '',
          form,
          json: undefined,
        },
        issuer,
      )
      return { status: reply?.status, body: JSON.parse(reply?.body ?? '') as Record<string, string> }
    }
    const first = issuer.mint('refresh', { scopes: ['a', 'b'] })
    expect(refresh(first, 'Basic').status).toBe(401)
    const { body } = refresh(first)
    expect(body).toMatchObject({ expires_in: 60, scope: 'a b', refresh_token: expect.not.stringMatching(first) })
    expect(refresh(first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(refresh(body.refresh_token ?? '').status).toBe(200)
  })

  it('end together when the access is withdrawn', async () => {
    const refresh_token = sandbox.mint('google_ads', 'refresh', { grant: 'g' })
    const access = sandbox.mint('google_ads', 'access', { grant: 'g' })
    sandbox.revoke('google_ads', refresh_token)
    expect((await accounts(access)).status).toBe(401)
    expect(await token({ grant_type: 'refresh_token', refresh_token })).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })
})
