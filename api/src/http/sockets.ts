// Connections: the requests of one are served in turn,
// and one that piles up requests or does not take its answers is cut.
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { BlockList, isIP, isIPv6, type Socket } from 'node:net'
import { atOnce } from '@adjoin/contract'
import { addressBucket, NETWORK_TIMES, networkOf } from './client-address.ts'

export type Serve = (request: IncomingMessage, response: ServerResponse) => void

export interface SocketOptions {
  /** Peers that speak for others: their connections do not count, and each request names its client. */
  readonly trustedProxies: readonly string[]
  /** Connections that one address may hold. */
  readonly perAddress: number
  readonly onCut?: (why: 'connections' | 'pipelining' | 'unread', address: string) => void
}

export interface Sockets {
  /** Serves the request when those before it on its connection are answered. */
  inTurn(request: IncomingMessage, response: ServerResponse, serve: Serve): void
  /** Does the last thing that is done on a connection, when what came before is answered. */
  lastly(socket: Socket, act: () => void): void
  /** The answer that is, or was last, the connection's turn. */
  latest(socket: Socket): ServerResponse | undefined
  /** Whose connection it is, as limits count addresses; undefined where a proxy speaks for others. */
  addressOf(socket: Socket): string | undefined
  /** Once a second: cuts those whose answers nobody takes. */
  sweep(): void
  /** For a server that stops: ends every connection on which nothing is being answered. Node would wait for those that have asked nothing yet. */
  close(): void
}

interface Connection {
  readonly address: string | undefined
  busy: boolean
  latest: ServerResponse | undefined
  readonly waiting: (() => void)[]
  /** What those who wait bring in their bodies. */
  bodyBytes: number
  /** Bytes that the kernel has taken, and for how many looks it stayed at that while more waited. */
  taken: number
  still: number
}

/**
 * Looks, so seconds. As patient as proxies are:
 * the kernel takes bytes in large steps, so that a slow reader looks still for a while.
 */
export const MAX_STILL = 60
/**
 * Bodies of requests that wait on one connection:
 * Node keeps them in memory. Pipelining is for reads (RFC 9112, 9.3.2).
 */
export const MAX_BODY_BYTES = 128 << 10
const SWEEP_MS = 1000
/**
 * What all clients together may leave unread in memory;
 * past it those who have taken nothing for longest are cut.
 */
export const MAX_UNREAD_BYTES = 64 << 20

