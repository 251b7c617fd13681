/** What an ad system breaks is its fault and nobody else's: 502, no error of ours, and no header in our name. */
import { createHash, randomBytes } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connectIntegration } from './connected-integration.ts'
import { type Handle, type Loopback, loopback } from './loopback.ts'
import { createWorld, request, type TestOrganization, type TestWorkspace, type World } from './world.ts'

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
let front: Loopback
let answer: Handle
const integrations: Record<string, string> = {}

beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } }, {}, async (twins) => {
    front = await loopback(async (received, response, incoming) => {
      if (answer && received.path.includes('/v')) return answer(received, response, incoming)
      const { authorization = '', 'content-type': type = '' } = received.headers
      const got = await fetch(twins + received.path, {
        method: received.method,
        headers: { authorization, ...(type && { 'content-type': type }) },
        ...(received.body && { body: received.body }),
      })
      const found = ['location', 'operation-location'].flatMap((name) => [[name, got.headers.get(name) ?? '']]).filter(([, value]) => value)
      response.writeHead(got.status, Object.fromEntries(found)).end(Buffer.from(await got.arrayBuffer()))
    })
    return front
  })
  organization = await world.organization()
  workspace = await world.workspace(organization)
  integrations.google_ads = await connectIntegration({ world, organization, workspace }, 'google_ads', 'full')
})
afterAll(() => world.stop())

const READ = ['GET', 'v25/googleAdsFields/campaign.id'] as const
const CHANGE = ['POST', 'v25/customers/1234567890/campaigns:mutate'] as const
const kinds = { read: READ, change: CHANGE }

async function called([method, path]: readonly [string, string], hears?: Handle) {
  if (hears) answer = hears
  const place = `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${integrations.google_ads}/proxy/${path}`
  return request(world.url + place, {
    method,
    headers: { ...organization.admin.headers, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: '{}' }),
    redirect: 'manual',
  })
}

/** Bytes instead of an answer, and then the end of the connection. */
const raw =
  (...lines: (string | Buffer)[]): Handle =>
  (_, response) => {
    const socket = response.socket!
    for (const line of lines) socket.write(line)
    socket.end()
  }
const OK = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n'
const packed =
  (encoding: string, bytes: Buffer): Handle =>
  (_, response) =>
    void response
      .writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding, 'content-length': bytes.length })
      .end(bytes)
const inChunks =
  (encoding: string, bytes: Buffer): Handle =>
  (_, response) => {
    response.writeHead(200, { 'content-encoding': encoding })
    for (let at = 0; at < bytes.length; at += 100) response.write(bytes.subarray(at, at + 100))
    response.end()
  }
const damaged = (bytes: Buffer, at: number) =>
  Buffer.concat([bytes.subarray(0, at), Buffer.from([bytes[at]! ^ 0xff]), bytes.subarray(at + 1)])

