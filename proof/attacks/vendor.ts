// The ad systems of the attacks: the twins, what arrives at them, and a careless answer in front of them,
// which repeats its caller's secret in whatever spelling it is asked for.
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { createSandbox } from '../../api/src/sandbox/index.ts'
import { bytesOf, type Sign, signsOf, spellings } from '../../api/test/spellings.ts'

/** A slow answer of a twin takes as long as nobody waits. */
const SLOW_MS = 60_000

export interface Spelled {
  readonly secret: string
  readonly signs: readonly Sign[]
}

export interface Vendor {
  readonly url: string
  /** How many calls came whose address or body contains this. */
  arrived(mark: string): number
  /** What was answered to the call with this mark. */
  said(mark: string): Spelled | undefined
  close(): Promise<void>
}

export async function startVendor(): Promise<Vendor> {
  const twins = await createSandbox({ secret: 'proof', environment: 'test', slowMs: SLOW_MS }).listen()
  const arrivals: string[] = []
  const said = new Map<string, Spelled>()
  const server = createServer({ keepAliveTimeout: 0 }, async (asked, answer) => {
    const body = await buffer(asked).catch(() => undefined)
    if (!body) return
    arrivals.push(`${asked.url} ${body}`)
    const query = new URL(asked.url!, 'http://vendor').searchParams
    const ways = query.get('spelled')?.split('~')
    if (!ways) return passOn(`${twins.url}${asked.url}`, asked, body, answer)
    const spelled = spell(secretOf(asked), ways)
    said.set(query.get('mark')!, spelled)
    answer.writeHead(200, { 'content-type': 'text/plain' }).end(bytesOf(spelled.signs))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    arrived: (mark) => arrivals.filter((url) => url.includes(mark)).length,
    said: (mark) => said.get(mark),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await twins.close()
    },
  }
}

const secretOf = ({ headers }: IncomingMessage) => String(headers['ttd-auth'] ?? headers.authorization).replace(/^\w+ /, '')
const spell = (secret: string, ways: readonly string[]): Spelled => ({
  secret,
  signs: ways.reduce((signs, way) => spellings[way]!(signs), signsOf(secret)),
})

function passOn(url: string, asked: IncomingMessage, body: Buffer, answer: ServerResponse): void {
  const further = request(url, { method: asked.method!, headers: asked.headers }, (got) => {
    answer.writeHead(got.statusCode!, got.headers)
    got.on('error', () => answer.destroy())
    got.pipe(answer)
  })
  further.on('error', () => answer.destroy())
  answer.on('close', () => further.destroy())
  further.end(body)
}
