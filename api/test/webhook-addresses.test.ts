// Where events may be sent: none of these addresses is ever connected to.
import { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { acceptableReturnUrl } from '../../contract/src/trusted-url.ts'
import { acceptableWebhookUrl } from '../src/domain/webhook.ts'
import { createWebhookSender } from '../src/gateway/post-webhook.ts'
import { hostile } from './hostile-addresses.ts'
import { createWorld, refusal, type World } from './world.ts'

const literal = (address: string) => (address.includes(':') ? `[${address}]` : address)
/** The machine itself and its neighbours, in spellings that have beaten other systems' checks. */
const spellings = [
  ...['127.1', '127.0.1', '2130706433', '0x7f000001', '0177.0.0.1', '0x7f.1', '017700000001', '127.0.0.1.', '①②⑦.⓪.⓪.①', '127。0。0。1'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[0:0:0:0:0:ffff:a9fe:a9fe]', '[::ffff:169.254.169.254]', '[64:ff9b::7f00:1]', '0', '0x0'],
  ...['2852039166', '0xa9fea9fe', '169.254.43518', '[fd00:ec2::254]', '[fe80::1]', '[::]', '[::1]'],
]
const urls = [...hostile.privateIps.map(literal), ...spellings].flatMap((host) => [`https://${host}/hook`, `https://${host}:8443/hook`])

const post = (url: string, resolve?: () => Promise<{ address: string; family: number }[]>) => {
  const sender = createWebhookSender({ connectMs: 10_000, totalMs: 20_000, ...(resolve && { resolve }) })
  return sender.post({ url: new URL(url), local: false, headers: {}, body: '{}' }).finally(sender.close)
}

const failing = (code: string) => async () => {
  throw Object.assign(new Error(`getaddrinfo ${code} inside.example`), { code })
}
/** Who may not be called says the same as who is not there: a name of our own network is not to be found out. */
const whereNobodyIs: Record<string, () => Promise<{ address: string; family: number }[]>> = {
  'no such name': failing('ENOTFOUND'),
  'a name without addresses': failing('ENODATA'),
  'a name server that fails': failing('EAI_AGAIN'),
  'a name server that refuses': failing('EREFUSED'),
  'no address at all': async () => [],
  'a name server that never answers': () => new Promise(() => {}),
  'a name of the own network': async () => [{ address: '10.0.0.5', family: 4 }],
  'a name of this machine': async () => [{ address: '::1', family: 6 }],
  'the agent of a cloud': async () => [{ address: '168.63.129.16', family: 4 }],
}

describe(`none of ${urls.length + hostile.privateIps.length} addresses`, () => {
  it('is connected to, written as an address or hidden behind a name', async () => {
    expect(urls.length + hostile.privateIps.length).toBeGreaterThanOrEqual(150)
    const connected = vi.spyOn(Socket.prototype, 'connect')
    for (const url of urls.filter((text) => URL.canParse(text))) expect(await post(url), url).toHaveProperty('error')
    expect(connected).not.toHaveBeenCalled()
    connected.mockRestore()
    for (const address of hostile.privateIps) {
      const family = address.includes(':') ? 6 : 4
      expect(await post('https://rebinding.example/', async () => [{ address, family }]), address).toEqual({
        error: 'its host has no public address',
      })
      const both = [
        { address: '93.184.216.34', family: 4 },
        { address, family },
      ]
      expect(await post('https://two-faced.example/', async () => both), address).toEqual({ error: 'its host has no public address' })
    }
  })

  it.each(Object.entries(whereNobodyIs))('tells whether it exists: %s', async (_, resolve) => {
    const sender = createWebhookSender({ connectMs: 400, totalMs: 20_000, resolve })
    const url = new URL('https://inside.example/hook')
    expect(await sender.refusal(url)).toBe('its host has no public address')
    expect(await sender.post({ url, local: false, headers: {}, body: '{}' })).toEqual({ error: 'its host has no public address' })
    await sender.close()
  })

  it('hides behind a user name, however empty', () => {
    const names = ['u:p@', 'u@', ':p@', '@', ':@', '@@', 'a@b@', '%40@', 'trusted.example:443@', '＠']
    const prefixes = ['https://', 'HTTPS://', 'http://']
    const all = names.flatMap((name) => prefixes.map((prefix) => `${prefix}${name}localhost/hook`))
    expect(all.filter((url) => acceptableWebhookUrl(url, true) || acceptableReturnUrl(url, true))).toEqual([])
    for (const url of ['https://a.example/@me', 'https://a.example/?to=@me', 'http://localhost/a@b'])
      expect([acceptableWebhookUrl(url, true)?.href, acceptableReturnUrl(url, true)]).toEqual([url, url])
  })

  it('may be sent to by http, with a user name, or as anything but a web address', () => {
    const taken = hostile.urls.filter((url) => /^(?!https:\/\/)/.test(url) && acceptableWebhookUrl(url, true))
    expect(taken).toEqual([])
  })
})

describe('a webhook', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.stop())

  it('is not made for an address that is not public, nor changed to one', async () => {
    const { admin, slug } = await world.organization()
    const o = { orgSlug: slug }
    for (const url of [
      'https://127.0.0.1/hook',
      'https://169.254.169.254/latest',
      'https://[::1]/',
      'https://u:p@a.example/',
      'http://10.0.0.1/',
      'https://localhost/',
    ])
      expect(await refusal(admin.client.createWebhook(o, { url })), url).toMatchObject({
        status: 400,
        problem: { errors: [{ path: 'url' }] },
      })
    const { id } = await admin.client.createWebhook(o, { url: 'http://localhost:9/hook' })
    expect(await refusal(admin.client.updateWebhook({ ...o, id }, { url: 'https://192.168.0.1/' }))).toMatchObject({ status: 400 })
  })
})
