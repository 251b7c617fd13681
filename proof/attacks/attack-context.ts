// Where the attacks are tried: three replicas with the limits they have in service,
// a mail server, and as many client addresses as wanted.
import { randomBytes } from 'node:crypto'
import { Agent } from 'node:http'
import { fileURLToPath } from 'node:url'
import { type Client, createClient } from '@adjoin/contract'
import { type OpenIdProvider, startOpenIdProvider } from '../../api/test/openid-provider.ts'
import { type SmtpPeer, startSmtpPeer } from '../../api/test/smtp-peer.ts'
import { ask, type HttpAnswer } from '../ask.ts'
import type { Finding, Size } from '../finding.ts'
import { type Furnish, furnishBy } from '../furnish.ts'
import type { Random } from '../input/random.ts'
import { patience } from '../patience.ts'
import { createReplicas } from '../replicas.ts'
import { startVendor, type Vendor } from './vendor.ts'
import { startWatch, type Watch } from './watch.ts'

const PROCESS = fileURLToPath(new URL('../secrets/process.ts', import.meta.url))
export const PUBLIC_URL = 'http://localhost:3000'

export interface AttackContext {
  readonly size: Size
  readonly dice: Random
  readonly watch: Watch
  readonly urls: readonly string[]
  readonly furnish: Furnish
  readonly smtp: SmtpPeer
  readonly openId: OpenIdProvider
  /** The ad systems that all replicas call. */
  readonly vendor: Vendor
  close(): Promise<void>
}

/** One kind of attack: what was tried and what became of it. */
export type Attack = (context: AttackContext) => AsyncIterable<Finding>

/** Dies before the machine does: an attack that fills memory must not take the proof along. */
const HEAP = '--max-old-space-size=1024'

export interface AttackContextOptions {
  readonly size: Size
  readonly dice: Random
}

export async function openAttackContext({ size, dice }: AttackContextOptions): Promise<AttackContext> {
  const openId = await startOpenIdProvider(`${PUBLIC_URL}/v1/auth/google/callback`)
  const smtp = await startSmtpPeer()
  const vendor = await startVendor()
  const { clientId, clientSecret, issuer } = openId.client
  const closePeers = async () => {
    await smtp.close()
    await openId.close()
    await vendor.close()
  }
  try {
    const env = {
      PUBLIC_URL,
      TWINS: vendor.url,
      LIMITS_FACTOR: '1',
      LOG_LEVEL: 'fatal',
      SMTP_URL: smtp.url,
      NODE_OPTIONS: `${HEAP} ${patience(size)}`,
      GOOGLE_CLIENT_ID: clientId,
      GOOGLE_CLIENT_SECRET: clientSecret,
      GOOGLE_ISSUER: issuer,
    }
    const replicas = await createReplicas(3, env, PROCESS)
    const furnish = furnishBy(replicas.database.connection)
    const watch = startWatch(replicas.services, size)
    const close = async () => {
      for (const agent of agents.values()) agent.destroy()
      await watch.stop()
      await furnish.end()
      await replicas.remove()
      await closePeers()
    }
    return { size, dice, watch, urls: replicas.services.map(({ url }) => url), furnish, smtp, openId, vendor, close }
  } catch (error) {
    await closePeers()
    throw error
  }
}

/** A client address of its own, out of 127.0.0.0/8: an attack from one uses up the limits of that one. */
export const newAddress = (): string => `127.${1 + (randomBytes(1)[0]! % 250)}.${randomBytes(1)[0]}.${1 + (randomBytes(1)[0]! % 250)}`

const agents = new Map<string, Agent>()
export function agentFrom(localAddress: string): Agent {
  const agent = agents.get(localAddress) ?? new Agent({ keepAlive: true, localAddress })
  agents.set(localAddress, agent)
  return agent
}

export interface Sending {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly from?: string
}

/** One request, from an address of its own unless told. */
export const send = (url: string, { from, ...more }: Sending = {}): Promise<HttpAnswer> =>
  ask(url, { agent: from ? agentFrom(from) : new Agent({ localAddress: newAddress() }), ...more })

export const clientOf = (url: string, { headers }: { headers: object }): Client => createClient({ url, headers: { ...headers } })

/** `409 quota_reached`, or the status alone. */
export const outcomeOf = ({ status, body }: { status: number; body: string }): string =>
  [status, /"code":"(\w+)"/.exec(body)?.[1]].filter(Boolean).join(' ')

export const unique = () => randomBytes(5).toString('hex')

/** `3 × 201, 12 × 409 quota_reached` */
export function counted(outcomes: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  return [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(', ')
}

/** `many` things at a time, so many at once. */
export async function inParallel<T, R>(items: readonly T[], atOnce: number, act: (item: T, index: number) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  let next = 0
  const work = async () => {
    while (next < items.length) {
      const index = next++
      results[index] = await act(items[index]!, index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, work))
  return results
}
