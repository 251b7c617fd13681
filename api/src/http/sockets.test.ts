import { createServer, IncomingMessage, type RequestListener, type Server, type ServerOptions } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { atOnce } from '@adjoin/contract'
import { afterEach, describe, expect, it } from 'vitest'
import { withoutIntervals } from '../../test/without-intervals.ts'
import { MAX_BODY_BYTES, MAX_STILL, MAX_UNREAD_BYTES, type SocketOptions, type Sockets, takenBytes, watchSockets } from './sockets.ts'

/** More than the kernel takes for a client that does not read. */
const LARGE = 16 << 20
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function serve(listener: RequestListener, options: Partial<SocketOptions> = {}, how: ServerOptions<typeof IncomingMessage> = {}) {
  const cuts: string[] = []
  const server = createServer(how)
  const sockets = await withoutIntervals(() =>
    watchSockets(server, { trustedProxies: [], perAddress: 100, onCut: (why) => cuts.push(why), ...options }),
  )
  server.on('request', (request, response) => sockets.inTurn(request, response, listener))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
  return { server, sockets, cuts }
}

async function ask(server: Server, bytes = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'): Promise<{ client: Socket; there: Socket }> {
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => {})
  closing.push(() => client.destroy())
  client.write(bytes)
  return { client, there: await accepted }
}

/** Until the kernel takes no more of the answer. */
async function full(socket: Socket, more = 0): Promise<void> {
  for (let before = -1; socket.writableLength <= more || takenBytes(socket) !== before; ) {
    before = takenBytes(socket)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
const look = (sockets: Sockets, times: number) => {
  for (let i = 0; i < times; i++) sockets.sweep()
}

describe('an answer that nobody takes', () => {
  it('shows in what Node keeps of it, which is how we know', async () => {
    const { server } = await serve((_, response) => response.end(Buffer.alloc(LARGE)))
    const { there, client } = await ask(server)
    await full(there)
    const handle = (there as unknown as { _handle: { writeQueueSize: number } })._handle
    expect(handle.writeQueueSize).toBeGreaterThan(0)
    expect(handle.writeQueueSize).toBeLessThan(LARGE)
    const before = takenBytes(there)
    client.resume()
    await expect.poll(() => takenBytes(there)).toBeGreaterThan(before)
  })

  it('costs the connection after a minute of looks', async () => {
    const { server, sockets, cuts } = await serve((_, response) => response.end(Buffer.alloc(LARGE)))
    const { there } = await ask(server)
    await full(there)
    look(sockets, MAX_STILL + 1)
    expect([there.destroyed, cuts]).toEqual([false, []])
    look(sockets, 1)
    expect([there.destroyed, cuts]).toEqual([true, ['unread']])
  })

  it('is given up first, when all of them together are too much', async () => {
    const { server, sockets } = await serve((_, response) => response.end(Buffer.alloc(MAX_UNREAD_BYTES / 3 - 1000)))
    const first = await ask(server)
    await full(first.there, LARGE)
    look(sockets, 3)
    const others = [await ask(server), await ask(server), await ask(server)]
    await Promise.all(others.map(({ there }) => full(there, LARGE)))
    look(sockets, 1)
    expect([first.there.destroyed, ...others.map(({ there }) => there.destroyed)]).toEqual([true, false, false, false])
  })
})

describe('requests that pile up on a connection', () => {
  it('are not even looked at once it is cut', async () => {
    let parsed = 0
    class Counted extends IncomingMessage {
      constructor(socket: Socket) {
        super(socket)
        parsed++
      }
    }
    const { server, cuts } = await serve(() => {}, {}, { IncomingMessage: Counted })
    const { there } = await ask(server, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(1500))
    await expect.poll(() => there.destroyed).toBe(true)
    expect(cuts).toEqual(['pipelining'])
    // The one being served, those who wait, the one too many, and the one at which parsing stopped.
    expect(parsed).toBe(atOnce.pipelined + 3)
  })

  it('with large bodies are cut after a few: each keeps as much in memory as it brings', async () => {
    const { server, cuts } = await serve(() => {})
    const body = 'x'.repeat(MAX_BODY_BYTES / 4)
    const { there } = await ask(server, `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`.repeat(8))
    await expect.poll(() => there.destroyed).toBe(true)
    expect(cuts).toEqual(['pipelining'])
  })
})

describe('a connection lives', () => {
  it('whose client reads slowly', async () => {
    const { server, sockets, cuts } = await serve((_, response) => response.end(Buffer.alloc(LARGE)))
    const { client, there } = await ask(server)
    await full(there)
    let read = 0
    client.on('data', (chunk) => {
      read += chunk.length
    })
    while (there.writableLength) {
      client.pause()
      look(sockets, MAX_STILL)
      const before = takenBytes(there)
      client.resume()
      await expect.poll(() => !there.writableLength || takenBytes(there) > before, { interval: 1 }).toBe(true)
    }
    await expect.poll(() => read).toBeGreaterThan(LARGE)
    expect(cuts).toEqual([])
  })

  it('whose answer takes its time to be made', async () => {
    const made = Promise.withResolvers<void>()
    const { server, sockets, cuts } = await serve((_, response) => void made.promise.then(() => response.end('late')))
    const { client } = await ask(server)
    const text = new Promise<string>((resolve) => client.once('data', (chunk) => resolve(String(chunk))))
    look(sockets, 10 * MAX_STILL)
    made.resolve()
    expect(await text).toContain('late')
    expect(cuts).toEqual([])
  })
})

describe('connections', () => {
  it('past what an address may hold are cut, and the next one is taken when one has ended', async () => {
    const { server, cuts } = await serve((_, response) => response.end('here'), { perAddress: 2 })
    const [one] = [await ask(server), await ask(server)]
    const third = await ask(server)
    await new Promise((resolve) => third.client.once('close', resolve))
    expect(cuts).toEqual(['connections'])
    const ended = new Promise((resolve) => one.there.once('close', resolve))
    one.client.destroy()
    await ended
    const { client } = await ask(server)
    expect(String(await new Promise((resolve) => client.once('data', resolve)))).toContain('here')
  })

  it.each([['127.0.0.1'], ['127.0.0.0/8'], ['::1', '127.0.0.0/16']])(
    'of a proxy (%s) are not counted: it speaks for many',
    async (...trustedProxies) => {
      const { server, sockets, cuts } = await serve((_, response) => response.end(), { perAddress: 1, trustedProxies })
      const asked = [await ask(server), await ask(server), await ask(server)]
      expect(cuts).toEqual([])
      expect(asked.map(({ there }) => sockets.addressOf(there))).toEqual([undefined, undefined, undefined])
    },
  )
})
