/** An OpenID provider that lies: every answer is the test's to forge, signed with keys of its own. */
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import type { IdentityClient } from '../src/config.ts'
import { type Handle, json, loopback } from './loopback.ts'

export type Forgery = { header?: Record<string, unknown>; claims?: Record<string, unknown>; key?: KeyObject; secret?: string | Buffer }

const encode = (part: unknown) => Buffer.from(JSON.stringify(part)).toString('base64url')
export const newRsaKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey

/** A compact JWS: RS256 with a key, HS256 with a secret, nothing at all for `none`. */
export function forge({ header = {}, claims = {}, key, secret }: Forgery): string {
  const head = { alg: 'RS256', kid: 'one', typ: 'JWT', ...header }
  const text = `${encode(head)}.${encode(claims)}`
  const signature = secret
    ? createHmac('sha256', secret).update(text).digest()
    : key
      ? sign('sha256', Buffer.from(text), key)
      : Buffer.alloc(0)
  return `${text}.${signature.toString('base64url')}`
}

export async function startHostileProvider() {
  const key = newRsaKey()
  const publicJwk = createPublicKey(key).export({ format: 'jwk' })
  const answers: Record<string, Handle | undefined> = {}
  const server = await loopback((received, response, request) => {
    const path = received.path.split('?')[0]!
    const handle = answers[path] ?? json(404, {})
    return handle(received, response, request)
  })
  const client: IdentityClient = { clientId: 'adjoin', clientSecret: 'a-secret-of-the-client-0123456789', issuer: server.url }
  const metadata = {
    issuer: server.url,
    authorization_endpoint: `${server.url}/authorize`,
    token_endpoint: `${server.url}/token`,
    jwks_uri: `${server.url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
  }
  const honest = (more: Record<string, unknown> = {}) => {
    const now = Math.floor(Date.now() / 1000)
    return { iss: server.url, aud: client.clientId, sub: 'victim', iat: now, exp: now + 300, email_verified: true, ...more }
  }
  const behave = () => {
    answers['/.well-known/openid-configuration'] = json(200, metadata)
    answers['/jwks'] = json(200, { keys: [{ ...publicJwk, kid: 'one', use: 'sig', alg: 'RS256' }] })
    answers['/token'] = json(500, {})
  }
  behave()
  return {
    client,
    key,
    metadata,
    answers,
    /** Claims that nobody could object to, but for what the test changes. */
    honest,
    behave,
    issue: (idToken: string | undefined) => {
      answers['/token'] = json(200, { access_token: 'opaque', token_type: 'Bearer', ...(idToken !== undefined && { id_token: idToken }) })
    },
    received: server.received,
    close: server.close,
  }
}
export type HostileProvider = Awaited<ReturnType<typeof startHostileProvider>>
