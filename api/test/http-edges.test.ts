import { readdirSync } from 'node:fs'
import { METHODS } from 'node:http'
import { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { declaration, type OperationId, operationIds, route } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { clientPaths, portalPaths } from '../src/http/portal-paths.ts'
import { exchange, expectProblem, head, open, portOf, post, rawAnswer } from './raw-socket.ts'
import { createWorld, request, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

/** Every path that something is at, with what it takes: of the operations, of agents, of the pages and of their files. */
const FILE = readdirSync(new URL('../../portal/dist/assets', import.meta.url)).find((name) => name.endsWith('.js'))!
const takesHead = (id: OperationId) => route(id)[0] === 'GET' && !declaration(id).redirect && !declaration(id).stream
const knownPaths = [
  ...[...Map.groupBy(operationIds, (id) => route(id)[1])].map(
    ([path, ids]) => [path, ids.flatMap((id) => (takesHead(id) ? ['GET', 'HEAD'] : [route(id)[0]]))] as [string, string[]],
  ),
  ['/mcp', ['POST']] as [string, string[]],
  ...[...portalPaths, ...clientPaths, '/.well-known/security.txt', `/assets/${FILE}`].map(
    (path) => [path, ['GET', 'HEAD']] as [string, string[]],
  ),
].map(([path, methods]) => [path.replace(/\{(\w+)\}|\$(\w+)/g, 'x'), methods] as const)

describe('a target', () => {
  it.each([
    '/nowhere',
    '/v1',
    '/v1/',
    '/v1/nowhere',
    '//v1//me',
    '/v1//me',
    '/v1/me/',
    '/V1/me',
    '/v1/me%2f',
    '/v1/me;a=b',
    '/v1/%00',
    '*',
  ])('%s that no operation has is 404', async (target) => {
    expectProblem(await rawAnswer(world.url, head('GET', target)), 404, target)
  })

  it.each(['/v1/%ff', '/v1/organizations/%ff', '/v1/organizations/%c0%af', '/v1/organizations/%', '/%ff', '/v1/organizations/%zz'])(
    '%s that is not UTF-8 in percent-encoding is 400',
    async (target) => {
      const answer = await rawAnswer(world.url, head('GET', target))
      expect(expectProblem(answer, 400, target).code).toBe('invalid_url')
      expect(answer.headers).toMatchObject({
        'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
        'x-content-type-options': 'nosniff',
      })
    },
  )

  it('with NUL, a slash or too many characters in a parameter is judged by its schema, after the credential', async () => {
    const { admin } = await world.organization()
    for (const slug of ['a%00', 'a%2fb', '%F0%9F%98%80', 'x'.repeat(64), 'x'.repeat(5000)]) {
      const target = `/v1/organizations/${slug}`
      expectProblem(await rawAnswer(world.url, head('GET', target)), 401, target)
      const answer = await rawAnswer(world.url, head('GET', target, [`Authorization: Bearer ${admin.token}`]))
      expect(expectProblem(answer, 400, target).errors).toEqual([{ path: 'orgSlug', message: expect.any(String) }])
    }
  })

  it('in absolute form means the same as in origin form, to every check', async () => {
    const { admin } = await world.organization()
    const session = [`Authorization: Bearer ${admin.token}`]
    expect((await rawAnswer(world.url, head('GET', 'http://adjoin.example/v1/me', session))).status).toBe(200)
    expect((await rawAnswer(world.url, head('GET', 'http://adjoin.example', []))).status).not.toBe(500)
    expectProblem(await rawAnswer(world.url, head('GET', 'http://adjoin.example/v1/me')), 401, '/v1/me')
    expectProblem(await rawAnswer(world.url, head('GET', 'http://adjoin.example/v1/nowhere?a=b')), 404, '/v1/nowhere')
    expectProblem(await rawAnswer(world.url, head('PUT', 'HTTPS://adjoin.example/v1/me')), 405, '/v1/me')
  })

  it('keeps its query out of the instance', async () => {
    expectProblem(await rawAnswer(world.url, head('GET', '/v1/me?token=secret')), 401, '/v1/me')
  })
})

describe('a method', () => {
  it.each(METHODS.filter((method) => !['CONNECT', 'GET', 'HEAD', 'OPTIONS', 'PATCH'].includes(method)))(
    '%s that a path does not take is 405 with Allow, before its body is looked at',
    async (method) => {
      const answer = await rawAnswer(world.url, head(method, '/v1/me', ['Content-Type: text/xml', 'Content-Length: 4'], '<a/>'))
      expectProblem(answer, 405, '/v1/me')
      expect(answer.headers.allow).toBe('GET, HEAD, PATCH, OPTIONS')
      expect((await rawAnswer(world.url, head(method, '/v1/nowhere'))).status).toBe(404)
    },
  )

  it.each(knownPaths)('that %s does not take is 405 with Allow', async (path, methods) => {
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'].filter((one) => !methods.includes(one))) {
      const answer = await rawAnswer(world.url, head(method, path, ['Accept: text/html']))
      expectProblem(answer, 405, path)
      expect(answer.headers.allow, method).toBe([...methods, 'OPTIONS'].join(', '))
    }
    expect(await rawAnswer(world.url, head('OPTIONS', path))).toMatchObject({
      status: 204,
      headers: { allow: [...methods, 'OPTIONS'].join(', ') },
    })
  })

  it('that nobody knows, and CONNECT, are refused with a problem', async () => {
    expectProblem(await rawAnswer(world.url, head('FOO', '/v1/me')), 400)
    const tunnel = await rawAnswer(world.url, head('CONNECT', 'db.internal:5432'))
    expectProblem(tunnel, 405)
    expect(tunnel.headers.allow).toBeDefined()
  })

  it('HEAD answers as GET does, without the body, and is not offered where a GET writes', async () => {
    const live = await rawAnswer(world.url, head('HEAD', '/health/live'), 500)
    expect(live).toMatchObject({ status: 200, body: '' })
    expect(Number(live.headers['content-length'])).toBeGreaterThan(0)
    expect(await exchange(world.url, head('HEAD', '/v1/me'), 500)).toMatchObject([{ status: 401, body: '' }])
    const [looked] = await exchange(world.url, head('HEAD', '/v1/auth/google'), 500)
    expect(looked).toMatchObject({ status: 405, headers: { allow: 'GET, OPTIONS' } })
  })

  it('OPTIONS names what a path takes, and is 404 where there is none', async () => {
    expect(await rawAnswer(world.url, head('OPTIONS', '/v1/me'))).toMatchObject({
      status: 204,
      headers: { allow: 'GET, HEAD, PATCH, OPTIONS' },
    })
    expectProblem(await rawAnswer(world.url, head('OPTIONS', '/v1/nowhere')), 404)
  })
})

describe('a request that is not well-formed', () => {
  it.each([
    ['no request line', 'nonsense\r\n\r\n'],
    ['an unknown version', 'GET / HTTP/9.9\r\nHost: a\r\n\r\n'],
    ['a space in its target', 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n'],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['the first bytes of TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'],
    ['two lengths', 'POST /v1/signup HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}'],
    ['the same length twice', 'POST /v1/signup HTTP/1.1\r\nHost: a\r\nContent-Length: 2, 2\r\n\r\n{}'],
    ['a negative length', 'POST /v1/signup HTTP/1.1\r\nHost: a\r\nContent-Length: -2\r\n\r\n{}'],
    ['a length and chunks', 'POST /v1/signup HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['chunks and a length', 'POST /v1/signup HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n0\r\n\r\n'],
    ['an unknown transfer coding', 'POST /v1/signup HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['chunked not last', 'POST /v1/signup HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n'],
    [
      'a chunk size that is none',
      'POST /v1/signup HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
    ],
    ['a folded header', 'GET /v1/me HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n'],
    ['a space before the colon', 'GET /v1/me HTTP/1.1\r\nHost : a\r\n\r\n'],
    ['a bare line feed in a header', 'GET /v1/me HTTP/1.1\r\nHost: a\nX-A: b\r\n\r\n'],
    ['NUL in a header', 'GET /v1/me HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n'],
    ['no Host', 'GET /v1/me HTTP/1.1\r\n\r\n'],
    ['an empty Host', 'GET /v1/me HTTP/1.1\r\nHost:\r\n\r\n'],
    ['two Hosts', 'GET /v1/me HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n'],
  ])('has %s: 400, and the connection ends', async (_, bytes) => {
    const answer = await rawAnswer(world.url, Buffer.from(bytes, 'latin1'))
    expectProblem(answer, 400)
    expect(answer.headers.connection).toBe('close')
  })

  it('needs no Host in HTTP/1.0', async () => {
    expectProblem(await rawAnswer(world.url, 'GET /v1/me HTTP/1.0\r\n\r\n'), 401, '/v1/me')
  })

  it('has headers past 16 KiB, in one or in many: 431', async () => {
    expectProblem(await rawAnswer(world.url, head('GET', '/v1/me', [`Cookie: ${'a'.repeat(17_000)}`])), 431)
    const many = Array.from({ length: 2000 }, (_, i) => `X-Header-${i}: ${i}`)
    expectProblem(await rawAnswer(world.url, head('GET', '/v1/me', many)), 431)
    expectProblem(await rawAnswer(world.url, head('GET', `/v1/me?${'a'.repeat(17_000)}`)), 431)
  })

  it('expects something unheard of: 417; the usual expectation is met', async () => {
    expectProblem(await rawAnswer(world.url, post('/v1/signup', '{}', ['Expect: 200-ok'])), 417, '/v1/signup')
    expectProblem(await rawAnswer(world.url, post('/v1/signup', '{}', ['Expect: 100-continue'])), 400, '/v1/signup')
  })

  it.each([
    ['a path that cannot be decoded', '/v1/%zz', []],
    ['an expectation that is not met', '/v1/me', ['Expect: 200-ok']],
    ['a path of nobody', '/v1/nowhere', []],
  ])('has %s and a body without an end: one answer, and nothing behind it is taken for a request', async (_, target, lines) => {
    const smuggled = `0\r\n\r\n${head('GET', '/v1/me')}`
    for (const coding of ['xchunked', 'chunked, identity']) {
      const bytes = head('GET', target, [...lines, `Transfer-Encoding: ${coding}`], smuggled).replace('Connection: close\r\n', '')
      expect(await exchange(world.url, bytes, 1500)).toHaveLength(1)
    }
  })

  it('is refused with the headers that every answer has', async () => {
    const answers = await Promise.all([
      rawAnswer(world.url, 'GET /a b HTTP/1.1\r\nHost: a\r\n\r\n'),
      rawAnswer(world.url, head('CONNECT', 'db.internal:5432')),
      rawAnswer(world.url, post('/v1/signup', '{}', ['Expect: 200-ok'])),
    ])
    for (const { headers } of answers)
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
        'referrer-policy': 'no-referrer',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'cache-control': 'no-store',
      })
  })

  it('does not get its refusal between the bytes of an answer that is under way', async () => {
    const answers = await exchange(world.url, 'GET /version HTTP/1.1\r\nHost: a\r\n\r\nGARBAGE\r\n\r\n')
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
    expect(JSON.parse(answers[0]!.body).apiVersion).toBe('0.1.0')
  })
})

describe('a header', () => {
  it.each(['Bearer', 'Bearer ', 'Bearer  x y', 'Basic YTpi', 'Bearer \xff\xfe', 'Bearer null', ','])(
    'Authorization: %s is a credential that is not usable: 401',
    async (value) => {
      const answer = await rawAnswer(world.url, Buffer.from(head('GET', '/v1/me', [`Authorization: ${value}`]), 'latin1'))
      expect(expectProblem(answer, 401, '/v1/me').code).toBe('credential_invalid')
      expect(answer.headers['www-authenticate']).toBe('Bearer realm="adjoin"')
    },
  )

  it('that is repeated has one meaning: two keys are no key, two bearers are the first', async () => {
    const organization = await world.organization()
    const key = await world.key(organization, { level: 'organization', role: 'admin' })
    const target = `/v1/organizations/${organization.slug}`
    expect((await rawAnswer(world.url, head('GET', target, [`X-Api-Key: ${key.key}`]))).status).toBe(200)
    expectProblem(await rawAnswer(world.url, head('GET', target, [`X-Api-Key: ${key.key}`, `X-Api-Key: ${key.key}`])), 401)
    const bearers = [`Authorization: Bearer nonsense`, `Authorization: Bearer ${organization.admin.token}`]
    expectProblem(await rawAnswer(world.url, head('GET', target, bearers)), 401)
  })

  it('asking to close the connection is answered in kind, also by a refusal, and one that does not is told how long it stays open', async () => {
    for (const target of ['/version', '/v1/me', '/v1/nowhere'])
      expect((await rawAnswer(world.url, head('GET', target))).headers.connection, target).toBe('close')
    const [kept] = await exchange(world.url, 'GET /v1/me HTTP/1.1\r\nHost: a\r\n\r\n', 500)
    expect(kept!.headers).toMatchObject({ connection: 'keep-alive', 'keep-alive': 'timeout=65' })
  })

  it('asking for another protocol is ignored, as clients that offer one expect', async () => {
    for (const protocol of ['websocket', 'h2c']) {
      const lines = [`Upgrade: ${protocol}`, 'HTTP2-Settings: AAMAAABkAAQAAP__']
      const bytes = head('GET', '/health/live', lines).replace('Connection: close', 'Connection: Upgrade, HTTP2-Settings, close')
      expect((await rawAnswer(world.url, bytes)).status).toBe(200)
    }
  })

  it('naming another host changes nothing', async () => {
    const answer = await rawAnswer(
      world.url,
      head('GET', '/openapi.json', ['X-Forwarded-Host: evil.example', 'Forwarded: host=evil.example']),
    )
    expect(answer.body).not.toContain('evil.example')
  })
})

describe('the process', () => {
  it('outlives clients that reset their connection at any moment', async () => {
    const beginnings = [
      head('CONNECT', 'a:1'),
      'nonsense\r\n\r\n',
      'GET /v1/me HTTP/1.1\r\nHo',
      post('/v1/signup', '{"email":').slice(0, -3),
      head('GET', '/openapi.json'),
    ]
    for (let round = 0; round < 20; round++)
      for (const bytes of beginnings) {
        const socket = await open(world.url)
        socket.on('error', () => {})
        socket.write(bytes)
        if (round % 2) await sleep(1)
        socket.resetAndDestroy()
      }
    await sleep(100)
    expect((await request(`${world.url}/health/live`)).status).toBe(200)
  })

  it('lets go of refused clients that keep their own side open', async () => {
    for (const bytes of [head('CONNECT', 'a:1'), 'nonsense\r\n\r\n', post('/v1/signup', '{'.repeat(70_000))]) {
      const socket = new Socket({ allowHalfOpen: true })
      const gone = new Promise((resolve) => socket.once('close', resolve))
      socket.on('error', () => {}).connect(portOf(world.url), '127.0.0.1')
      socket.resume().write(bytes)
      // A server that still held the connection would take these bytes; one that let go answers with a reset.
      const writing = setInterval(() => socket.write('still here\r\n'), 200)
      await gone
      clearInterval(writing)
    }
  })
})
