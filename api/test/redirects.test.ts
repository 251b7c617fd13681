import { connect } from 'node:net'
import { trustedUrl } from '@adjoin/contract/trusted-url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hostileUrls, trustedUrls } from './hostile-urls.ts'
import { type OpenIdProvider, startOpenIdProvider } from './openid-provider.ts'
import { createWorld, newAddress, request, sql, type World } from './world.ts'

const PUBLIC = 'http://localhost:3000'
const ORIGINS = {
  publicUrl: PUBLIC,
  trustedOrigins: ['https://trusted.example', 'https://xn--bcher-kva.example'],
  environment: 'test' as const,
}
let google: OpenIdProvider
let world: World
beforeAll(async () => {
  google = await startOpenIdProvider(`${PUBLIC}/v1/auth/google/callback`)
  world = await createWorld({ identity: { google: google.client }, trustedOrigins: ORIGINS.trustedOrigins, limitsFactor: 1000 })
})
afterAll(async () => {
  await world.stop()
  await google.close()
})

describe('callbackURL', () => {
  it('is refused in more than two hundred disguises, by the rule and over HTTP', async () => {
    expect(hostileUrls.length).toBeGreaterThan(200)
    const passed = hostileUrls.filter((url) => trustedUrl(url, ORIGINS) !== null)
    expect(passed).toEqual([])
    const byGet = (url: string) => request(`${world.url}/v1/auth/google?callbackURL=${encodeURIComponent(url)}`)
    const byPost = (url: string) =>
      request(`${world.url}/v1/auth/magic-link`, {
        method: 'POST',
        body: JSON.stringify({ email: 'ada@agency.example', callbackURL: url }),
        headers: { 'content-type': 'application/json' },
      })
    for (const [at, url] of hostileUrls.entries()) {
      const { status, headers } = await (at % 2 ? byGet : byPost)(url)
      expect([url, status, headers.get('location')]).toEqual([url, 400, null])
    }
    expect(await world.query(sql`select from jobs`)).toHaveLength(0)
  })

  it.each(trustedUrls)('%s is ours', (url, meant) => {
    expect(trustedUrl(url, ORIGINS)).toBe(meant)
  })

  it('leads to the value that was checked, as a browser reads it', () => {
    for (const [url] of trustedUrls) {
      const checked = trustedUrl(url, ORIGINS)!
      expect(new URL(checked).href).toBe(checked)
      expect(trustedUrl(checked, ORIGINS)).toBe(checked)
    }
  })

  it('takes other spellings of loopback in development only', () => {
    const production = { ...ORIGINS, environment: 'production' as const }
    expect(trustedUrl('http://127.0.0.1:3000/', production)).toBeNull()
    expect(trustedUrl('http://localhost:3000/', production)).toBe('http://localhost:3000/')
  })

  it('of a mailed link is checked again when the link is opened', async () => {
    const { admin } = await world.organization()
    await world.client().sendSignInLink({ email: admin.email, callbackURL: 'https://trusted.example/in' })
    const [mail] = await world.mails(admin.email)
    const token = /#token=([\w-]{43})/.exec(mail!.text)![1]!
    expect((await world.client().getSignInLink({ token })).callbackURL).toBe('https://trusted.example/in')
    await world.query(sql`update sign_in_links set callback_url = 'https://evil.example/' where email = ${admin.email}`)
    expect((await world.client().getSignInLink({ token })).callbackURL).toBeNull()
  })
})

describe('the host that a request names', () => {
  /** One request as it stands, with whatever Host it has. */
  const raw = (head: string[], body = '') =>
    new Promise<string>((resolve, reject) => {
      const { port } = new URL(world.url)
      const socket = connect(Number(port), '127.0.0.1', () =>
        socket.end([...head, `Content-Length: ${Buffer.byteLength(body)}`, 'Connection: close', '', body].join('\r\n')),
      )
      let text = ''
      socket.on('data', (chunk) => {
        text += chunk
      })
      socket.on('close', () => resolve(text)).on('error', reject)
    })

  it.each([
    ['Host', (path: string) => [`POST ${path} HTTP/1.1`, 'Host: evil.example']],
    [
      'X-Forwarded-Host',
      (path: string) => [`POST ${path} HTTP/1.1`, 'Host: localhost', 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https'],
    ],
    ['an absolute request target', (path: string) => [`POST http://evil.example${path} HTTP/1.1`, 'Host: evil.example']],
  ])('never gets into a mail: %s, in the very first request of a process', async (_, head) => {
    const fresh = await createWorld()
    const own = world
    world = fresh
    try {
      const { admin } = await fresh.organization()
      const body = JSON.stringify({ email: admin.email })
      await raw([...head('/v1/auth/magic-link'), `X-Forwarded-For: ${newAddress()}`, 'Content-Type: application/json'], body)
      await fresh.client().sendSignInLink({ email: admin.email })
      const mails = await fresh.mails(admin.email, 1)
      for (const mail of mails) {
        expect(mail.text).toContain(`${PUBLIC}/signin/link#token=`)
        expect(mail.text + mail.html).not.toContain('evil.example')
      }
      const { headers } = await request(`${fresh.url}/v1/auth/magic-link/none`)
      expect(JSON.stringify([...headers])).not.toContain('evil.example')
    } finally {
      world = own
      await fresh.stop()
    }
  })
})
