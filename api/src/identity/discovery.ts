import { isLoopback } from '@adjoin/contract/trusted-url'
import * as oidc from 'openid-client'
import type { Environment, IdentityClient } from '../config.ts'

export type Fetch = (url: string, options: RequestInit) => Promise<Response>
export type Discover = () => Promise<oidc.Configuration>

const KEPT_MS = 3_600_000
/** A provider that is down is not asked again by every visitor at once. */
const FAILURE_KEPT_MS = 5000
const LARGEST_ANSWER = 256 * 1024

/**
 * The issuer's own description of itself, read once an hour and shared by all who wait for it.
 * A failure is an error for each of them.
 */
export function discoverer(
  { clientId, clientSecret, issuer }: IdentityClient,
  environment: Environment,
  fetch: Fetch,
  waitMs: number,
): Discover {
  const insecure = environment !== 'production' && isLoopback(issuer)
  const discover = () =>
    oidc.discovery(
      new URL(issuer),
      clientId,
      // Named here, so that no discovery document can talk us into `none` or into a secret as a public key.
      { client_secret: clientSecret, id_token_signed_response_alg: 'RS256' },
      oidc.ClientSecretPost(clientSecret),
      {
        timeout: waitMs / 1000,
        [oidc.customFetch]: bounded(again(fetch)),
        // The signature is checked although the token comes straight from the provider over TLS.
        execute: [oidc.enableNonRepudiationChecks, ...(insecure ? [oidc.allowInsecureRequests] : [])],
      },
    )
  let known: { configuration: Promise<oidc.Configuration>; until: number } | undefined
  return () => {
    if (known && performance.now() < known.until) return known.configuration
    const next = { configuration: discover(), until: performance.now() + KEPT_MS }
    next.configuration.catch(() => {
      next.until = performance.now() + FAILURE_KEPT_MS
    })
    known = next
    return next.configuration
  }
}

/** What the system, or undici, calls a connection that ended without an answer. */
const CLOSED = new Set<unknown>(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'])

/**
 * A provider closes connections that nobody uses, and may do so in the moment when one is used again.
 * If it had heard the request after all, it refuses the second one, and nobody is signed in.
 */
const again =
  (fetch: Fetch): Fetch =>
  (url, options) =>
    fetch(url, options).catch((error: Error) => {
      if (!CLOSED.has((error.cause as { code?: unknown } | undefined)?.code)) throw error
      return fetch(url, options)
    })

/**
 * No redirect is followed, and no answer is read further
 * than a discovery document or key set could ever be long.
 */
const bounded =
  (fetch: Fetch): oidc.CustomFetch =>
  async (url, options) => {
    const response = await fetch(url, { ...(options as RequestInit), redirect: 'manual' })
    const chunks: Uint8Array[] = []
    let length = 0
    for await (const chunk of response.body ?? []) {
      length += chunk.length
      if (length > LARGEST_ANSWER) throw new Error('the answer is too large')
      chunks.push(chunk)
    }
    return new Response(length ? Buffer.concat(chunks) : null, { status: response.status, headers: response.headers })
  }