const TEXT = Buffer.from(
  JSON.stringify({ rows: Array.from({ length: 50 }, (_, i) => createHash('sha256').update(String(i)).digest('hex')) }),
)
const broken: Record<string, Handle> = {
  'raw deflate': packed('deflate', deflateRawSync(TEXT)),
  'gzip that is none': packed('gzip', Buffer.from('no gzip at all')),
  'gzip without its end': packed('gzip', gzipSync(TEXT).subarray(0, -20)),
  'gzip without its middle': packed('gzip', gzipSync(TEXT).subarray(0, 60)),
  'gzip with a wrong sum': packed('gzip', damaged(gzipSync(TEXT), gzipSync(TEXT).length - 6)),
  'gzip with a wrong sum, in chunks': inChunks('gzip', damaged(gzipSync(TEXT), gzipSync(TEXT).length - 6)),
  'gzip with rubbish behind it': packed('gzip', Buffer.concat([gzipSync(TEXT), Buffer.from([0x1f, 0x8b, 9, 9, 9, 9, 9, 9, 9, 9, 9])])),
  'x-gzip that is deflate': packed('x-gzip', deflateSync(TEXT)),
  'deflate with a wrong sum': packed('deflate', damaged(deflateSync(TEXT), deflateSync(TEXT).length - 2)),
  'brotli that is none': packed('br', randomBytes(64).fill(0xff)),
  'brotli without its end': packed('br', brotliCompressSync(TEXT).subarray(0, -9)),
  'an encoding of nobody': packed('zstd', TEXT),
  'two encodings': packed('gzip, br', brotliCompressSync(gzipSync(TEXT))),
  'a chunk without a size': raw(`${OK}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`),
  'a bad chunk after a good one': raw(`${OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\nxyz\r\n{}\r\n0\r\n\r\n`),
  'chunks without an end': raw(`${OK}transfer-encoding: chunked\r\n\r\n2\r\n{}\r\n`),
  'a chunk longer than it says': raw(`${OK}transfer-encoding: chunked\r\n\r\n2\r\n{"a":1}\r\n0\r\n\r\n`),
  'less than its length': raw(`${OK}content-length: 100\r\n\r\n{}`),
  'nothing of its length': raw(`${OK}content-length: 100\r\n\r\n`),
  'two lengths': raw(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`),
  'a length of letters': raw(`${OK}content-length: two\r\n\r\n{}`),
  'a length and chunks': raw(`${OK}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`),
  'a header without a colon': raw('HTTP/1.1 200 OK\r\nnonsense\r\n\r\n{}'),
  'a control character in a header': raw(`${OK}x-request-id: a\x01b\r\ncontent-length: 2\r\n\r\n{}`),
  'headers without an end': raw(`${OK}x-a: ${'b'.repeat(100_000)}`),
  'another protocol': raw('SSH-2.0-OpenSSH_9.6\r\n'),
  'a status of letters': raw('HTTP/1.1 OK fine\r\ncontent-length: 2\r\n\r\n{}'),
  'a switch of protocols': raw('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: h2c\r\n\r\n'),
  ...Object.fromEntries(
    ['000', '099', '600', '601', '700', '799', '898', '999'].map((status) => [
      `the status ${status}`,
      raw(`HTTP/1.1 ${status} Odd\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}`),
    ]),
  ),
}

const problems = () => world.log.lines.filter((line) => ['error', 'fatal', 50, 60].includes((JSON.parse(line) as { level: string }).level))

describe.each(Object.entries(kinds))('of a %s', (_, call) => {
  it.each(Object.keys(broken))('%s is 502 and no error of ours', async (name) => {
    const before = problems().length
    const got = await called(call, broken[name])
    const code = (JSON.parse(got.text) as { code?: string }).code
    expect([got.status, code, got.headers.get('adjoin-answer')], got.text).toEqual([502, 'vendor_answer_unusable', 'adjoin'])
    expect(problems().slice(before)).toEqual([])
  })
})

it('whatever is whole passes: packed, in chunks, without a length, empty', async () => {
  const whole: Record<string, Handle> = {
    gzip: packed('gzip', gzipSync(TEXT)),
    'gzip in chunks': inChunks('gzip', gzipSync(TEXT)),
    deflate: packed('deflate', deflateSync(TEXT)),
    brotli: packed('br', brotliCompressSync(TEXT)),
    identity: packed('identity', TEXT),
    'until the end of the connection': raw('HTTP/1.1 200 OK\r\n\r\n', TEXT),
    chunks: raw(`${OK}transfer-encoding: chunked\r\n\r\n${TEXT.length.toString(16)}\r\n`, TEXT, '\r\n0\r\n\r\n'),
  }
  for (const [name, hears] of Object.entries(whole)) {
    const got = await called(READ, hears)
    expect([got.status, got.text === TEXT.toString()], name).toEqual([200, true])
  }
  expect(await called(READ, packed('gzip', Buffer.alloc(0)))).toMatchObject({ status: 200, text: '' })
  for (const status of [200, 204, 304, 404, 599]) {
    const got = await called(READ, raw(`HTTP/1.1 ${status} X\r\n${status === 204 || status === 304 ? '' : 'content-length: 0\r\n'}\r\n`))
    expect([got.status, got.text], String(status)).toEqual([status, ''])
  }
})

it('an answer that breaks on its way is cut, never whole, and no error of ours', async () => {
  const before = problems().length
  const long: Handle = (_, response: ServerResponse) => {
    response.writeHead(200, { 'content-length': 10 << 20 })
    response.write(Buffer.alloc(2 << 20, 'x'), () => setTimeout(() => response.destroy(), 50))
  }
  await expect(called(READ, long)).rejects.toThrow()
  expect(problems().slice(before)).toEqual([])
})

it('sets no header in our name, and keeps its own under another', async () => {
  const ours = [
    'adjoin-answer',
    'adjoin-call',
    'adjoin-dropped-headers',
    'adjoin-location',
    'adjoin-request-id',
    'adjoin-rate-limit',
    'adjoin-quota',
    'ratelimit',
    'ratelimit-policy',
    'ratelimit-limit',
    'ratelimit-remaining',
    'ratelimit-reset',
    'x-proxy-request-id',
    'x-request-id',
    'idempotency-replayed',
    'set-cookie',
    'access-control-allow-origin',
    'content-security-policy',
    'content-disposition',
    'strict-transport-security',
    'traceparent',
    'x-frame-options',
    'clear-site-data',
  ]
  const plain = await called(READ, (_, response) => void response.writeHead(200).end('{}'))
  const forged = await called(READ, (_, response) => {
    for (const name of ours) response.setHeader(name.toUpperCase(), 'forged')
    response.setHeader('x-ratelimit-remaining', '7')
    response.end('{}')
  })
  expect(forged.status).toBe(200)
  const changing = /^(date|x-request-id|ratelimit|x-proxy-request-id)$/
  for (const name of ours) {
    expect(forged.headers.get(name) ?? '', name).not.toContain('forged')
    if (!changing.test(name)) expect(forged.headers.get(name), name).toBe(plain.headers.get(name))
  }
  expect(forged.headers.get('x-vendor-request-id')).toBe('forged')
  expect(forged.headers.get('x-vendor-ratelimit')).toBe('forged')
  expect(forged.headers.get('x-ratelimit-remaining')).toBe('7')
})

describe('an address in a header', () => {
  const through = () =>
    `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${integrations.google_ads}/proxy/googleads.googleapis.com`
  const HOST = 'googleads.googleapis.com'
  const inside = {
    '/v25/googleAdsFields/x?a=1': '/v25/googleAdsFields/x?a=1',
    '../googleAdsFields/x': '/v25/googleAdsFields/x',
    [`https://${HOST}/v25/y`]: '/v25/y',
    [`https://user:word@${HOST}/v25/y#z`]: '/v25/y',
    [`//${HOST}/v25/y`]: '/v25/y',
  }
  const outside = [
    'https://evil.example/v25',
    `http://${HOST}/v25`,
    `https://${HOST}:8443/v25`,
    `https://${HOST}.evil.example/`,
    '//evil.example/',
    'https://%',
  ]

  it.each(['location', 'operation-location', 'content-location'])('%s leads through the gateway, or nowhere', async (name) => {
    const say =
      (value: string, status: number): Handle =>
      (_, response) =>
        void response.writeHead(status, { [name]: value }).end()
    for (const status of [202, 302])
      for (const [value, path] of Object.entries(inside))
        expect((await called(READ, say(value, status))).headers.get(name), value).toBe(through() + path)
    for (const value of outside) {
      const { headers } = await called(READ, say(value, 307))
      expect([headers.get(name), headers.get(`adjoin-${name}`)]).toEqual([null, value])
    }
  })

  it('is how a report of Adform is found', async () => {
    answer = undefined as unknown as Handle
    const id = await connectIntegration({ world, organization, workspace }, 'adform', 'full')
    const headers = { ...organization.admin.headers, 'content-type': 'application/json' }
    const place = `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${id}/proxy/v1/buyer/stats/data`
    const started = await request(world.url + place, { method: 'POST', headers, body: '{}' })
    expect(started.status, started.text).toBe(202)
    for (const name of ['location', 'operation-location']) {
      const found = await request(world.url + started.headers.get(name)!, { headers })
      expect([found.status, found.headers.get('adjoin-answer')], found.text).toEqual([200, 'adform'])
    }
  })
})
