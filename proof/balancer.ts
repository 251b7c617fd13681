// A balancer as small as one can be: it reads readiness, sends in turn to whoever is ready, repeats nothing.
import { Agent, createServer, get, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Balancer {
  readonly url: string
  /** Is this one being sent requests? */
  takes(target: string): boolean
  /** What it could not pass on, and why: each of them a request that failed. */
  readonly failures: readonly string[]
  close(): Promise<void>
}

interface BalancerTarget {
  readonly url: string
  readonly agent: Agent
  ready: boolean
}

const LOOK_EVERY_MS = 150
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'])

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const targets = urls.map((url): BalancerTarget => ({ url, agent: new Agent({ keepAlive: true, timeout: 30_000 }), ready: false }))
  const failures: string[] = []
  const state = { closing: false, turn: 0 }
  const next = () => {
    const ready = targets.filter((target) => target.ready)
    return ready[state.turn++ % ready.length]
  }
  const server = createServer((asked, answer) => {
    const target = next()
    const fail = (why: string) => {
      failures.push(`${asked.method} ${asked.url}: ${why}`)
      if (answer.headersSent) answer.destroy()
      else answer.writeHead(502).end()
    }
    if (target) pass(target, asked, answer, fail)
    else fail('nobody is ready')
  })
  const watching = Promise.all(targets.map((target) => watch(target, state)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    takes: (url) => targets.some((target) => target.url === url && target.ready),
    failures,
    async close() {
      state.closing = true
      await watching
      server.close()
      server.closeAllConnections()
      for (const { agent } of targets) agent.destroy()
    },
  }
}

function pass({ url, agent }: BalancerTarget, asked: IncomingMessage, answer: ServerResponse, fail: (why: string) => void): void {
  const headers = { ...endToEnd(asked), 'x-forwarded-for': asked.socket.remoteAddress, 'x-forwarded-proto': 'https' }
  const onward = request(`${url}${asked.url}`, { method: asked.method!, headers, agent }, (answered) => {
    answered.on('error', (error) => fail(`the answer broke off: ${error.message}`))
    answer.writeHead(answered.statusCode!, endToEnd(answered))
    answered.pipe(answer)
  })
  onward.on('error', (error: NodeJS.ErrnoException) =>
    fail(`${error.code ?? error.message}${onward.reusedSocket ? ' on a kept connection' : ''}`),
  )
  asked.pipe(onward)
}

const endToEnd = ({ headers }: IncomingMessage) => Object.fromEntries(Object.entries(headers).filter(([name]) => !HOP_BY_HOP.has(name)))

/**
 * One that says it is not ready, or nothing, gets nothing more;
 * the connections it leaves idle are dropped before it does so itself.
 */
async function watch(target: BalancerTarget, state: { closing: boolean }): Promise<void> {
  while (!state.closing) {
    target.ready = (await healthOf(target.url)) === 200
    if (!target.ready) for (const socket of Object.values(target.agent.freeSockets).flat()) socket?.destroy()
    await sleep(LOOK_EVERY_MS)
  }
}

const healthOf = (url: string) =>
  new Promise<number | undefined>((resolve) => {
    const asked = get(`${url}/health`, { agent: false, signal: AbortSignal.timeout(2000) }, (answer) => {
      answer.resume().on('error', () => {})
      resolve(answer.statusCode)
    })
    asked.on('error', () => resolve(undefined))
  })
