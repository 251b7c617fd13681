import { setTimeout as sleep } from 'node:timers/promises'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, describe, expect, it } from 'vitest'
import { isPublic } from '../src/providers/addresses.ts'
import { parseJson, quote, retryAfter } from '../src/providers/answer.ts'
import { createHttp, type HttpOptions, type Observation, type Outgoing } from '../src/providers/http.ts'
import { hostile } from './hostile-addresses.ts'
import { type Handle, json, type Loopback, loopback } from './loopback.ts'

const open: Loopback[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()))
})
async function serve(handle: Handle) {
  const server = await loopback(handle)
  open.push(server)
  return server
}

const outgoing = (more: Partial<Outgoing> & { withinMs?: number } = {}): Outgoing => ({
  provider: 'xandr',
  allowed: ['https://api.appnexus.com'],
  method: 'GET',
  url: 'https://api.appnexus.com/user?current',
  headers: {},
  repeatable: false,
  deadline: performance.now() + (more.withinMs ?? 5000),
  ...more,
})
const quick: HttpOptions = { connectMs: 300, retryMs: 5 }
const failureOf = async (result: Promise<object>) => ((await result) as { failure?: string }).failure

describe('where a call may go (K1, K2)', () => {
  it(`refuses every one of ${hostile.urls.length} foreign addresses before any name is looked up`, async () => {
    expect(hostile.urls.length + hostile.privateIps.length).toBeGreaterThanOrEqual(150)
    let lookups = 0
    const http = createHttp({
      ...quick,
      resolve: async () => {
        lookups += 1
        return [{ address: '93.184.216.34', family: 4 }]
      },
    })
    const passed: string[] = []
    for (const url of hostile.urls) {
      const refused = await http(outgoing({ url, withinMs: 200 })).then(
        () => false,
        () => true,
      )
      if (!refused) passed.push(url)
    }
    expect(passed).toEqual([])
    expect(lookups).toBe(0)
  })

  it('calls no private address, whatever name leads there, and lets public ones pass', async () => {
    expect(hostile.privateIps.filter(isPublic)).toEqual([])
    expect(hostile.publicIps.filter((address) => !isPublic(address))).toEqual([])
    for (const address of hostile.privateIps) {
      const http = createHttp({ ...quick, resolve: async () => [{ address, family: address.includes(':') ? 6 : 4 }] })
      expect(await failureOf(http(outgoing())), address).toBe('address_refused')
    }
  })

  it('refuses a name that answers with a public and a private address', async () => {
    const http = createHttp({
      ...quick,
      resolve: async () => [
        { address: '93.184.216.34', family: 4 },
        { address: '127.0.0.1', family: 4 },
      ],
    })
    expect(await failureOf(http(outgoing()))).toBe('address_refused')
  })

  it('looks a name up once, so that a second, different answer is never used', async () => {
    const answers = ['192.31.196.1', '127.0.0.1']
    let lookups = 0
    const http = createHttp({ ...quick, connectMs: 150, resolve: async () => [{ address: answers[lookups++] ?? '127.0.0.1', family: 4 }] })
    expect(await failureOf(http(outgoing({ withinMs: 300 })))).toMatch(/timeout|network/)
    expect(lookups).toBe(1)
  })

  it('throws inside a database transaction', async () => {
    const server = await serve(json(200, {}))
    let open = true
    const http = createHttp({ forbidden: () => open })
    await expect(http(outgoing({ twin: server.url }))).rejects.toThrow('transaction')
    open = false
    expect(await http(outgoing({ twin: server.url }))).toMatchObject({ status: 200 })
    expect(server.received).toHaveLength(1)
  })

  it('reaches the twin of a system under the host it believes to call', async () => {
    const server = await serve(json(200, {}))
    await createHttp()(outgoing({ twin: server.url, headers: { authorization: 'token' } }))
    expect(server.received[0]).toMatchObject({
      method: 'GET',
      path: '/sandbox/xandr/api.appnexus.com/user?current',
      headers: { authorization: 'token' },
    })
  })
})

