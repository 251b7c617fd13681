/** A real OpenID provider on loopback, standing in for Google or Microsoft. */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Provider, { type Context } from 'oidc-provider'
import type { IdentityClient } from '../src/config.ts'

export type IssuedClaims = Record<string, unknown>

export interface OpenIdProvider {
  readonly client: IdentityClient
  /** Whoever logs in next, by what the provider says of them; null: the person declines. */
  next: (IssuedClaims & { sub: string }) | null
  /** What it was asked for, newest last. */
  readonly asked: URLSearchParams[]
  close(): Promise<void>
}

export async function startOpenIdProvider(redirectUri: string): Promise<OpenIdProvider> {
  const server = createServer({ keepAliveTimeout: 0 }) // see loopback.ts
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const client = { clientId: 'adjoin', clientSecret: randomBytes(24).toString('base64url'), issuer }
  const people = new Map<string, IssuedClaims>()
  const op: OpenIdProvider = {
    client,
    next: null,
    asked: [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.clientId,
        client_secret: client.clientSecret,
        redirect_uris: [redirectUri],
        token_endpoint_auth_method: 'client_secret_post',
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), kid: 'one', use: 'sig', alg: 'RS256' }] },
    adapter: memory(),
    cookies: { keys: [randomBytes(16).toString('hex')] },
    // Claims stand in the ID token itself, as Google and Microsoft do it.
    conformIdTokenClaims: false,
    claims: {
      openid: ['sub', 'tid', 'oid', 'xms_edov'],
      email: ['email', 'email_verified', 'preferred_username'],
      profile: ['name', 'picture'],
    },
    pkce: { required: () => true },
    ttl: { Session: 3600, Interaction: 600, Grant: 600, AuthorizationCode: 60, AccessToken: 60, IdToken: 600 },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, accountId: string) => ({ accountId, claims: () => people.get(accountId) }),
    // Consent is given: what the tests are about happens before and after it.
    loadExistingGrant: async ({ oidc }: Context) => {
      const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId: oidc.session.accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const answer = provider.callback()
  server.on('request', async (request, response) => {
    const url = new URL(request.url!, issuer)
    if (url.pathname === '/auth') op.asked.push(url.searchParams)
    if (!url.pathname.startsWith('/interaction/')) return answer(request, response)
    if (!op.next)
      return provider.interactionFinished(request, response, { error: 'access_denied', error_description: 'the person said no' })
    people.set(op.next.sub, op.next)
    return provider.interactionFinished(request, response, { login: { accountId: op.next.sub } })
  })
  return op
}

/** What the provider remembers: as much of its adapter's contract as one run needs. */
function memory() {
  const kept = new Map<string, Record<string, unknown>>()
  return (model: string) => ({
    upsert: async (id: string, payload: Record<string, unknown>) => void kept.set(`${model}:${id}`, payload),
    find: async (id: string) => kept.get(`${model}:${id}`),
    findByUid: async (uid: string) => [...kept.values()].find((payload) => payload.uid === uid && payload.kind === model),
    consume: async (id: string) =>
      void kept.set(`${model}:${id}`, { ...kept.get(`${model}:${id}`), consumed: Math.floor(Date.now() / 1000) }),
    destroy: async (id: string) => void kept.delete(`${model}:${id}`),
    revokeByGrantId: async (grantId: string) => {
      for (const [id, payload] of kept) if (payload.grantId === grantId) kept.delete(id)
    },
  })
}
