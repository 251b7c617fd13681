// A server that events are sent to: what it got, and what it answers.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Event } from '@adjoin/contract'

export interface Received {
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly event: Event
}

export type Answering = (received: Received, response: ServerResponse, count: number) => void

export async function startConsumer(answering: Answering = (_, response) => response.writeHead(204).end()) {
  const received: Received[] = []
  const state = { answering }
  const server = createServer({ keepAliveTimeout: 0 }, async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks).toString()
    const one = { url: request.url!, headers: request.headers, body, event: JSON.parse(body) as Event }
    received.push(one)
    state.answering(one, response, received.length)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/secret-path`,
    received,
    types: () => received.map(({ event }) => event.type),
    answer: (next: Answering) => {
      state.answering = next
    },
    close: () => {
      server.closeAllConnections()
      return new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
export type Consumer = Awaited<ReturnType<typeof startConsumer>>
