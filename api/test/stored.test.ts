import { request as ask } from 'node:http'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Call } from '../src/call.ts'
import { infra } from '../src/features/infra/index.ts'
import { head, rawAnswer } from './raw-socket.ts'
import { createWorld, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const build = { version: '0', commit: '0', builtAt: null }

/** As it is on the wire: `fetch` would unpack it. */
const raw = (path: string, headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: Record<string, string>; body: Buffer }>((resolve, reject) => {
    ask(`${world.url}${path}`, { headers: { connection: 'close', ...headers } }, async (answer) => {
      const chunks: Buffer[] = []
      for await (const chunk of answer) chunks.push(chunk)
      resolve({ status: answer.statusCode!, headers: answer.headers as Record<string, string>, body: Buffer.concat(chunks) })
    })
      .on('error', reject)
      .end()
  })

describe('/openapi.json', () => {
  it('is the same bytes however it travels, each kind with a tag of its own', async () => {
    const plain = await raw('/openapi.json')
    const brotli = await raw('/openapi.json', { 'accept-encoding': 'gzip, deflate, br;q=0.5' })
    const gzipped = await raw('/openapi.json', { 'accept-encoding': 'gzip, br;q=0' })
    const unsaid = await raw('/openapi.json', { 'accept-encoding': 'gzip;q=x, br;q=1.5, *;q=0' })
    expect(unsaid.headers['content-encoding']).toBeUndefined()
    expect([plain, brotli, gzipped].map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'br', 'gzip'])
    expect(brotliDecompressSync(brotli.body).equals(plain.body)).toBe(true)
    expect(gunzipSync(gzipped.body).equals(plain.body)).toBe(true)
    expect(brotli.body.length * 5).toBeLessThan(plain.body.length)
    expect(new Set([plain, brotli, gzipped].map(({ headers }) => headers.etag)).size).toBe(3)
    for (const { headers } of [plain, brotli, gzipped])
      expect(headers).toMatchObject({
        'content-type': 'application/json; charset=utf-8',
        'cache-control': 'no-cache',
        etag: expect.stringMatching(/^"[\w-]+"$/),
        vary: expect.stringContaining('Accept-Encoding'),
      })
    expect(JSON.parse(String(plain.body)).openapi).toBe('3.1.0')
  })

  it('is not sent again to those who have it', async () => {
    const { headers } = await raw('/openapi.json', { 'accept-encoding': 'br' })
    for (const known of [headers.etag!, `"other", ${headers.etag}`, `W/${headers.etag}`]) {
      const again = await raw('/openapi.json', { 'accept-encoding': 'br', 'if-none-match': known })
      expect([again.status, again.body.length, again.headers.etag]).toEqual([304, 0, headers.etag])
    }
    for (const known of ['"other"', headers.etag!.slice(1), ''])
      expect((await raw('/openapi.json', { 'accept-encoding': 'br', 'if-none-match': known })).status).toBe(200)
    // It has other bytes.
    expect((await raw('/openapi.json', { 'if-none-match': headers.etag! })).status).toBe(200)
  })

  it('answers HEAD with what GET would say', async () => {
    const looked = await rawAnswer(world.url, head('HEAD', '/openapi.json'), 1000)
    const { headers } = await raw('/openapi.json')
    expect([looked.status, looked.body]).toEqual([200, ''])
    for (const name of ['etag', 'content-type', 'content-length']) expect(looked.headers[name]).toBe(headers[name])
  })
})

describe('/health', () => {
  it('asks the database once for all who ask at once', async () => {
    const { getHealth } = infra({ draining: () => false, mailer: () => true, jobs: () => true }, build)
    const asked = () => world.looks.filter((text) => text.startsWith('select exists (select from processes')).length
    const call = { parts: world.app.parts } as Call<'getHealth'>
    const before = asked()
    const answers = await Promise.all(Array.from({ length: 50 }, () => getHealth(call)))
    expect(answers.every(({ status }) => status === 'ok')).toBe(true)
    expect(asked()).toBe(before + 1)
    await getHealth(call)
    expect(asked()).toBe(before + 2)
  })
})
