import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Browser, createBrowser } from './browser.ts'
import { type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts'
import { createWorld, request, sql, type World } from './world.ts'

const PUBLIC = 'http://localhost:3000'
const REFUSED = `${PUBLIC}/error?code=state_invalid`
let google: OpenIdProvider
let microsoft: OpenIdProvider
let world: World
let email: string
beforeAll(async () => {
  google = await startOpenIdProvider(`${PUBLIC}/v1/auth/google/callback`)
  microsoft = await startOpenIdProvider(`${PUBLIC}/v1/auth/microsoft/callback`)
  world = await createWorld({ identity: { google: google.client, microsoft: microsoft.client } })
  email = (await world.organization()).admin.email
  google.next = { sub: 'ada', email, email_verified: true }
})
afterAll(async () => {
  await world.stop()
  await Promise.all([google.close(), microsoft.close()])
})

const browser = (url = world.url) => createBrowser(PUBLIC, url)
const backFromGoogle = (of: Browser) => of.visit('/v1/auth/google', (url) => url.pathname.endsWith('/callback'))
const changed = (url: URL, change: (parameters: URLSearchParams) => void) => {
  const other = new URL(url)
  change(other.searchParams)
  return other
}
const signedIn = async (of: Browser) => (await of.request('/v1/me')).status === 200
const COOKIE = 'adjoin_oidc_google'

describe('the state of a sign-in', () => {
  it('is needed: missing, wrong, empty and doubled ones are refused', async () => {
    const one = browser()
    const back = await backFromGoogle(one)
    for (const other of [
      changed(back, (p) => p.delete('state')),
      changed(back, (p) => p.set('state', 'x'.repeat(43))),
      changed(back, (p) => p.set('state', '')),
    ])
      expect((await one.visit(other)).href).toBe(REFUSED)
    const doubled = await one.request(changed(back, (p) => p.append('state', p.get('state')!)))
    expect(doubled.status).toBe(400)
    expect(await signedIn(one)).toBe(false)
    // None of them has spent it.
    expect((await one.visit(back)).href).toBe(`${PUBLIC}/`)
  })

  it('works once: a replay is refused, also with the cookie put back', async () => {
    const one = browser()
    const back = await backFromGoogle(one)
    const cookie = one.cookies().get(COOKIE)!
    expect((await one.visit(back)).href).toBe(`${PUBLIC}/`)
    expect(one.cookies().has(COOKIE)).toBe(false)
    const again = browser()
    again.cookies().set(COOKIE, cookie)
    expect((await again.visit(back)).href).toBe(REFUSED)
    expect(await signedIn(again)).toBe(false)
  })

  it('is spent even when what follows fails', async () => {
    const one = browser()
    const back = await backFromGoogle(one)
    const cookie = one.cookies().get(COOKIE)!
    const bad = changed(back, (p) => p.set('code', 'not-a-code'))
    expect((await one.visit(bad)).href).toBe(`${PUBLIC}/error?code=identity_invalid`)
    one.cookies().set(COOKIE, cookie)
    expect((await one.visit(back)).href).toBe(REFUSED)
  })

  it('belongs to one browser: another one that is handed the callback is refused', async () => {
    const victim = browser()
    expect((await victim.visit(await backFromGoogle(browser()))).href).toBe(REFUSED)
    // Nor does a sign-in of its own help: the state must be that one's.
    await backFromGoogle(victim)
    expect((await victim.visit(await backFromGoogle(browser()))).href).toBe(REFUSED)
    expect(await signedIn(victim)).toBe(false)
  })

  it('belongs to one provider: neither its callback nor its cookie works for the other', async () => {
    const one = browser()
    const back = await backFromGoogle(one)
    const crossed = new URL(back.href.replace('/google/', '/microsoft/'))
    expect((await one.visit(crossed)).href).toBe(REFUSED)
    one.cookies().set('adjoin_oidc_microsoft', one.cookies().get(COOKIE)!)
    expect((await one.visit(crossed)).href).toBe(REFUSED)
    expect(await signedIn(one)).toBe(false)
  })

  it('lives ten minutes by the database’s clock', async () => {
    const { vault } = world.app.parts
    const one = browser()
    const back = await backFromGoogle(one)
    const binding = ['sign-in state', 'google']
    const state = JSON.parse(vault.open(one.cookies().get(COOKIE)!, binding))
    const [clock] = await world.query<{ left: number }>(
      sql`select extract(epoch from ${state.expiresAt}::timestamptz - now())::float as left`,
    )
    expect(clock!.left).toBeGreaterThan(300)
    expect(clock!.left).toBeLessThanOrEqual(600)
    one.cookies().set(COOKIE, vault.seal(JSON.stringify({ ...state, expiresAt: new Date(Date.now() - 1000).toISOString() }), binding))
    expect((await one.visit(back)).href).toBe(REFUSED)
  })

  it('cannot be changed: one flipped character anywhere is refused', async () => {
    const one = browser()
    const back = await backFromGoogle(one)
    const cookie = one.cookies().get(COOKIE)!
    for (let at = 0; at < cookie.length; at += 7) {
      const flipped = cookie[at] === 'A' ? 'B' : 'A'
      one.cookies().set(COOKIE, cookie.slice(0, at) + flipped + cookie.slice(at + 1))
      expect((await one.visit(back)).href).toBe(REFUSED)
      await world.query(sql`delete from limits`) // nobody may try as often
    }
    for (const cut of [cookie.slice(0, -1), cookie.slice(0, 20), `${cookie}A`, 'v1.test1.', '..', '%00']) {
      one.cookies().set(COOKIE, cut)
      expect((await one.visit(back)).href).toBe(REFUSED)
    }
  })

  it('has one winner when a callback arrives a hundred times at once over three replicas', async () => {
    const replicas = [world.app, await world.replica(), await world.replica()]
    const one = browser()
    const back = await backFromGoogle(one)
    const cookie = `${COOKIE}=${one.cookies().get(COOKIE)}`
    const before = await world.query(sql`select from sessions`)
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, i) => request(`${replicas[i % 3]!.url}${back.pathname}${back.search}`, { headers: { cookie } })),
    )
    const landings = answers.map(({ headers }) => headers.get('location'))
    expect(landings.filter((landing) => landing === `${PUBLIC}/`)).toHaveLength(1)
    expect(landings.filter((landing) => landing === REFUSED)).toHaveLength(99)
    expect(await world.query(sql`select from sessions`)).toHaveLength(before.length + 1)
  })

  it('is looked at by GET alone: a HEAD of the callback spends nothing', async () => {
    const one = browser()
    const back = await backFromGoogle(one)
    for (let i = 0; i < 50; i++) await one.request(back, { method: 'HEAD', headers: { purpose: 'prefetch' } })
    expect(await signedIn(one)).toBe(false)
    expect((await one.visit(back)).href).toBe(`${PUBLIC}/`)
  })
})

