import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createClient } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../furnishing/free-port.ts'
import { startApp } from '../src/app.ts'
import { PATIENT } from './patience.ts'
import { createWorld, onTestFinished, request, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

/** Where the portal's pages begin, from its own routes: those of the root and of the signed-in frame. */
const ROUTER = readFileSync(fileURLToPath(new URL('../../portal/src/router.tsx', import.meta.url)), 'utf8')
const routes = [...ROUTER.matchAll(/\{\s*(?:\.\.\.page|getParentRoute: \(\) => signedIn),\s*path: '(\/[^']*)'/g)].map(([, path]) => path!)
const pages = [...routes.map((path) => path.replace('$orgSlug', 'agency')), '/connect/some-token', '/organizations/agency/audit']

const ask = (path: string, accept?: string, method = 'GET') =>
  request(`${world.url}${path}`, { method, headers: accept === undefined ? {} : { accept } })
const kind = ({ status, headers }: { status: number; headers: Headers }) => [status, headers.get('content-type')]
const PAGE = [200, 'text/html; charset=utf-8']
const PROBLEM = [404, 'application/problem+json']

describe('a page', () => {
  it.each(pages)('%s is for whoever takes any kind of answer', async (path) => {
    for (const accept of ['text/html', '*/*', 'text/*;q=0.8', 'application/xhtml+xml, */*;q=0.8'])
      expect(kind(await ask(path, accept)), accept).toEqual(PAGE)
    expect(kind(await ask(path, '*/*', 'HEAD'))).toEqual(PAGE)
    expect(kind(await ask(path, 'application/json'))).toEqual(PROBLEM)
  })

  it('that is none shows as such to people, and is a 404 to programs', async () => {
    for (const path of ['/nowhere', '/docsx', '/organization', '/wp-admin/', '/health2']) {
      expect(kind(await ask(path, 'text/html')), path).toEqual(PAGE)
      expect(kind(await ask(path, '*/*')), path).toEqual(PROBLEM)
    }
    for (const path of ['/assets/none.js', '/v1/nowhere', '/dev/other.json', '/sandbox/google_ads/accounts.google.com/o/oauth2/v2/auth'])
      expect(kind(await ask(path, '*/*')), path).toEqual(PROBLEM)
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