describe('what is taken in (K3)', () => {
  it('does not follow redirects', async () => {
    const elsewhere = await serve(json(200, {}))
    const server = await serve((_received, response) => response.writeHead(302, { location: `${elsewhere.url}/stolen` }).end())
    expect(await createHttp()(outgoing({ twin: server.url }))).toMatchObject({ status: 302 })
    expect(elsewhere.received).toEqual([])
  })

  const large = Buffer.alloc(2_000_000, ' ')
  // biome-ignore format: a table
  it.each([
    ['plain', large, undefined], ['gzip', gzipSync(Buffer.alloc(50_000_000)), 'gzip'], ['brotli', brotliCompressSync(large), 'br'],
    ['of an unknown encoding', Buffer.from('x'), 'snappy'], ['of broken gzip', Buffer.from('not gzip'), 'gzip'],
  ])('cuts an answer that is %s and too large or unreadable', async (_kind, body, encoding) => {
    const server = await serve((_received, response) => response.writeHead(200, encoding ? { 'content-encoding': encoding } : {}).end(body))
    expect(await failureOf(createHttp()(outgoing({ twin: server.url })))).toBe('odd_answer')
  })

  it('unpacks a small compressed answer', async () => {
    const server = await serve((_received, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('{"a":1}')))
    expect(await createHttp()(outgoing({ twin: server.url }))).toMatchObject({ body: { a: 1 } })
  })

  it('cuts headers past 16 KB', async () => {
    const server = await serve((_received, response) => response.writeHead(200, { 'x-long': 'x'.repeat(20_000) }).end('{}'))
    expect(await failureOf(createHttp()(outgoing({ twin: server.url })))).toBe('network')
  })

  it('keeps whole numbers past 2^53 exact, as text', () => {
    expect(parseJson('{"id":7300000000000000002,"small":12,"half":0.5,"big":-9007199254740993,"far":1e400}')).toEqual({
      id: '7300000000000000002',
      small: 12,
      half: 0.5,
      big: '-9007199254740993',
      far: Number.POSITIVE_INFINITY,
    })
    expect(parseJson('<html>')).toBeUndefined()
    expect(parseJson('['.repeat(500_000))).toBeUndefined()
    parseJson('{"__proto__":{"polluted":1}}')
    expect('polluted' in {}).toBe(false)
  })
})

describe('how long it may take (K4)', () => {
  const within = async (ms: number, run: () => Promise<object>) => {
    const started = performance.now()
    const failure = await failureOf(run())
    expect(performance.now() - started).toBeLessThan(ms)
    return failure
  }

  it('gives up on a name that does not resolve in time', async () => {
    const http = createHttp({ connectMs: 100, resolve: () => new Promise(() => undefined) })
    expect(await within(1000, () => http(outgoing()))).toBe('timeout')
  })

  it('cuts a system that does not answer', async () => {
    const server = await serve(() => undefined)
    expect(await within(1000, () => createHttp()(outgoing({ twin: server.url, withinMs: 150 })))).toBe('timeout')
  })

  it('cuts a body that drips', async () => {
    const server = await serve((_received, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    })
    expect(await within(1000, () => createHttp()(outgoing({ twin: server.url, withinMs: 200 })))).toBe('timeout')
  })

  it('counts a connection that is reset, or a body that breaks off, as a network failure', async () => {
    const reset = await serve((_received, _response, request) => request.socket.destroy())
    expect(await failureOf(createHttp()(outgoing({ twin: reset.url })))).toBe('network')
    const broken = await serve((_received, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('{"a":')
      setTimeout(() => response.destroy(), 20)
    })
    expect(await failureOf(createHttp()(outgoing({ twin: broken.url })))).toBe('network')
  })
})

