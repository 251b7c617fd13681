// A stand-in for an ad system at its worst: how answers pass, end and break.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer, text } from 'node:stream/consumers'
import { setImmediate, setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { standInCertificate, standInKey } from '../../test/stand-in-certificate.ts'
import { publicAddresses } from '../providers/addresses.ts'
import { createForward, type ForwardOptions } from './forward.ts'
import { createScrub } from './scrub.ts'
import type { VendorAnswer } from './vendor-answer.ts'

const SECRET = 'ya29.secret-of-the-client'
const scrub = createScrub([SECRET])

let answer: (request: IncomingMessage, response: ServerResponse) => void
const vendor = createServer({ keepAliveTimeout: 0 }, (request, response) => answer(request, response))
let twin = ''
beforeAll(async () => {
  await once(vendor.listen(0, '127.0.0.1'), 'listening')
  twin = `http://127.0.0.1:${(vendor.address() as AddressInfo).port}`
})
afterAll(() => void vendor.close())

const open: (() => Promise<void>)[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((close) => close()))
  vendor.closeAllConnections()
})

function send(more: { method?: string; body?: string; repeatable?: boolean } = {}, options: ForwardOptions = {}) {
  const { forward, close } = createForward(options)
  open.push(close)
  const { method = 'GET', body = '', repeatable = false } = more
  const call = { provider: 'google_ads', method, host: 'api.example', target: '/v1/x?a=(b)', headers: { accept: '*/*' }, repeatable }
  return forward({ ...call, body: Buffer.from(body), twin })
}
async function sent(...args: Parameters<typeof send>): Promise<VendorAnswer> {
  const got = await send(...args)
  if ('failure' in got) throw new Error(got.detail)
  return got
}
const ignore = () => {}

it('passes status, headers and body on, and what was sent arrives byte for byte', async () => {
  let seen: unknown
  answer = async (request, response) => {
    seen = { method: request.method, url: request.url, body: await text(request) }
    response.writeHead(418, { 'x-request-id': 'r1' }).end(`token ${SECRET}.`)
  }
  const got = await sent({ method: 'POST', body: '{"a":1}' })
  expect([got.status, got.headers['x-request-id']]).toEqual([418, 'r1'])
  expect(seen).toEqual({ method: 'POST', url: '/sandbox/google_ads/api.example/v1/x?a=(b)', body: '{"a":1}' })
  expect(await text(got.body(scrub.scrubber(), ignore))).toBe(`token ${'*'.repeat(SECRET.length)}.`)
})

it.each([
  ['gzip', gzipSync],
  ['br', brotliCompressSync],
] as const)('unpacks %s to search it', async (encoding, pack) => {
  answer = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end(pack(`${'x'.repeat(100_000)}${SECRET}`))
  const got = await text((await sent()).body(scrub.scrubber(), ignore))
  expect(got).toBe(`${'x'.repeat(100_000)}${'*'.repeat(SECRET.length)}`)
})

it('refuses an encoding that it cannot read, and one that is broken', async () => {
  for (const encoding of ['zstd', 'gzip', 'deflate', 'br']) {
    answer = (_, response) => response.writeHead(200, { 'content-encoding': encoding }).end('neither of them')
    expect(await send(), encoding).toMatchObject({ failure: 'unusable' })
  }
})

it('looks into the beginning without losing it', async () => {
  answer = (_, response) => response.writeHead(200).end('{"code":40100}')
  const got = await sent()
  expect((await got.peek(1000, 1000)).bytes.toString()).toBe('{"code":40100}')
  expect(await text(got.body(scrub.scrubber(), ignore))).toBe('{"code":40100}')
})

it('waits for no slow answer when it looks', async () => {
  answer = (_, response) => void response.writeHead(200).write('first')
  const got = await sent()
  const { bytes, whole } = await got.peek(1000, 50)
  expect([bytes.toString(), whole]).toEqual(['first', false])
  got.abort()
})

it('reads no faster than it is read', async () => {
  const CHUNK = Buffer.alloc(64 << 10, 'x')
  let written = 0
  answer = async (_, response) => {
    response.writeHead(200)
    for (let i = 0; i < 1000 && !response.destroyed; i++) {
      written += CHUNK.length
      if (!response.write(CHUNK)) await Promise.race([once(response, 'drain'), once(response, 'close')])
    }
    response.end()
  }
  const stream = (await sent()).body(scrub.scrubber(), ignore)
  await once(stream, 'readable')
  for (let before = -1; before !== written; await sleep(50)) before = written // until nothing moves any more
  expect(written).toBeLessThan(16 << 20)
  expect((await buffer(stream)).length).toBe(1000 * CHUNK.length)
})

