/**
 * OAuth 2.0 as most systems speak it: the code and refresh grants.
 * A provider's dialect is data; only a real deviation is code.
 */
import { createHash, randomBytes } from 'node:crypto'
import { parseJson, quote, textAt, valueAt } from './answer.ts'
import {
  type Answered,
  basic,
  type Consent,
  type ConsentReturn,
  type Credential,
  credentialOf,
  type Dialect,
  type FieldValues,
  type Granted,
  granted,
  type OAuthProvider,
  type Rejected,
  rejected,
  secondsAfter,
  type Unreachable,
  unreachable,
  type VendorRefusal,
  type VendorSession,
} from './provider.ts'
import type { AnswerRule } from './rule.ts'

/** The answers of RFC 6749 at the token endpoint; a provider's table spreads them after its own rows. */
export const oauthAnswers: readonly AnswerRule[] = [
  { on: 'exchange', code: /^invalid_grant$/, reason: 'consent_expired' },
  { on: 'refresh', code: /^invalid_grant$/, reason: 'grant_revoked' },
  {
    on: ['exchange', 'refresh'],
    code: /^(invalid_client|unauthorized_client|invalid_scope|unsupported_grant_type|redirect_uri_mismatch)$/,
    reason: 'app_misconfigured',
  },
  { on: ['exchange', 'refresh'], code: /^(temporarily_unavailable|server_error)$/, reason: 'outage' },
  { on: 'revoke', status: 400, reason: 'grant_revoked' },
]
export const oauthCodes = (body: unknown) => [typeof valueAt(body, 'error') === 'string' ? textAt(body, 'error') : null]
export const oauthWords = (body: unknown) => textAt(body, 'error_description')

/** A fresh PKCE verifier, and the challenge that goes with it. */
export const newVerifier = () => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** The dialect with its scopes and its client filled in. */
export function dialectOf(
  session: VendorSession,
  fields: FieldValues,
): Dialect & Required<Pick<Dialect, 'scopes' | 'requiredScopes' | 'client'>> {
  const { scopes, requiredScopes = scopes } = session.provider
  const client = { id: session.app.clientId ?? '', secret: session.app.clientSecret ?? '' }
  return { scopes, requiredScopes, client, ...(session.provider as OAuthProvider).dialect(session, fields) }
}

/** Standard parameters with the dialect's own: a null leaves one out. */
const merged = (standard: Record<string, string | undefined>, own: Record<string, string | null> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...standard, ...own }).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

/** Where the client's browser is sent. */
export function authorizationUrl(session: VendorSession, fields: FieldValues, consent: Consent): string {
  const dialect = dialectOf(session, fields)
  const url = new URL(dialect.authorizeUrl)
  const hint = dialect.hintParameter && consent.loginHint ? { [dialect.hintParameter]: consent.loginHint } : {}
  const parameters = merged(
    {
      client_id: dialect.client.id,
      redirect_uri: consent.redirectUri,
      response_type: 'code',
      scope: dialect.scopes.join(dialect.separator),
      state: consent.state,
      ...(dialect.pkce && { code_challenge: consent.codeChallenge, code_challenge_method: 'S256' }),
      ...hint,
    },
    dialect.authorizeParameters,
  )
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
  return session.address(url.href)
}

/** What the browser brought back: a code, or why there is none. Unknown parameters are ignored. */
export function readCallback(
  session: VendorSession,
  fields: FieldValues,
  query: FieldValues,
): { outcome: 'code'; code: string } | Rejected | Unreachable {
  const dialect = dialectOf(session, fields)
  // Anyone can write an address: what stands in it is told
  // as what the browser brought, never as the system's own words.
  const brought = quote(query.error_description, [], 100)
  // A callback of another issuer is a mix-up attack or a misconfiguration: the code must not be sent on.
  if (dialect.issuer && query.iss !== undefined && query.iss !== dialect.issuer)
    return rejected('app_misconfigured', { note: 'the callback came from another issuer' })
  const code = query[dialect.codeParameter ?? 'code']
  if (code && !query.error) return { outcome: 'code', code }
  // The last one is LinkedIn's word.
  if (/^(access_denied|consent_required|login_required|interaction_required|user_cancelled_\w+)$/.test(query.error ?? ''))
    return rejected('consent_denied', { brought })
  if (/^(temporarily_unavailable|server_error)$/.test(query.error ?? '')) return unreachable('outage', { brought })
  if (
    /^(invalid_scope|unauthorized_scope_error|invalid_request|invalid_client|unauthorized_client|unsupported_response_type)$/.test(
      query.error ?? '',
    )
  )
    return rejected('app_misconfigured', { brought })
  return unreachable('odd_answer', { brought })
}