describe('how often it is tried (K5)', () => {
  const attempts = async (handle: Handle, more: Partial<Outgoing> & { withinMs?: number } = { repeatable: true }) => {
    const server = await serve(handle)
    const answer = await createHttp(quick)(outgoing({ twin: server.url, ...more }))
    return { calls: server.received.length, answer }
  }

  it('tries a read three times and then hands the failure back', async () => {
    expect(await attempts(json(503, {}))).toMatchObject({ calls: 3, answer: { status: 503 } })
    expect((await attempts((_received, _response, request) => request.socket.destroy())).calls).toBe(3)
  })

  it('never repeats a login', async () => {
    expect((await attempts(json(503, {}), { repeatable: false, method: 'POST', body: '{}' })).calls).toBe(1)
  })

  it('does not repeat what was understood and refused', async () => {
    for (const status of [400, 401, 403, 404, 302]) expect((await attempts(json(status, {}))).calls, String(status)).toBe(1)
  })

  it('stops at the first success', async () => {
    let calls = 0
    expect(await attempts((received, response, request) => json(++calls < 2 ? 502 : 200, {})(received, response, request))).toMatchObject({
      calls: 2,
      answer: { status: 200 },
    })
  })

  it('waits as long as the system asks when that is short, and hands back what is longer or unstated', async () => {
    const started = performance.now()
    let calls = 0
    const brief: Handle = (...call) => json(++calls < 2 ? 429 : 200, {}, { 'retry-after': '1' })(...call)
    expect((await attempts(brief)).calls).toBe(2)
    expect(performance.now() - started).toBeGreaterThan(950)
    expect((await attempts(json(429, {}, { 'retry-after': '60' }))).calls).toBe(1)
    expect((await attempts(json(429, {}))).calls).toBe(1)
  })

  it('stays within the deadline whatever is left to try', async () => {
    expect((await attempts(json(503, {}, { 'retry-after': '1' }), { repeatable: true, withinMs: 500 })).calls).toBe(1)
  })

  it('reads Retry-After as seconds or as a date, and never below zero', () => {
    const now = new Date('2026-01-05T12:00:00Z')
    expect(retryAfter({ 'retry-after': '9' }, now)).toBe(9)
    expect(retryAfter({ 'retry-after': 'Mon, 05 Jan 2026 12:00:30 GMT' }, now)).toBe(30)
    expect(retryAfter({ 'retry-after': 'Mon, 05 Jan 2026 11:00:00 GMT' }, now)).toBe(0)
    for (const value of ['', 'soon', '-5', '1e9', '99999999999999'])
      expect(retryAfter({ 'retry-after': value }, now), value).toBeUndefined()
  })
})

