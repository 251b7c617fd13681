import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { isPublic } from '../src/providers/addresses.ts'
import { parseJson, quote } from '../src/providers/answer.ts'
import { createHttp } from '../src/providers/http.ts'
import { hostile } from './hostile-addresses.ts'
import { json } from './loopback.ts'
import { failureOf, outgoing, quick, serve } from './outgoing.ts'

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
    const answers = ['9.255.255.255', '127.0.0.1']
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

// What is not cut here lasts until the test itself runs out of time.
describe('how long it may take (K4)', () => {
  it('gives up on a name that does not resolve in time', async () => {
    const http = createHttp({ connectMs: 100, resolve: () => new Promise(() => undefined) })
    expect(await failureOf(http(outgoing({ withinMs: 600_000 })))).toBe('timeout')
  })

  it('cuts a system that does not answer', async () => {
    const server = await serve(() => undefined)
    expect(await failureOf(createHttp()(outgoing({ twin: server.url, withinMs: 150 })))).toBe('timeout')
  })

  it('cuts a body that drips', async () => {
    const server = await serve((_received, response) => {
      response.writeHead(200)
      const drip = setInterval(() => response.write(' '), 20)
      response.on('close', () => clearInterval(drip))
    })
    expect(await failureOf(createHttp()(outgoing({ twin: server.url, withinMs: 200 })))).toBe('timeout')
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

describe('what a system is quoted with (K7)', () => {
  it('loses control and direction characters, line ends and length', () => {
    expect(quote('a\u0000b\u001b[31m\r\nc\u202Ed\u2028e')).toBe('a b [31m c d e')
    expect(quote('x'.repeat(5000))).toHaveLength(200)
    expect(quote('😀'.repeat(500))?.isWellFormed()).toBe(true)
    expect(quote('\u0000')).toBeUndefined()
    expect(quote(null)).toBeUndefined()
  })

  it('holds no link and nothing that ends the quotation', () => {
    expect(quote('See https://evil.example/x, “www.evil.com” or ada@evil.example; "evil.example/y" says: no')).toBe(
      'See [link] [link] or [link] ’evil. example/y’ says: no',
    )
  })

  it('loses every secret that was submitted, in the encodings it may come back in', () => {
    const secret = 'p@ss/word+1'
    const said = `bad ${secret}, ${encodeURIComponent(secret)}, ${Buffer.from(secret).toString('base64')}, and p@ss`
    expect(quote(said, ['p@ss', secret])).toBe('bad •••, •••, •••, and •••')
  })
})