it('unpacks no faster than it is read', async () => {
  const MEMBERS = 64
  const packed = Buffer.concat(Array(MEMBERS).fill(gzipSync(Buffer.alloc(1 << 20))))
  answer = (_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(packed)
  const got = await sent()
  // Nobody reads yet, so little of the 64 MiB is there, however long one waits.
  const { bytes } = await got.peek(32 << 20, 500)
  expect(bytes.length).toBeLessThan(1 << 20)
  expect((await buffer(got.body(scrub.scrubber(), ignore))).length).toBe(MEMBERS << 20)
})

it('ends the call when its reader hangs up', async () => {
  const gone = new Promise<void>((resolve) => {
    answer = (_, response) => {
      response.writeHead(200).write('first')
      response.once('close', resolve)
    }
  })
  const ended: (Error | null)[] = []
  const stream = (await sent()).body(scrub.scrubber(), (error) => ended.push(error))
  await once(stream, 'readable')
  stream.destroy()
  await gone
  expect(ended).toEqual([expect.any(Error)])
})

it('breaks off where the ad system breaks off: never a whole answer', async () => {
  answer = (_, response) => {
    response.writeHead(200, { 'content-length': '100000' }).write('x'.repeat(50_000))
    setTimeout(() => response.destroy(), 20)
  }
  const got = await sent()
  await expect(text(got.body(scrub.scrubber(), ignore))).rejects.toThrow()
})

it('is unusable where it breaks off at once, however often a read may be sent', async () => {
  let calls = 0
  answer = (_, response) => {
    calls++
    response.writeHead(200, { 'content-length': '100' }).write('first', () => response.destroy())
  }
  expect(await send({ repeatable: true })).toMatchObject({ failure: 'unusable' })
  expect(calls).toBe(1)
})

it('gives up on an answer that does not begin, or does not go on', async () => {
  answer = ignore
  expect(await send({}, { firstByteMs: 50 })).toMatchObject({ failure: 'timeout' })
  answer = (_, response) => void response.writeHead(200).write('first')
  const read = async (limits: Parameters<typeof sent>[1]) => text((await sent({}, limits)).body(scrub.scrubber(), ignore))
  await expect(read({ betweenChunksMs: 500 })).rejects.toThrow()
  await expect(read({ totalMs: 2000 })).rejects.toThrow()
})

it('sends a read once more when its connection broke before an answer, and a change never', async () => {
  let calls = 0
  answer = (request) => {
    calls++
    request.socket.destroy()
  }
  expect(await send({ repeatable: true })).toMatchObject({ failure: 'unreachable' })
  expect(calls).toBe(2)
  expect(await send({ method: 'POST', body: '{}' })).toMatchObject({ failure: 'unreachable' })
  expect(calls).toBe(3)
})

it('opens no connection to an address that is not public', async () => {
  const { forward, close } = createForward({
    addressesOf: (host) => publicAddresses(host, async () => [{ address: '127.0.0.1', family: 4 }]),
  })
  open.push(close)
  const call = {
    provider: 'google_ads',
    method: 'GET',
    host: 'api.example',
    target: '/',
    headers: {},
    body: Buffer.alloc(0),
    repeatable: false,
  }
  expect(await forward(call)).toMatchObject({ failure: 'unreachable' })
})

it('keeps connections alive: the second call needs no handshake', async () => {
  let handshakes = 0
  const secure = createTlsServer({ key: standInKey, cert: standInCertificate }, (_, response) => response.end('ok'))
  secure.on('secureConnection', () => handshakes++)
  await once(secure.listen(0, '127.0.0.1'), 'listening')
  const { port } = secure.address() as AddressInfo
  const { forward, close } = createForward({ ca: standInCertificate, addressesOf: async () => [{ address: '127.0.0.1', family: 4 }] })
  open.push(close, async () => void secure.close())
  const call = { provider: 'google_ads', method: 'GET', host: `api.example:${port}`, target: '/', headers: {}, repeatable: false }
  for (let i = 0; i < 3; i++) {
    const answer = (await forward({ ...call, body: Buffer.alloc(0) })) as VendorAnswer
    expect(await text(answer.body(scrub.scrubber(), ignore))).toBe('ok')
    await setImmediate() // the connection is free a turn after the answer's end
  }
  expect(handshakes).toBe(1)
})
