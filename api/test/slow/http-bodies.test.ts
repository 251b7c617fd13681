import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectProblem, head, open, post, rawAnswer } from '../raw-socket.ts'
import { createWorld, request, type TestPerson, type World } from '../world.ts'

let world: World
let ada: TestPerson
beforeAll(async () => {
  world = await createWorld()
  ada = (await world.organization()).admin
})
afterAll(() => world.stop())

const LIMIT = 64 * 1024
const rename = (body: string, lines: string[] = []) => {
  const bytes = post('/v1/me', body, [`Authorization: Bearer ${ada.token}`, ...lines]).replace('POST', 'PATCH')
  return rawAnswer(world.url, bytes)
}
const padded = (length: number) => {
  const start = '{"name":"Ada"'
  return `${start}${' '.repeat(length - start.length - 1)}}`
}

describe('a body past 64 KiB', () => {
  it('is 413, and the last that fits is taken', async () => {
    expect((await rename(padded(LIMIT))).status).toBe(200)
    expectProblem(await rename(padded(LIMIT + 1)), 413, '/v1/me')
  })

  it('is 413 by its announced length alone, before a byte of it has come', async () => {
    const lines = [`Authorization: Bearer ${ada.token}`, 'Content-Type: application/json', 'Content-Length: 10000000000']
    expectProblem(await rawAnswer(world.url, head('PATCH', '/v1/me', lines), 500), 413)
  })

  it('is 413 in chunks as well', async () => {
    const chunk = `10000\r\n${'a'.repeat(LIMIT)}\r\n`
    const lines = [`Authorization: Bearer ${ada.token}`, 'Content-Type: application/json', 'Transfer-Encoding: chunked']
    expectProblem(await rawAnswer(world.url, head('PATCH', '/v1/me', lines, `${chunk.repeat(3)}0\r\n\r\n`)), 413)
  })

  it('is read to its end and dropped, so that a client that is still sending hears why', async () => {
    for (let i = 0; i < 5; i++) {
      const headers = { ...ada.headers, 'content-type': 'application/json' }
      const answer = await request(`${world.url}/v1/me`, { method: 'PATCH', headers, body: 'a'.repeat(5_000_000) })
      expect(answer.status).toBe(413)
    }
  })

  it('from twenty clients at once, 64 MB each, leaves memory flat', async () => {
    global.gc?.()
    const before = process.memoryUsage().rss
    const block = Buffer.alloc(1 << 20, 'a')
    let most = 0
    const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 20)
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const socket = await open(world.url)
        socket.on('error', () => {}).resume()
        const closed = new Promise((resolve) => socket.once('close', resolve))
        const length = 64 * block.length
        socket.write(
          `PATCH /v1/me HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
        )
        for (let sent = 0; sent < length && !socket.destroyed; sent += block.length)
          if (!socket.write(block)) await Promise.race([closed, new Promise((resolve) => socket.once('drain', resolve))])
        socket.destroy()
      }),
    )
    clearInterval(watch)
    expect((most - before) / (1 << 20)).toBeLessThan(150)
  })
})

describe('a length that lies', () => {
  it('by too much is cut when no more comes, by too little leaves a rest that is no request', async () => {
    const short = post('/v1/signup', '{}').replace('Content-Length: 2', 'Content-Length: 1')
    expectProblem(await rawAnswer(world.url, short), 400)
    const socket = await open(world.url)
    socket.write(post('/v1/signup', '{}').replace('Content-Length: 2', 'Content-Length: 3'))
    socket.end()
    const text = await new Promise<string>((resolve) => {
      let all = ''
      socket.on('data', (chunk) => (all += chunk)).on('close', () => resolve(all))
    })
    expect(text).toMatch(/^(HTTP\/1\.1 400 |$)/)
  })
})

describe('a body of another kind', () => {
  it.each([
    ['xml', ['Content-Type: text/xml'], '<a/>'],
    ['a form', ['Content-Type: application/x-www-form-urlencoded'], 'name=Ada'],
    ['text', ['Content-Type: text/plain'], '{"name":"Ada"}'],
    ['something like JSON', ['Content-Type: application/jsonx'], '{"name":"Ada"}'],
    ['a list of types', ['Content-Type: application/json, text/plain'], '{"name":"Ada"}'],
    ['no type', [], '{"name":"Ada"}'],
    ['an empty type', ['Content-Type:'], '{"name":"Ada"}'],
    ['gzip', ['Content-Type: application/json', 'Content-Encoding: gzip'], '{"name":"Ada"}'],
    ['deflate and nothing else', ['Content-Type: application/json', 'Content-Encoding: deflate, identity'], '{"name":"Ada"}'],
  ])('%s is 415', async (_, lines, body) => {
    const bytes = head('PATCH', '/v1/me', [`Authorization: Bearer ${ada.token}`, `Content-Length: ${body.length}`, ...lines], body)
    expectProblem(await rawAnswer(world.url, bytes), 415, '/v1/me')
  })

  it('a gzip bomb is 415 and never opened', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000)).subarray(0, LIMIT)
    const headers = { ...ada.headers, 'content-type': 'application/json', 'content-encoding': 'gzip' }
    expect((await request(`${world.url}/v1/me`, { method: 'PATCH', headers, body: bomb })).status).toBe(415)
  })

  it('JSON in another spelling of its type is taken', async () => {
    for (const type of ['application/json; charset=utf-8', 'APPLICATION/JSON', 'application/json;charset="UTF-8"']) {
      const headers = { ...ada.headers, 'content-type': type }
      expect((await request(`${world.url}/v1/me`, { method: 'PATCH', headers, body: '{"name":"Ada"}' })).status).toBe(200)
    }
  })
})

describe('JSON', () => {
  it.each<[string, string | Buffer]>([
    ['cut short', '{"name":"Ada"'],
    ['followed by more', '{"name":"Ada"} {}'],
    ['with a byte order mark', '\ufeff{"name":"Ada"}'],
    ['ten thousand levels deep', `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`],
    ['33 levels deep', `{"name":${'['.repeat(33)}${']'.repeat(33)}}`],
    ['with a prototype', '{"name":"Ada","__proto__":{"polluted":true}}'],
    ['with a prototype further down', '{"name":{"a":[{"__proto__":{"polluted":true}}]}}'],
    ['in UTF-16', Buffer.from('{"name":"Ada"}', 'utf16le')],
    ['that is not UTF-8', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xff, 0xfe]), Buffer.from('"}')])],
    ['with an overlong encoding', Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])],
  ])('%s is 400 invalid_json', async (_, body) => {
    const before = process.threadCpuUsage()
    const headers = { ...ada.headers, 'content-type': 'application/json' }
    const answer = await request(`${world.url}/v1/me`, { method: 'PATCH', headers, body })
    expect(answer.status).toBe(400)
    expect(answer.json().code).toBe('invalid_json')
    expect(process.threadCpuUsage(before).user / 1e6, 'seconds of our own').toBeLessThan(10)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it.each([
    '[]',
    '"Ada"',
    'null',
    '1e400',
    '-0',
    'true',
    '{}',
    '{"name":1e400}',
    '{"name":null}',
    '{"name":["Ada"]}',
    '{"constructor":{"prototype":{}}}',
    '',
  ])('%s that is no body of this operation is 400 with the fields at fault', async (body) => {
    const answer = await rename(body)
    expect(expectProblem(answer, 400, '/v1/me').code).toBe('validation_failed')
  })

  it('with thousands of unknown fields is refused in a short answer', async () => {
    const body = JSON.stringify(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`f${i}`, 0])))
    const answer = await rename(body)
    expect(expectProblem(answer, 400).errors!.length).toBeLessThanOrEqual(100)
    expect((await rename(JSON.stringify({ ['x'.repeat(60_000)]: 1 }))).body.length).toBeLessThan(2000)
  })

  it('with a name twice has the last one’s value, as every reader of JSON has it', async () => {
    const answer = await rename('{"name":"First","name":"Last"}')
    expect(JSON.parse(answer.body).name).toBe('Last')
  })
})
