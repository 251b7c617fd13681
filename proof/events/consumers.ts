// Servers that events are sent to, each with a habit.
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export const consumerKinds = ['well', 'slow', 'reset', 'garbage', 'redirecting', 'dead'] as const
export type ConsumerKind = (typeof consumerKinds)[number]

export interface Consumer {
  readonly kind: ConsumerKind
  readonly url: string
  /** The numbers of the events that it has taken, in the order they came. */
  readonly seen: number[]
}

/** Most fail now and then, each in its own way; an event counts as taken only with a 2xx. */
const habits: Record<ConsumerKind, (response: ServerResponse, socket: Socket, fails: boolean) => Promise<boolean>> = {
  well: async (response) => taken(response),
  slow: async (response) => {
    await sleep(20)
    return taken(response)
  },
  reset: async (response, socket, fails) => {
    if (!fails) return taken(response)
    socket.resetAndDestroy()
    return false
  },
  garbage: async (response, socket, fails) => {
    if (!fails) return taken(response)
    socket.end('HTTP/9 what?\r\n\r\n')
    return false
  },
  redirecting: async (response, _, fails) => {
    if (!fails) return taken(response)
    response.writeHead(307, { location: 'http://127.0.0.1:9/' }).end()
    return false
  },
  dead: async (_, socket) => {
    socket.destroy()
    return false
  },
}

function taken(response: ServerResponse): boolean {
  response.writeHead(204).end()
  return true
}

export async function startConsumers(count: number, failsEvery: number) {
  const closings: (() => void)[] = []
  const start = async (kind: ConsumerKind): Promise<Consumer> => {
    const seen: number[] = []
    let asked = 0
    const server = createServer(async (request, response) => {
      let body = ''
      for await (const chunk of request) body += chunk
      if (await habits[kind](response, request.socket, ++asked % failsEvery === 0))
        seen.push((JSON.parse(body) as { sequence: number }).sequence)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    closings.push(() => {
      server.closeAllConnections()
      server.close()
    })
    return { kind, seen, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook` }
  }
  const all = await Promise.all(Array.from({ length: count }, (_, i) => start(consumerKinds[i % consumerKinds.length]!)))
  return {
    all,
    living: () => all.filter(({ kind }) => kind !== 'dead'),
    close: async () => {
      for (const close of closings) close()
    },
  }
}
