/** OAuth 2.0 as most systems speak it: the code and refresh grants. A provider's dialect is data; only a real deviation is code. */
import { createHash, randomBytes } from 'node:crypto'
import { at, parseJson, quote, word } from './answer.ts'
import {
  type Answered,
  basic,
  type Consent,
  type Credential,
  credentialOf,
  type Dialect,
  type Granted,
  granted,
  type Line,
  type OAuthProvider,
  type Refusal,
  type Rejected,
  type Return,
  rejected,
  secondsAfter,
  type Unreachable,
  unreachable,
  type Values,
} from './provider.ts'
import type { Rule } from './rule.ts'

/** The answers of RFC 6749 at the token endpoint; a provider's table spreads them after its own rows. */
export const oauthAnswers: readonly Rule[] = [
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
export const oauthCodes = (body: unknown) => [typeof at(body, 'error') === 'string' ? word(body, 'error') : null]
export const oauthWords = (body: unknown) => word(body, 'error_description')

/** A fresh PKCE verifier, and the challenge that goes with it. */
export const newVerifier = () => randomBytes(32).toString('base64url')
export const challengeOf = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

/** The dialect with its scopes and its client filled in. */
export function dialectOf(line: Line, fields: Values): Dialect & Required<Pick<Dialect, 'scopes' | 'requiredScopes' | 'client'>> {
  const { scopes, requiredScopes = scopes } = line.provider
  const client = { id: line.app.clientId ?? '', secret: line.app.clientSecret ?? '' }
  return { scopes, requiredScopes, client, ...(line.provider as OAuthProvider).dialect(line, fields) }
}

/** Standard parameters with the dialect's own: a null leaves one out. */
const merged = (standard: Record<string, string | undefined>, own: Record<string, string | null> = {}): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...standard, ...own }).filter((entry): entry is [string, string] => typeof entry[1] === 'string'))

/** Where the client's browser is sent. */
export function authorizationUrl(line: Line, fields: Values, consent: Consent): string {
  const dialect = dialectOf(line, fields)
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
  return line.address(url.href)
}

/** What the browser brought back: a code, or why there is none. Unknown parameters are ignored. */
export function readCallback(line: Line, fields: Values, query: Values): { outcome: 'code'; code: string } | Rejected | Unreachable {
  const dialect = dialectOf(line, fields)
  // Anyone can write an address: what stands in it is told as what the browser brought, never as the system's own words.
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

function ask(line: Line, dialect: ReturnType<typeof dialectOf>, step: 'exchange' | 'refresh', form: Record<string, string>) {
  const { id, secret } = dialect.client
  return line.send(step, {
    method: 'POST',
    url: dialect.tokenUrl,
    headers: { ...dialect.tokenHeaders, ...(dialect.clientAuth === 'basic' && basic(id, secret)) },
    form: dialect.clientAuth === 'post' ? { ...form, client_id: id, client_secret: secret } : form,
  })
}

/** The code grant, as `exchange` of most providers. */
export async function exchangeCode(line: Line, fields: Values, back: Return): Promise<Granted | Refusal> {
  const dialect = dialectOf(line, fields)
  line.conceal([back.code, back.codeVerifier])
  const form = merged(
    {
      grant_type: 'authorization_code',
      code: back.code,
      redirect_uri: back.redirectUri,
      ...(dialect.pkce && { code_verifier: back.codeVerifier }),
    },
    dialect.exchangeParameters,
  )
  const answer = await ask(line, dialect, 'exchange', form)
  return answer.outcome === 'answered' ? grantedBy(answer, line, credentialOf(fields, { scopes: [...dialect.scopes] })) : answer
}

/** The refresh grant, as `refresh` of most providers. */
export async function refreshGrant(line: Line, credential: Credential): Promise<Granted | Refusal> {
  if (!credential.refreshToken) return rejected('grant_revoked')
  const dialect = dialectOf(line, credential.fields)
  const form = merged({ grant_type: 'refresh_token', refresh_token: credential.refreshToken }, dialect.refreshParameters)
  const answer = await ask(line, dialect, 'refresh', form)
  return answer.outcome === 'answered' ? grantedBy(answer, line, credential) : answer
}

/** Ends the grant by its refresh token, as RFC 7009 has it. */
export async function revokeGrant(line: Line, credential: Credential): Promise<Answered | Refusal> {
  const url = dialectOf(line, credential.fields).revokeUrl
  const token = credential.refreshToken ?? credential.accessToken
  if (!url || !token) return rejected('grant_revoked')
  return line.send('revoke', { method: 'POST', url, form: { token }, anyBody: true })
}

/** A token answer over what was known before: what it leaves out stays as it was, the refresh token above all. */
export function grantedBy({ body }: { body: unknown }, line: Line, before: Credential): Granted | Unreachable {
  const accessToken = word(body, 'access_token')
  if (!accessToken) return unreachable('odd_answer', { note: 'it contained no access token' })
  const lasts = (...names: string[]) => names.map((name) => Number(word(body, name) ?? Number.NaN)).find((seconds) => seconds > 0)
  const { access, refresh } = line.provider.lifetimes
  const accessSeconds = lasts('expires_in') ?? access
  const rotated = word(body, 'refresh_token')
  // The same token named again lives no longer for it.
  const refreshSeconds = lasts('refresh_token_expires_in') ?? (rotated && rotated !== before.refreshToken ? refresh : null)
  const scope = word(body, 'scope')
  return granted({
    ...before,
    accessToken,
    accessExpiresAt: accessSeconds ? secondsAfter(line.now, accessSeconds) : null,
    refreshToken: rotated ?? before.refreshToken,
    refreshExpiresAt: refreshSeconds ? secondsAfter(line.now, refreshSeconds) : before.refreshExpiresAt,
    scopes: scope === null ? before.scopes : scope.split(/[\s,]+/).filter(Boolean),
    obtainedAt: line.now.toISOString(),
    identity: identityIn(word(body, 'id_token')) ?? before.identity,
  })
}

/** Who consented, from the id token. It came straight from the token endpoint over TLS, so its signature adds nothing. */
function identityIn(idToken: string | null): Credential['identity'] {
  const claims = idToken ? parseJson(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString()) : undefined
  const id = word(claims, 'sub')
  return id ? { id, email: word(claims, 'email'), name: word(claims, 'name') } : null
}
