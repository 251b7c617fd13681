/**
 * The sandbox: a twin of every ad system under /sandbox/<provider>/<host>/<path>, for development and tests.
 * The service calls it on a loopback port of its own; browsers visit it there,
 * or under the service's address. Never in production.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ProviderId } from '@adjoin/contract'
import { adformTwin } from './adform.ts'
import { amazonAdsTwin } from './amazon-ads.ts'
import { campaignManager360Twin } from './campaign-manager-360.ts'
import { criteoTwin } from './criteo.ts'
import { displayVideo360Twin } from './display-video-360.ts'
import { freewheelTwin } from './freewheel.ts'
import { googleAdManagerTwin } from './google-ad-manager.ts'
import { googleAdsTwin } from './google-ads.ts'
import { linkedinAdsTwin } from './linkedin-ads.ts'
import { magniteTwin } from './magnite.ts'
import { metaAdsTwin } from './meta-ads.ts'
import { microsoftAdsTwin } from './microsoft-ads.ts'
import { pinterestAdsTwin } from './pinterest-ads.ts'
import { pubmaticTwin } from './pubmatic.ts'
import { redditAdsTwin } from './reddit-ads.ts'
import { rehearsed } from './rehearsals.ts'
import { snapchatAdsTwin } from './snapchat-ads.ts'
import { stackadaptTwin } from './stackadapt.ts'
import { theTradeDeskTwin } from './the-trade-desk.ts'
import { tiktokAdsTwin } from './tiktok-ads.ts'
import { createTokenIssuer } from './tokens.ts'
import { type Reply, type Route, type TokenClaims, type TokenKind, type Twin, type TwinRequest, text } from './twin.ts'
import { xandrTwin } from './xandr.ts'

// biome-ignore format: one line per system
const twins: Record<ProviderId, Twin> = {
  google_ads: googleAdsTwin,
  meta_ads: metaAdsTwin,
  microsoft_ads: microsoftAdsTwin,
  amazon_ads: amazonAdsTwin,
  tiktok_ads: tiktokAdsTwin,
  linkedin_ads: linkedinAdsTwin,
  pinterest_ads: pinterestAdsTwin,
  snapchat_ads: snapchatAdsTwin,
  reddit_ads: redditAdsTwin,
  display_video_360: displayVideo360Twin,
  the_trade_desk: theTradeDeskTwin,
  criteo: criteoTwin,
  stackadapt: stackadaptTwin,
  adform: adformTwin,
  google_ad_manager: googleAdManagerTwin,
  campaign_manager_360: campaignManager360Twin,
  xandr: xandrTwin,
  magnite: magniteTwin,
  pubmatic: pubmaticTwin,
  freewheel: freewheelTwin,
}

export type Sandbox = {
  /** What a browser gets that was sent to a consent page. */
  visit(request: IncomingMessage): Reply
  listen(port?: number): Promise<{ url: string; close(): Promise<void> }>
  /** A token as the twin would have given it, so that scripts and tests can begin in mid-story. */
  mint(provider: ProviderId, kind: TokenKind, claims?: Partial<TokenClaims>): string
  /** Ends the access behind a token, as the client would at the real system. */
  revoke(provider: ProviderId, token: string): void
  /** Does the system still accept this token? */
  isLive(provider: ProviderId, token: string): boolean
}

/** `environment` is what the configuration says (NODE_ENV); it has no default, so that nobody forgets it. */
export type SandboxOptions = {
  secret: string
  environment: 'development' | 'test' | 'production'
  /** As registered with every system's app: nobody is sent anywhere else. Without it anywhere will do. */
  redirectUri?: string
  slowMs?: number
  /** Hears of every call as it arrives. */
  observe?: (call: { readonly method: string; readonly url: string }) => void
  clock?: () => number
}

const LARGEST_BODY = 65_536
/** Between two parts of a slow answer passes this part of a slow answer's time. */
const SLOW_PARTS = 60

