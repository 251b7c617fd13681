/**
 * Sends events to addresses that tenants chose, behind the guard that calls to ad systems have:
 * public addresses alone, checked where the connection is opened; no redirect is followed.
 */
import { isIP } from 'node:net'
import { Agent } from 'undici'
import { type Address, isPublic, publicAddresses, type Resolve, resolveName } from '../providers/addresses.ts'
import { DEFAULT_WAITS } from '../waits.ts'
import { checkedLookup } from './forward.ts'

export interface WebhookPost {
  readonly url: URL
  /** http on this very machine, which is let through in development alone. */
  readonly local: boolean
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What the consumer answered, with the beginning of its text; or why there is no answer. */
export type PostAnswer =
  | { readonly status: number; readonly retryAfter?: number | undefined; readonly text: string }
  | { readonly error: string }

export interface WebhookSender {
  post(post: WebhookPost): Promise<PostAnswer>
  /** Why an address cannot be used; undefined: it can. */
  refusal(url: URL): Promise<string | undefined>
  close(): Promise<void>
}

export interface WebhookSenderOptions {
  readonly totalMs?: number
  readonly connectMs?: number
  readonly resolve?: Resolve
  /** Certificates of stand-ins. */
  readonly ca?: string
  /** Says that a database transaction is open: then nothing may go out, and it throws. */
  readonly forbidden?: () => boolean
}

const MOST_ANSWER_BYTES = 16 << 10
const CONNECTION_MS = 60_000

export function createWebhookSender(options: WebhookSenderOptions = {}): WebhookSender {
  const { totalMs = DEFAULT_WAITS.webhook, connectMs = DEFAULT_WAITS.webhookConnect, resolve = resolveName, forbidden } = options
  const patience = { headersTimeout: totalMs, bodyTimeout: totalMs, keepAliveTimeout: 10_000, keepAliveMaxTimeout: CONNECTION_MS }
  const agentFor = (addressesOf: (host: string) => Promise<Address[] | null>) =>
    new Agent({
      ...patience,
      clientTtl: CONNECTION_MS, // as many as there are webhooks: consumers behind one host name do not wait for each other
      maxHeaderSize: 16_384,
      connect: { timeout: connectMs, ...(options.ca && { ca: options.ca }), lookup: checkedLookup(addressesOf) },
    })
  /** Null as well for a name that nobody has: the answer must not tell which names our own network knows. */
  const addressesOf = (host: string): Promise<Address[] | null> => {
    const late = new Promise<null>((settle) => setTimeout(() => settle(null), connectMs * 0.9).unref())
    return Promise.race([publicAddresses(host, resolve).catch(() => null), late])
  }
  const pinned = agentFor(addressesOf)
  const local = agentFor(async () => [{ address: '127.0.0.1', family: 4 }])

  return {
    async post({ url, local: here, headers, body }) {
      if (forbidden?.()) throw new Error('nothing must be sent while a database transaction is open')
      if (!here && isClosed(url)) return { error: NOT_PUBLIC }
      try {
        const answer = await (here ? local : pinned).request({
          origin: url.origin,
          path: `${url.pathname}${url.search}`,
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json', 'accept-encoding': 'identity', 'user-agent': 'Adjoin-Webhooks/1' },
          body,
          signal: AbortSignal.timeout(totalMs),
        })
        const text = await beginningOf(answer.body).catch(() => '') // its status has been said
        return { status: answer.statusCode, retryAfter: retryAfterOf(answer.headers['retry-after']), text }
      } catch (error) {
        return { error: errorOf(error as Error & { code?: string }) }
      }
    },
    async refusal(url) {
      if (isClosed(url)) return NOT_PUBLIC
      return (await addressesOf(url.hostname)) ? undefined : NOT_PUBLIC
    },
    close: async () => void (await Promise.all([pinned.destroy(), local.destroy()])),
  }
}

const NOT_PUBLIC = 'its host has no public address'

const bare = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, '')

/** No name is looked up for a literal address, so that it is checked here. */
const isClosed = (url: URL): boolean => url.protocol !== 'https:' || (isIP(bare(url)) !== 0 && !isPublic(bare(url)))

async function beginningOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body) {
    chunks.push(chunk)
    size += chunk.length
    if (size >= MOST_ANSWER_BYTES) break // ends the connection: nobody reads the rest
  }
  return Buffer.concat(chunks).subarray(0, MOST_ANSWER_BYTES).toString('utf8')
}

/** Seconds, or a date. */
function retryAfterOf(header: string | string[] | undefined): number | undefined {
  const text = String(header ?? '')
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isFinite(at) ? Math.max(0, Math.ceil((at - Date.now()) / 1000)) : undefined
}

const errorOf = ({ code, name, message }: Error & { code?: string }): string =>
  name === 'TimeoutError' || /TIMEOUT/.test(code ?? '')
    ? 'no answer within 15 seconds'
    : message.includes('public addresses')
      ? NOT_PUBLIC
      : (code ?? 'the connection failed')
