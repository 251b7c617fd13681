/**
 * The only way out to an ad system. Allow-listed hosts, https, no redirects,
 * checked addresses, short time-outs, small answers, few retries.
 * node:https rather than fetch: only here can the connection be pinned to the address that was checked.
 */
import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate } from 'node:zlib'
import { hasMoreValues } from '../domain/json-text.ts'
import { DEFAULT_WAITS } from '../waits.ts'
import { type Address, publicAddresses, type Resolve, resolveName } from './addresses.ts'
import { parseJson, retryAfter } from './answer.ts'
import { type BreakerOptions, createBreaker, createBulkhead } from './breaker.ts'
import type { TransientReason } from './reasons.ts'
import type { VendorAnswer } from './rule.ts'

export type TransportFailure = { failure: TransientReason; detail: string }
export type Outgoing = {
  provider: string
  /** The provider's own origins; anything else is a defect and throws. */
  allowed: readonly string[]
  /** The sandbox's origin and path when the system is served by its twin. */
  twin?: string
  method: string
  url: string
  headers: Record<string, string>
  body?: string
  repeatable: boolean
  /** By performance.now(): shared by every call of one run. */
  deadline: number
}
export type Observation = { provider: string; host: string; method: string; status: number | TransientReason; ms: number; attempt: number }

export type HttpOptions = {
  connectMs?: number
  maxBytes?: number
  retries?: number
  retryMs?: number
  /** No wait inside one call is longer; a longer Retry-After is handed back instead. */
  longestWaitMs?: number
  atOnce?: number
  waiting?: number
  breaker?: BreakerOptions
  resolve?: Resolve
  observe?: (observation: Observation) => void
  /** Says that a database transaction is open: then nothing may go out, and it throws. */
  forbidden?: () => boolean
}

export type Http = (outgoing: Outgoing) => Promise<VendorAnswer | TransportFailure>

const decoders: Record<string, (data: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>> = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
}

/**
 * The address really called: the system's own, or the same one behind its twin.
 * Throws for a host that is not the provider's.
 */
export function route({ provider, allowed, twin, url }: Pick<Outgoing, 'provider' | 'allowed' | 'twin' | 'url'>): URL {
  const wanted = new URL(url)
  if (wanted.protocol !== 'https:' || wanted.username || wanted.password || !allowed.includes(wanted.origin))
    throw new Error(`${wanted.protocol}//${wanted.host} is not a host of ${provider}`)
  return twin ? new URL(`${twin}/sandbox/${provider}/${wanted.host}${wanted.pathname}${wanted.search}`) : wanted
}

export function createHttp(options: HttpOptions = {}): Http {
  const {
    connectMs = DEFAULT_WAITS.vendorConnect,
    maxBytes = 1_000_000,
    retries = 2,
    retryMs = 200,
    longestWaitMs = 2000,
    atOnce = 16,
    waiting = 64,
  } = options
  const { breaker: limits = { failures: 10, restMs: 30_000 }, resolve = resolveName, observe, forbidden } = options
  const bulkheads = new Map<string, ReturnType<typeof createBulkhead>>()
  const breakers = new Map<string, ReturnType<typeof createBreaker>>()

  async function sendOnce(outgoing: Outgoing, url: URL): Promise<VendorAnswer | TransportFailure> {
    const left = outgoing.deadline - performance.now()
    if (left <= 0) return { failure: 'timeout', detail: 'no time left' }
    const timers = new AbortController()
    const connecting = sleep(Math.min(connectMs, left), undefined, { signal: timers.signal }).then(() => 'timeout' as const)
    // An aborted timer rejects; whoever still listens must not end the process.
    connecting.catch(() => undefined)
    try {
      const addresses = outgoing.twin ? undefined : await Promise.race([publicAddresses(url.hostname, resolve), connecting])
      if (addresses === 'timeout') return { failure: 'timeout', detail: 'name resolution' }
      if (addresses === null) return { failure: 'address_refused', detail: `${url.hostname} does not resolve to public addresses only` }
      return await exchange(outgoing, url, addresses, { connectMs: Math.min(connectMs, left), left, maxBytes })
    } catch (error) {
      return { failure: 'network', detail: (error as NodeJS.ErrnoException).code ?? 'network error' }
    } finally {
      timers.abort()
    }
  }

  async function sendWithRetries(outgoing: Outgoing, url: URL): Promise<VendorAnswer | TransportFailure> {
    for (let attempt = 0; ; attempt += 1) {
      const started = performance.now()
      const answer = await sendOnce(outgoing, url)
      const status = 'failure' in answer ? answer.failure : answer.status
      observe?.({
        provider: outgoing.provider,
        host: new URL(outgoing.url).host,
        method: outgoing.method,
        status,
        ms: performance.now() - started,
        attempt,
      })
      const healable = 'failure' in answer ? status === 'timeout' || status === 'network' : answer.status === 429 || answer.status >= 500
      if (!healable || !outgoing.repeatable || attempt >= retries) return answer
      const asked = 'failure' in answer ? undefined : retryAfter(answer.headers, new Date())
      // A system that asks to slow down without saying how long is left alone.
      if (status === 429 && asked === undefined) return answer
      const wait = asked === undefined ? retryMs * 2 ** attempt * (0.5 + Math.random()) : asked * 1000
      if (wait > longestWaitMs || performance.now() + wait >= outgoing.deadline) return answer
      await sleep(wait)
    }
  }

  return async (outgoing) => {
    if (forbidden?.()) throw new Error('an ad system must not be called while a database transaction is open')
    const url = route(outgoing)
    const enter = getOrCreate(bulkheads, outgoing.provider, () => createBulkhead(atOnce, waiting))
    const breaker = getOrCreate(breakers, `${outgoing.provider} ${new URL(outgoing.url).host}`, () =>
      createBreaker(limits, () => performance.now()),
    )
    // The breaker first: a failing system is answered for at once, even while slow calls hold every place.
    if (!breaker.admits()) return { failure: 'outage', detail: 'resting after repeated failures' }
    const leave = await enter(outgoing.deadline - performance.now())
    if (!leave) {
      breaker.withdraw()
      return { failure: 'busy', detail: 'too many calls at once' }
    }
    let healthy = false
    try {
      const answer = await sendWithRetries(outgoing, url)
      healthy = !('failure' in answer) && answer.status < 500
      return answer
    } finally {
      breaker.report(healthy)
      leave()
    }
  }
}

