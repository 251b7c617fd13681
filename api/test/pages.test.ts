import { createClient } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../furnishing/free-port.ts'
import { startApp } from '../src/app.ts'
import { clientPaths, portalPaths } from '../src/http/portal-paths.ts'
import { SECURITY_TXT } from '../src/http/security-txt.ts'
import { PATIENT } from './patience.ts'
import { createWorld, onTestFinished, request, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const ROUTER = '../../portal/src/router.tsx'
const { router } = (await import(ROUTER)) as { router: { routesByPath: Record<string, unknown> } }
const fill = (path: string) => path.replace(/\$\w+/g, 'some-thing')
const pages = [...Object.keys(router.routesByPath), ...clientPaths].map(fill)

const nowhere = [
  ...[
    '/nowhere',
    '/docsx',
    '/organization',
    '/wp-admin/',
    '/health2',
    '/.env',
    '/.git/config',
    '/.well-known/other',
    '/index.html',
    '/connect.html',
  ],
  ...[
    '/signin/other',
    '/docs/nothing',
    '/docs/guides/a/b',
    '/organizations',
    '/organizations/agency/nothing',
    '/connect',
    '/connect/r/a/b',
  ],
  ...['/Signin', '/signin.php', '/signin%2e', '/package.json', '/backup.zip', '/server-status', '/actuator/env', '/favicon'],
]

const ask = (path: string, accept?: string, method = 'GET') =>
  request(`${world.url}${path}`, { method, headers: accept === undefined ? {} : { accept } })
const kind = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get('content-type')]
const PAGE = [200, 'text/html; charset=utf-8']
/** The one exception: people are shown the portal's own page for what is not there. */
const NO_PAGE = [404, 'text/html; charset=utf-8']
const PROBLEM = [404, 'application/problem+json']

describe('a page', () => {
  it.each(pages)('%s is for whoever takes any kind of answer', async (path) => {
    for (const accept of ['text/html', '*/*', 'text/*;q=0.8', 'application/xhtml+xml, */*;q=0.8'])
      expect(kind(await ask(path, accept)), accept).toEqual(PAGE)
    expect(kind(await ask(path, '*/*', 'HEAD'))).toEqual(PAGE)
    expect(kind(await ask(path, 'application/json'))).toEqual(PROBLEM)
  })

  it('is known by the same table as the portal has', () => {
    expect(portalPaths.toSorted()).toEqual(Object.keys(router.routesByPath).toSorted())
    // Everything that leads a client somewhere begins with one of these.
    expect(clientPaths.map(fill)).toEqual(expect.arrayContaining(['/connect/result', '/connect/r/some-thing', '/connect/some-thing']))
  })

  it.each(nowhere)('%s that is none shows as such to people, with 404, and is a problem to programs', async (path) => {
    for (const accept of ['text/html', 'text/html,application/xhtml+xml,*/*;q=0.8'])
      expect(kind(await ask(path, accept)), accept).toEqual(NO_PAGE)
    expect((await ask(path, 'text/html')).text).toBe((await ask('/', 'text/html')).text)
    for (const accept of ['*/*', 'text/*', 'application/json', 'image/*', undefined])
      expect(kind(await ask(path, accept)), accept).toEqual(PROBLEM)
    expect(kind(await ask(path, 'text/html', 'HEAD'))).toEqual(NO_PAGE)
    expect(kind(await ask(path, 'text/html', 'POST'))).toEqual(PROBLEM)
  })

  it('is none of what lies under an interface, or is a file that is not there', async () => {
    for (const path of [
      '/assets/none.js',
      '/v1/nowhere',
      '/v1',
      '/dev/other.json',
      '/sandbox/google_ads/accounts.google.com/o/oauth2/v2/auth',
    ])
      expect(kind(await ask(path, '*/*')), path).toEqual(PROBLEM)
    for (const path of ['/assets/none.js', '/v1/nowhere']) expect(kind(await ask(path, 'text/html')), path).toEqual(PROBLEM)
  })

  it('of development is none in production', async () => {
    const replica = await world.replica({ environment: 'production' })
    const get = (path: string, accept: string) => request(`${replica.url}${path}`, { headers: { accept } })
    expect(kind(await get('/dev/mailbox', 'text/html'))).toEqual(NO_PAGE)
    for (const path of ['/dev/mailbox', '/.env', '/.git/config']) expect(kind(await get(path, '*/*')), path).toEqual(PROBLEM)
    for (const path of pages.filter((one) => !one.startsWith('/dev/'))) expect(kind(await get(path, 'text/html')), path).toEqual(PAGE)
  })
})

describe('an answer', () => {
  it('keeps other windows away, and asks the browser for nothing', async () => {
    for (const path of ['/', '/nowhere', '/v1/me', '/health', '/openapi.json', SECURITY_TXT]) {
      const { headers } = await ask(path, 'text/html')
      expect(headers.get('cross-origin-opener-policy'), path).toBe('same-origin')
      expect(headers.get('permissions-policy'), path).toMatch(/camera=\(\).*geolocation=\(\).*microphone=\(\)/)
    }
  })
})

describe('security.txt', () => {
  it.each([
    ['mailto:security@agency.example', {}],
    ['https://agency.example/report', { environment: 'production' }],
  ] as const)('names %s, and is valid for half a year', async (securityContact, more) => {
    const replica = await world.replica({ securityContact, ...more })
    const { status, headers, text } = await request(`${replica.url}${SECURITY_TXT}`)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
    const fields = new Map(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(/: (.*)/s) as unknown as [string, string]),
    )
    expect([...fields.keys()]).toEqual(['Contact', 'Expires', 'Preferred-Languages', 'Canonical'])
    expect(fields.get('Contact')).toBe(securityContact)
    expect(fields.get('Canonical')).toBe(`${world.config.publicUrl}${SECURITY_TXT}`)
    const days = (Date.parse(fields.get('Expires')!) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(178)
    expect(days).toBeLessThan(181)
  })
})

describe('the stand-ins of a service of its own', () => {
  it('ask for consent under the address of the service, and send nobody elsewhere', async () => {
    const port = await freePort()
    const publicUrl = `http://localhost:${port}`
    const app = await startApp({ ...world.config, port, publicUrl }, { log: world.log.log, timeouts: PATIENT })
    onTestFinished(() => app.stop())
    const agency = await world.organization()
    const workspace = await world.workspace(agency)
    const at = { orgSlug: agency.slug, workspaceSlug: workspace.slug }
    const member = createClient({ url: app.url, headers: agency.admin.headers })
    const { id, connectUrl } = await member.createIntegration(at, {
      provider: 'google_ads',
      name: 'Search',
      settings: { customerId: '123-456-7890' },
    })
    const { authorizationUrl } = await member.startConnectOAuth({ token: connectUrl.split('/').at(-1)! }, {})
    expect(new URL(authorizationUrl).origin).toBe(publicUrl)

    const page = await request(authorizationUrl)
    expect(kind(page)).toEqual(PAGE)
    expect(page.text).toContain('This page stands in for Google')
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(page.headers.get('x-frame-options')).toBe('DENY')

    const elsewhere = new URL(authorizationUrl)
    elsewhere.searchParams.set('redirect_uri', 'https://elsewhere.example/')
    expect((await request(`${elsewhere}&decision=allow`)).status).toBe(400)

    const back = await request(`${authorizationUrl}&decision=allow`)
    expect((await request(back.headers.get('location')!)).status).toBe(302)
    expect((await member.getIntegration({ ...at, id })).status).toBe('active')
  })
})