export function watchSockets(server: Server, options: SocketOptions): Sockets {
  const { perAddress, onCut } = options
  const isProxy = proxies(options.trustedProxies)
  const connections = new Map<Socket, Connection>()
  const counts = new Map<string, number>()
  let closing = false

  /** Where a connection counts, and how many there may be. */
  const placesOf = (address: string) => {
    const network = networkOf(address)
    return [{ bucket: address, most: perAddress }, ...(network ? [{ bucket: network, most: perAddress * NETWORK_TIMES }] : [])]
  }
  const cut = (socket: Socket, why: 'pipelining' | 'unread') => {
    const { address } = connections.get(socket)!
    connections.delete(socket)
    socket.destroy()
    onCut?.(why, address ?? socket.remoteAddress ?? '')
  }

  server.on('connection', (socket: Socket) => {
    if (closing) return socket.destroy()
    const peer = socket.remoteAddress ?? ''
    const address = isProxy(peer) ? undefined : addressBucket(peer)
    const places = address === undefined ? [] : placesOf(address)
    if (places.some(({ bucket, most }) => (counts.get(bucket) ?? 0) >= most)) {
      socket.destroy()
      return onCut?.('connections', address!)
    }
    for (const { bucket } of places) counts.set(bucket, (counts.get(bucket) ?? 0) + 1)
    stopParsing(socket, () => !connections.has(socket))
    connections.set(socket, { address, busy: false, latest: undefined, waiting: [], bodyBytes: 0, taken: 0, still: 0 })
    socket.once('close', () => {
      connections.delete(socket)
      for (const { bucket } of places) {
        const left = counts.get(bucket)! - 1
        if (left) counts.set(bucket, left)
        else counts.delete(bucket)
      }
    })
  })

  const sweep = () => {
    let unread = 0
    const waiting: { socket: Socket; still: number; bytes: number }[] = []
    for (const [socket, connection] of connections) {
      const bytes = socket.writableLength
      const taken = takenBytes(socket)
      const still = bytes && taken === connection.taken ? connection.still + 1 : 0
      Object.assign(connection, { taken, still })
      if (still > MAX_STILL) cut(socket, 'unread')
      else if (bytes) waiting.push({ socket, bytes, still })
      unread += bytes
    }
    if (unread <= MAX_UNREAD_BYTES) return
    for (const { socket, bytes } of waiting.sort((a, b) => b.still - a.still || b.bytes - a.bytes)) {
      cut(socket, 'unread')
      unread -= bytes
      if (unread <= MAX_UNREAD_BYTES) return
    }
  }
  const timer = setInterval(sweep, SWEEP_MS).unref()
  server.once('close', () => clearInterval(timer))

  return {
    sweep,
    close() {
      closing = true
      for (const [socket, { busy }] of connections) if (!busy) socket.destroy()
    },
    addressOf: (socket) => connections.get(socket)?.address,
    latest: (socket) => connections.get(socket)?.latest,
    lastly(socket, act) {
      const connection = connections.get(socket)
      if (connection?.busy) connection.waiting.push(act)
      else act()
    },
    inTurn(request, response, serve) {
      const { socket } = request
      const connection = connections.get(socket)
      if (!connection) return // cut already: what is left of its bytes is not looked at
      const begin = () => {
        connection.busy = true
        connection.latest = response
        // Closed: the kernel has taken the whole answer, or nobody is there any more.
        response.on('close', () => {
          const next = connection.waiting.shift()
          if (next)
            setImmediate(next) // after everybody else's turn
          else connection.busy = false
        })
        serve(request, response)
      }
      if (!connection.busy) return begin()
      const body = bodyBytes(request)
      connection.bodyBytes += body
      connection.waiting.push(() => {
        connection.bodyBytes -= body
        if (socket.writable) begin()
      })
      // Node has read 64 KiB by now, some 1,500 requests, and keeps their bodies:
      // no client that means well sends so many at once.
      if (connection.waiting.length > atOnce.pipelined || connection.bodyBytes > MAX_BODY_BYTES) cut(socket, 'pipelining')
    },
  }
}

/** As announced; one of unknown length counts as the longest that is taken. */
const bodyBytes = ({ headers }: IncomingMessage): number =>
  headers['transfer-encoding'] === undefined ? Number(headers['content-length'] ?? 0) : 64 << 10

/**
 * Node makes objects of all requests that it has read, also for a connection that was cut meanwhile:
 * 35 ms for 64 KiB. Its parser stops where an upgrade would begin (2).
 * `onIncoming` is Node's own, as is `writeQueueSize` below: tests notice when they go.
 */
function stopParsing(socket: Socket, isCut: () => boolean): void {
  const { parser } = socket as unknown as { parser?: { onIncoming?: (request: IncomingMessage, keepAlive: boolean) => number } }
  const onIncoming = parser?.onIncoming
  if (parser && onIncoming) parser.onIncoming = (request, keepAlive) => (isCut() ? 2 : onIncoming(request, keepAlive))
}

/** `writeQueueSize`: what Node has handed to the kernel and the kernel has not taken. */
export const takenBytes = (socket: Socket): number =>
  socket.bytesWritten - ((socket as unknown as { _handle?: { writeQueueSize?: number } | null })._handle?.writeQueueSize ?? 0)

function proxies(networks: readonly string[]): (address: string) => boolean {
  if (!networks.length) return () => false
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return (peer) => {
    const address = peer.replace(/%.*$/, '') // without the zone of a link-local one
    return isIP(address) > 0 && list.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}