async function* paced({ chunks, paced }: NonNullable<Reply['stream']>, pauseMs: number): AsyncIterable<Buffer> {
  for (const chunk of chunks) {
    if (paced) await sleep(pauseMs)
    yield chunk
  }
}

export function createSandbox({ secret, environment, redirectUri, slowMs = 30_000, clock = Date.now, observe }: SandboxOptions): Sandbox {
  // A twin accepts any login.
  if (environment === 'production') throw new Error('the sandbox does not run in production: unset SANDBOX, or NODE_ENV')
  const running = new Map(
    Object.entries(twins).map(([id, twin]) => [
      id,
      { issuer: createTokenIssuer(id, twin, secret, clock, redirectUri), routes: Object.entries(twin.routes).map(compiled) },
    ]),
  )
  const issuerOf = (provider: ProviderId) => running.get(provider)!.issuer

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const chunks: Buffer[] = []
    let size = 0
    request.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= LARGEST_BODY) chunks.push(chunk)
    })
    request.on('end', () => {
      observe?.({ method: request.method ?? '', url: request.url ?? '' })
      const reply = size > LARGEST_BODY ? text(413, 'too large') : answered(request, Buffer.concat(chunks).toString())
      const send = () => {
        response.writeHead(reply.status, { 'x-sandbox': 'true', ...reply.headers })
        if (reply.stream)
          void pipeline(paced(reply.stream, slowMs / SLOW_PARTS), response).catch(() => {}) // the caller hung up
        else response.end(reply.body)
      }
      const waiting = setTimeout(send, reply.slow ? slowMs : 0)
      response.on('close', () => clearTimeout(waiting))
    })
  }

  function answered(request: IncomingMessage, body: string): Reply {
    const url = new URL(request.url ?? '/', 'http://sandbox')
    const [, provider = '', host = '', path = ''] = url.pathname.match(/^\/sandbox\/([a-z0-9_]+)\/([^/]+)(\/.*)?$/) ?? []
    const twin = running.get(provider)
    if (!twin) return text(404, 'The sandbox has no such system.')
    const place = `${request.method} ${host}${path}`
    for (const { pattern, route } of twin.routes) {
      const match = place.match(pattern)
      if (!match) continue
      const asked = twinRequest(request, host, path, url.searchParams, match.groups ?? {}, body)
      const reply = route(asked, twin.issuer)
      return (reply.status < 300 && rehearsed(asked)) || reply
    }
    return text(404, `The twin of ${provider} has no such call.`)
  }

  return {
    visit: (request) => answered(request, ''),
    mint: (provider, kind, claims) => issuerOf(provider).mint(kind, claims),
    revoke(provider, token) {
      const claims = (['access', 'refresh'] as const).map((kind) => issuerOf(provider).open(kind, token)).find(Boolean)
      if (claims) issuerOf(provider).revoke(claims.grant)
    },
    isLive: (provider, token) => (['access', 'refresh'] as const).some((kind) => issuerOf(provider).open(kind, token) !== null),
    async listen(port = 0) {
      // Longer than the gateway keeps a connection: it, not we, ends an idle one.
      const server = createServer({ keepAliveTimeout: 65_000 }, handle)
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
      const close = () =>
        new Promise<void>((resolve) => {
          server.close(() => resolve())
          server.closeAllConnections()
        })
      return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close }
    },
  }
}

function twinRequest(
  request: IncomingMessage,
  host: string,
  path: string,
  query: URLSearchParams,
  groups: Record<string, string>,
  body: string,
): TwinRequest {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const form = new URLSearchParams(headers['content-type']?.startsWith('application/x-www-form-urlencoded') ? body : '')
  const parameters = Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, value]))
  return { method: request.method ?? '', host, path, parameters, query, headers, text: body, form, json: parsed(body) }
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

/** "GET host/{version}/customers" as a pattern with named groups. */
function compiled([place, route]: [string, Route]): { pattern: RegExp; route: Route } {
  const source = place.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')
  return { pattern: new RegExp(`^${source}$`), route }
}

export { type Play, plays, type TokenClaims, type TokenKind, type Twin } from './twin.ts'