describe('one ailing system among healthy ones (K6)', () => {
  const rests: HttpOptions = { ...quick, breaker: { failures: 5, restMs: 200 } }

  it('answers for a failing system at once after repeated failures, probes it after a rest, and trusts it again when it is well', async () => {
    let status = 500
    const server = await serve((...call) => json(status, {})(...call))
    const http = createHttp(rests)
    for (let call = 0; call < 5; call += 1) await http(outgoing({ twin: server.url }))
    const started = performance.now()
    expect(await failureOf(http(outgoing({ twin: server.url })))).toBe('outage')
    expect(performance.now() - started).toBeLessThan(50)
    expect(server.received).toHaveLength(5)

    await sleep(220)
    const probes = await Promise.all(Array.from({ length: 8 }, () => http(outgoing({ twin: server.url }))))
    expect(probes.filter((probe) => 'status' in probe)).toHaveLength(1)
    expect(server.received).toHaveLength(6)

    status = 200
    await sleep(220)
    expect(await http(outgoing({ twin: server.url }))).toMatchObject({ status: 200 })
    const after = await Promise.all(Array.from({ length: 8 }, () => http(outgoing({ twin: server.url }))))
    expect(after.every((answer) => 'status' in answer && answer.status === 200)).toBe(true)
  })

  it('leaves other systems, and other hosts of the same one, untouched', async () => {
    const sick = await serve(json(500, {}))
    const well = await serve(json(200, {}))
    const http = createHttp(rests)
    for (let call = 0; call < 6; call += 1) await http(outgoing({ twin: sick.url }))
    expect(await failureOf(http(outgoing({ twin: sick.url })))).toBe('outage')
    const other = { provider: 'criteo', allowed: ['https://api.criteo.com'], url: 'https://api.criteo.com/me' }
    expect(await http(outgoing({ ...other, twin: well.url }))).toMatchObject({ status: 200 })
    const second = { allowed: ['https://api.appnexus.com', 'https://api.adnxs.com'], url: 'https://api.adnxs.com/me' }
    expect(await http(outgoing({ ...second, twin: well.url }))).toMatchObject({ status: 200 })
  })

  it('does not count refusals and throttling as failures', async () => {
    const server = await serve(json(429, {}))
    const http = createHttp(rests)
    for (let call = 0; call < 12; call += 1) await http(outgoing({ twin: server.url }))
    expect(server.received).toHaveLength(12)
  })

  it('sends no more than so many calls at once, lets others wait, and turns the rest away', async () => {
    let now = 0
    let most = 0
    const server = await serve((received, response, request) => {
      most = Math.max(most, ++now)
      setTimeout(() => {
        now -= 1
        json(200, {})(received, response, request)
      }, 40)
    })
    const http = createHttp({ atOnce: 4, waiting: 6 })
    const answers = await Promise.all(Array.from({ length: 20 }, () => http(outgoing({ twin: server.url }))))
    expect(most).toBe(4)
    expect(answers.filter((answer) => 'status' in answer)).toHaveLength(10)
    expect(answers.filter((answer) => 'failure' in answer && answer.failure === 'busy')).toHaveLength(10)
    expect(await http(outgoing({ twin: server.url }))).toMatchObject({ status: 200 })
  })

  it('turns a waiting call away when its time is up', async () => {
    const server = await serve((...call) => {
      setTimeout(() => json(200, {})(...call), 300)
    })
    const http = createHttp({ atOnce: 1 })
    const first = http(outgoing({ twin: server.url }))
    expect(await failureOf(http(outgoing({ twin: server.url, withinMs: 50 })))).toBe('busy')
    expect(await first).toMatchObject({ status: 200 })
  })

  it('reports every attempt without paths, queries or secrets', async () => {
    const server = await serve(json(503, {}))
    const seen: Observation[] = []
    await createHttp({ ...quick, observe: (observation) => seen.push(observation) })(outgoing({ twin: server.url, repeatable: true }))
    expect(seen.map(({ attempt, status, host, provider, method }) => ({ attempt, status, host, provider, method }))).toEqual(
      [0, 1, 2].map((attempt) => ({ attempt, status: 503, host: 'api.appnexus.com', provider: 'xandr', method: 'GET' })),
    )
    expect(JSON.stringify(seen)).not.toContain('current')
  })
})

describe('what a system is quoted with (K7)', () => {
  it('loses control and direction characters, line ends and length', () => {
    expect(quote('a\u0000b\u001b[31m\r\nc\u202Ed\u2028e')).toBe('a b [31m c d e')
    expect(quote('x'.repeat(5000))).toHaveLength(200)
    expect(quote('😀'.repeat(500))?.isWellFormed()).toBe(true)
    expect(quote('\u0000')).toBeUndefined()
    expect(quote(null)).toBeUndefined()
  })

  it('loses every secret that was submitted, in the encodings it may come back in', () => {
    const secret = 'p@ss/word+1'
    const said = `bad ${secret}, ${encodeURIComponent(secret)}, ${Buffer.from(secret).toString('base64')}, and p@ss`
    expect(quote(said, ['p@ss', secret])).toBe('bad •••, •••, •••, and •••')
  })
})