function getOrCreate<T>(map: Map<string, T>, key: string, make: () => T): T {
  const value = map.get(key) ?? make()
  map.set(key, value)
  return value
}

type Limits = { connectMs: number; left: number; maxBytes: number }

/** One request on a connection of its own, to an address that was checked. */
function exchange(
  outgoing: Outgoing,
  url: URL,
  addresses: Address[] | undefined,
  { connectMs, left, maxBytes }: Limits,
): Promise<VendorAnswer | TransportFailure> {
  const pinned: LookupFunction = (_host, { all }, found) =>
    all ? found(null, addresses ?? []) : found(null, addresses?.[0]?.address ?? '', addresses?.[0]?.family)
  return new Promise((resolve) => {
    const body = outgoing.body === undefined ? undefined : Buffer.from(outgoing.body)
    const headers = { 'accept-encoding': 'gzip, deflate, br', ...outgoing.headers, ...(body && { 'content-length': String(body.length) }) }
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: outgoing.method,
      headers,
      agent: false,
      maxHeaderSize: 16_384,
      ...(addresses && { lookup: pinned }),
    })
    const end = (result: VendorAnswer | TransportFailure) => {
      clearTimeout(connecting)
      clearTimeout(total)
      request.destroy()
      resolve(result)
    }
    const connecting = setTimeout(() => end({ failure: 'timeout', detail: 'connecting' }), connectMs)
    const total = setTimeout(() => end({ failure: 'timeout', detail: 'waiting for the answer' }), left)
    request.on('socket', (socket) => socket.once(url.protocol === 'https:' ? 'secureConnect' : 'connect', () => clearTimeout(connecting)))
    request.on('error', (error: NodeJS.ErrnoException) => end({ failure: 'network', detail: error.code ?? 'network error' }))
    request.on('response', (response) => {
      const chunks: Buffer[] = []
      let size = 0
      response.on('error', (error: NodeJS.ErrnoException) => end({ failure: 'network', detail: error.code ?? 'network error' }))
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        chunks.push(chunk)
        if (size > maxBytes) end({ failure: 'odd_answer', detail: 'answer too large' })
      })
      response.on('end', () => {
        clearTimeout(total)
        decoded(Buffer.concat(chunks), response.headers['content-encoding'], maxBytes).then(
          (text) =>
            hasMoreValues(text, MOST_VALUES)
              ? end({ failure: 'odd_answer', detail: 'answer with too many values' })
              : end({ status: response.statusCode ?? 0, headers: flatHeaders(response.headers), body: parseJson(text), text }),
          () => end({ failure: 'odd_answer', detail: 'answer too large or broken when unpacked' }),
        )
      })
    })
    request.end(body)
  })
}

/** No page that is asked for has more. */
const MOST_VALUES = 60_000

async function decoded(data: Buffer, encoding: string | undefined, maxBytes: number): Promise<string> {
  const decode = encoding ? decoders[encoding.trim().toLowerCase()] : undefined
  if (encoding && encoding !== 'identity' && !decode) throw new Error('unknown content encoding')
  return (decode && data.length > 0 ? await decode(data, { maxOutputLength: maxBytes }) : data).toString('utf8')
}

const flatHeaders = (headers: http.IncomingHttpHeaders): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]))