describe('where a sign-in lands', () => {
  it('is decided again at the end: an origin that is trusted no more is not used', async () => {
    const trusting = await world.replica({ trustedOrigins: ['https://app.example'] })
    const one = browser(trusting.url)
    const back = await one.visit('/v1/auth/google?callbackURL=https%3A%2F%2Fapp.example%2Fin', (url) => url.pathname.endsWith('/callback'))
    const cookie = `${COOKIE}=${one.cookies().get(COOKIE)}`
    const answer = await request(`${world.url}${back.pathname}${back.search}`, { headers: { cookie } })
    expect(answer.headers.get('location')).toBe(`${PUBLIC}/`)
  })

  it('is refused at the start where the origin is not ours, before anything is sent anywhere', async () => {
    for (const callbackURL of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
      const answer = await browser().step(`/v1/auth/google?callbackURL=${encodeURIComponent(callbackURL)}`)
      expect(answer.status).toBe(400)
      expect(JSON.parse(answer.text)).toMatchObject({ code: 'untrusted_url', errors: [{ path: 'callbackURL' }] })
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    const long = await browser().step(`/v1/auth/google?callbackURL=/${encodeURIComponent('ü'.repeat(600))}`)
    expect(JSON.parse(long.text)).toMatchObject({ status: 400, errors: [{ path: 'callbackURL' }] })
  })

  it('is reached with closed cookies on https: a host cookie that neither scripts nor other hosts can set', async () => {
    const secure = await createWorld({ identity: { google: google.client }, publicUrl: 'https://adjoin.example' })
    const { headers } = await request(`${secure.url}/v1/auth/google`)
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-adjoin_oidc_google=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600; Secure$/)
    expect(new URL(headers.get('location')!).searchParams.get('redirect_uri')).toBe('https://adjoin.example/v1/auth/google/callback')
    await secure.stop()
  })

  it('never depends on the host a request names', async () => {
    const { headers } = await request(`${world.url}/v1/auth/google`, {
      headers: { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' },
    })
    expect(new URL(headers.get('location')!).searchParams.get('redirect_uri')).toBe(`${PUBLIC}/v1/auth/google/callback`)
  })
})
