// A TCP proxy in front of PostgreSQL that cuts a connection at its COMMIT,
// which the server then has got, or has not.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  /** The address of a database behind it. */
  via(databaseUrl: string): string
  /** Cuts the connection whose transaction sends this text, once; for a while afterwards nobody is let in, nor stays. */
  cutCommitOf(text: string, when: 'delivered' | 'dropped', awayMs?: number): void
  close(): Promise<void>
}

const COMMIT = Buffer.from('commit\0')

export async function cuttingProxy(databaseUrl: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(databaseUrl)
  const open = new Set<Socket>()
  let rule: { text: string; when: 'delivered' | 'dropped'; awayMs: number } | undefined
  let awayUntil = 0
  const server = createServer((client) => {
    if (Date.now() < awayUntil) return void client.destroy()
    const peer = connect(Number(port), hostname)
    let marked = false
    for (const socket of [client, peer]) {
      open.add(socket)
      socket.setNoDelay().on('error', () => {})
    }
    client.on('data', (chunk) => {
      marked ||= rule !== undefined && chunk.includes(rule.text)
      if (!marked || !chunk.includes(COMMIT)) return void peer.write(chunk)
      awayUntil = Date.now() + rule!.awayMs
      if (rule!.when === 'delivered') peer.end(chunk)
      else peer.destroy()
      if (rule!.awayMs) for (const socket of open) if (socket !== peer) socket.destroy()
      rule = undefined
      marked = false
      client.destroy()
    })
    peer.on('data', (chunk) => client.write(chunk))
    client.on('close', () => {
      open.delete(client)
      if (!peer.writableEnded) peer.destroy()
    })
    peer.on('close', () => {
      open.delete(peer)
      client.destroy()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const own = (server.address() as AddressInfo).port
  return {
    via: (url) => url.replace(`:${port}/`, `:${own}/`),
    cutCommitOf: (text, when, awayMs = 0) => {
      rule = { text, when, awayMs }
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of open) socket.destroy()
      }),
  }
}