function ask(session: VendorSession, dialect: ReturnType<typeof dialectOf>, step: 'exchange' | 'refresh', form: Record<string, string>) {
  const { id, secret } = dialect.client
  return session.send(step, {
    method: 'POST',
    url: dialect.tokenUrl,
    headers: { ...dialect.tokenHeaders, ...(dialect.clientAuth === 'basic' && basic(id, secret)) },
    form: dialect.clientAuth === 'post' ? { ...form, client_id: id, client_secret: secret } : form,
  })
}

/** The code grant, as `exchange` of most providers. */
export async function exchangeCode(session: VendorSession, fields: FieldValues, back: ConsentReturn): Promise<Granted | VendorRefusal> {
  const dialect = dialectOf(session, fields)
  session.conceal([back.code, back.codeVerifier])
  const form = merged(
    {
      grant_type: 'authorization_code',
      code: back.code,
      redirect_uri: back.redirectUri,
      ...(dialect.pkce && { code_verifier: back.codeVerifier }),
    },
    dialect.exchangeParameters,
  )
  const answer = await ask(session, dialect, 'exchange', form)
  return answer.outcome === 'answered' ? grantedBy(answer, session, credentialOf(fields, { scopes: [...dialect.scopes] })) : answer
}

/** The refresh grant, as `refresh` of most providers. */
export async function refreshGrant(session: VendorSession, credential: Credential): Promise<Granted | VendorRefusal> {
  if (!credential.refreshToken) return rejected('grant_revoked')
  const dialect = dialectOf(session, credential.fields)
  const form = merged({ grant_type: 'refresh_token', refresh_token: credential.refreshToken }, dialect.refreshParameters)
  const answer = await ask(session, dialect, 'refresh', form)
  return answer.outcome === 'answered' ? grantedBy(answer, session, credential) : answer
}

/** Ends the grant by its refresh token, as RFC 7009 has it. */
export async function revokeGrant(session: VendorSession, credential: Credential): Promise<Answered | VendorRefusal> {
  const url = dialectOf(session, credential.fields).revokeUrl
  const token = credential.refreshToken ?? credential.accessToken
  if (!url || !token) return rejected('grant_revoked')
  return session.send('revoke', { method: 'POST', url, form: { token }, anyBody: true })
}

/** A token answer over what was known before: what it leaves out stays, the refresh token above all. */
export function grantedBy({ body }: { body: unknown }, session: VendorSession, before: Credential): Granted | Unreachable {
  const accessToken = textAt(body, 'access_token')
  if (!accessToken) return unreachable('odd_answer', { note: 'it contained no access token' })
  const lasts = (...names: string[]) => names.map((name) => Number(textAt(body, name) ?? Number.NaN)).find((seconds) => seconds > 0)
  const { access, refresh } = session.provider.lifetimes
  const accessSeconds = lasts('expires_in') ?? access
  const rotated = textAt(body, 'refresh_token')
  // The same token named again lives no longer for it.
  const refreshSeconds = lasts('refresh_token_expires_in') ?? (rotated && rotated !== before.refreshToken ? refresh : null)
  const scope = textAt(body, 'scope')
  return granted({
    ...before,
    accessToken,
    accessExpiresAt: accessSeconds ? secondsAfter(session.now, accessSeconds) : null,
    refreshToken: rotated ?? before.refreshToken,
    refreshExpiresAt: refreshSeconds ? secondsAfter(session.now, refreshSeconds) : before.refreshExpiresAt,
    scopes: scope === null ? before.scopes : scope.split(/[\s,]+/).filter(Boolean),
    obtainedAt: session.now.toISOString(),
    identity: identityIn(textAt(body, 'id_token')) ?? before.identity,
  })
}

/**
 * Who consented, from the id token.
 * It came straight from the token endpoint over TLS, so its signature adds nothing.
 */
function identityIn(idToken: string | null): Credential['identity'] {
  const claims = idToken ? parseJson(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) : undefined
  const id = textAt(claims, 'sub')
  return id ? { id, email: textAt(claims, 'email'), name: textAt(claims, 'name') } : null
}
