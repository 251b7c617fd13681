// A TCP proxy on loopback between the service and a dependency of it:
// everything that a network, or a peer gone mad, can do to a connection.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/**
 * What becomes of bytes on their way to the dependency:
 * passed on, dropped with the connection, or passed on and never answered.
 */
export type ChunkAction = 'pass' | 'cut' | 'pass and cut'

interface ProxyState {
  latencyMs: number
  /** Bytes wait until this is over, as packets that are sent again and again. */
  held?: PromiseWithResolvers<void>
  /** Answers new connections in the dependency's place. */
  stranger?: (socket: Socket) => void
  rule?: (sent: Buffer) => ChunkAction
}

export interface FaultProxy {
  readonly port: number
  /** As if it were not there. */
  pass(): void
  delay(latencyMs: number): void
  /** Connections are accepted, and nothing is ever said. */
  silence(): void
  /** Nobody listens, and every connection is gone. */
  down(): Promise<void>
  up(): Promise<void>
  /** Someone else answers, and every connection with the dependency is gone. */
  replace(stranger: (socket: Socket) => void): void
  watch(rule: (sent: Buffer) => ChunkAction): void
  close(): Promise<void>
}

export async function createProxy(target: number): Promise<FaultProxy> {
  let state: ProxyState = { latencyMs: 0 }
  const open = new Set<Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    return socket.setNoDelay()
  }
  const server = createServer((client) => {
    keep(client)
    if (state.stranger) return state.stranger(client)
    const peer = keep(connect(target, '127.0.0.1'))
    carry(client, peer, (sent) => state.rule?.(sent) ?? 'pass')
    carry(peer, client, () => 'pass')
  })

  /** In order, each chunk as late as the state of the moment says. */
  function carry(from: Socket, to: Socket, ruling: (sent: Buffer) => ChunkAction): void {
    let last = Promise.resolve()
    from.on('data', (chunk) => {
      const came = performance.now()
      const { latencyMs } = state
      last = last.then(async () => {
        await state.held?.promise
        if (latencyMs) await sleep(Math.max(0, came + latencyMs - performance.now()))
        const ruled = ruling(chunk)
        if (ruled !== 'cut') to.write(chunk)
        if (ruled === 'pass') return
        from.destroy()
        // Cut before, the dependency sees a dead client; cut after,
        // it does what it was told and finds nobody to tell.
        if (ruled === 'cut') to.destroy()
      })
    })
    from.on('close', () => void last.then(() => to.end()))
  }

  const change = (next: ProxyState) => {
    state.held?.resolve()
    state = next
  }
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  await listen(0)
  const { port } = server.address() as AddressInfo
  const hangUp = () => {
    for (const socket of open) socket.destroy()
  }
  const down = async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    hangUp()
    await closed
  }
  return {
    port,
    pass: () => change({ latencyMs: 0 }),
    delay: (latencyMs) => change({ latencyMs }),
    silence: () => change({ latencyMs: 0, held: Promise.withResolvers() }),
    replace: (stranger) => {
      change({ latencyMs: 0, stranger })
      hangUp()
    },
    watch: (rule) => change({ latencyMs: 0, rule }),
    down,
    up: () => listen(port),
    close: async () => {
      change({ latencyMs: 0 })
      if (server.listening) await down()
    },
  }
}
