/**
 * A plain server on loopback that stands in for the outside, and remembers what it was sent.
 * It closes no connection by itself: on a slow machine that would be when one is used again.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Received = { method: string; path: string; headers: Record<string, string>; body: string }
export type Loopback = { url: string; received: Received[]; close(): Promise<void> }
export type Handle = (received: Received, response: ServerResponse, request: IncomingMessage) => void

export async function loopback(handle: Handle): Promise<Loopback> {
  const received: Received[] = []
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const one = { method: request.method ?? '', path: request.url ?? '', headers, body: Buffer.concat(chunks).toString() }
      received.push(one)
      handle(one, response, request)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** Answers with a status and a JSON body. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Handle => {
  return (_received, response) => response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
}
