/**
 * The authorization server most OAuth twins need:
 * consent, code grant, refresh grant, revocation. Dialects are options.
 */
import { createHash } from 'node:crypto'
import { consentPage } from './consent.ts'
import {
  basicOf,
  emailOf,
  empty,
  json,
  outage,
  type Play,
  played,
  plays,
  type Reply,
  type Route,
  type TokenClaims,
  type TokenIssuer,
  type TwinRequest,
  text,
} from './twin.ts'

export type OAuthTwin = {
  system: string
  authorize: string
  token: string
  revoke?: string
  accessSeconds: number | null
  refreshSeconds?: number
  rotates: boolean
  /** A refresh names the same refresh token again. */
  repeats?: true
  clientAuth: 'post' | 'basic'
  separator?: ' ' | ','
  /** Added to the callback besides code and state, or to a denial. */
  callback?: (claims: TokenClaims, code: string) => Record<string, string>
  denial?: Record<string, string>
  codeParameter?: string
  /** What is left when the person unticks a permission; else all but the first. */
  partial?: (scopes: string[]) => string[]
  /** The token answer over the standard one. */
  tokens?: (standard: Record<string, unknown>, claims: TokenClaims, first: boolean) => unknown
  /** `request` tells which grant was refused, where the system answers them differently. */
  refusal?: (error: 'invalid_grant' | 'invalid_client' | 'invalid_request', description: string, request: TwinRequest) => Reply
  throttle?: () => Reply
}

const refuse = (error: string, description: string) =>
  json(error === 'invalid_client' ? 401 : 400, { error, error_description: description })
const throttled = () => json(429, { error: 'rate_limited' }, { 'retry-after': '30' })
const s256 = (verifier: string) => createHash('sha256').update(verifier).digest('base64url')

export function oauthRoutes(twin: OAuthTwin): Record<string, Route> {
  const { separator = ' ', refusal = refuse, throttle = throttled, partial = (scopes: string[]) => scopes.slice(1) } = twin

  const authorize: Route = ({ query }, issuer) => {
    const redirect = redirectUri(query.get('redirect_uri'))
    if (!redirect) return text(400, 'redirect_uri must be an absolute http or https address')
    if (issuer.redirectUri && issuer.redirectUri !== redirect.href) return text(400, 'redirect_uri is not registered')
    const scopes = (query.get('scope') ?? '').split(separator).filter(Boolean)
    const decision = query.get('decision')
    const back = (parameters: Record<string, string>) => {
      for (const [name, value] of Object.entries(parameters)) redirect.searchParams.set(name, value)
      const state = query.get('state')
      if (state) redirect.searchParams.set('state', state)
      return empty(302, { location: redirect.href, 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
    }
    if (decision === 'deny') return back({ error: 'access_denied', ...twin.denial })
    if (!plays.includes(decision as Play)) return consentPage(twin.system, scopes, query)
    const claims = {
      play: decision as Play,
      scopes: decision === 'partial' ? partial(scopes) : scopes,
      expires: issuer.now() + 600_000,
      redirectUri: query.get('redirect_uri') ?? undefined,
      challenge: query.get('code_challenge') ?? undefined,
    }
    const code = issuer.mint('code', claims)
    return back({ [twin.codeParameter ?? 'code']: code, ...twin.callback?.(claims as TokenClaims, code) })
  }

  const tokens = (claims: TokenClaims, issuer: TokenIssuer, refreshToken: string | null, first: boolean): Reply => {
    const { grant, play, scopes, more } = claims
    const lasting = (seconds: number | null | undefined) => (seconds ? issuer.now() + seconds * 1000 : null)
    const standard = {
      access_token: issuer.mint('access', { grant, play, scopes, more, expires: lasting(twin.accessSeconds) }),
      ...(twin.accessSeconds && { expires_in: twin.accessSeconds }),
      ...(refreshToken && { refresh_token: refreshToken }),
      scope: scopes.join(separator),
      token_type: 'Bearer',
    }
    return json(200, twin.tokens?.(standard, claims, first) ?? standard)
  }

  const token: Route = (request, issuer) => {
    const no = (error: 'invalid_grant' | 'invalid_client', description: string) => refusal(error, description, request)
    if (!isClient(request, twin.clientAuth)) return no('invalid_client', 'Unauthorized')
    const newRefresh = ({ grant, play, scopes, more }: TokenClaims) =>
      issuer.mint('refresh', { grant, play, scopes, more, expires: twin.refreshSeconds ? issuer.now() + twin.refreshSeconds * 1000 : null })

    if (request.form.get('grant_type') === 'refresh_token') {
      const given = request.form.get('refresh_token') ?? ''
      const claims = issuer.open('refresh', given)
      if (!claims) return no('invalid_grant', 'Token has been expired or revoked.')
      return played(claims.play, { refuse: () => no('invalid_grant', 'Token has been expired or revoked.'), throttle }, () => {
        if (twin.rotates) issuer.spend(given)
        return tokens(claims, issuer, twin.rotates ? newRefresh(claims) : twin.repeats ? given : null, false)
      })
    }

    const code = request.form.get('code') ?? ''
    const claims = issuer.open('code', code)
    // One use, the same address, the verifier to the challenge.
    if (!claims) return no('invalid_grant', 'Bad Request')
    if (claims.redirectUri && claims.redirectUri !== request.form.get('redirect_uri')) return no('invalid_grant', 'Bad Request')
    if (claims.challenge && claims.challenge !== s256(request.form.get('code_verifier') ?? '')) return no('invalid_grant', 'Bad Request')
    if (claims.play === 'outage') return outage()
    issuer.spend(code)
    return tokens(claims, issuer, newRefresh(claims), true)
  }

  const revoke: Route = ({ form }, issuer) => {
    const given = form.get('token')
    const claims = issuer.open('refresh', given) ?? issuer.open('access', given)
    if (!claims) return json(400, { error: 'invalid_token' })
    issuer.revoke(claims.grant)
    return json(200, {})
  }

  return { [twin.authorize]: authorize, [twin.token]: token, ...(twin.revoke && { [twin.revoke]: revoke }) }
}

/** A client is anyone who names an id and a secret that does not ask to be refused. */
export function isClient(request: TwinRequest, method: 'post' | 'basic'): boolean {
  const [id, secret] = method === 'basic' ? basicOf(request) : [request.form.get('client_id'), request.form.get('client_secret')]
  return Boolean(id && secret && !secret.includes('refuse'))
}

/** Says who consented. Nobody checks its signature, since it comes straight from the token endpoint. */
export function idToken(iss: string, claims: TokenClaims): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const email = emailOf(claims)
  return `${part({ alg: 'RS256' })}.${part({ iss, sub: email, email, email_verified: true })}.sandbox`
}

function redirectUri(value: string | null): URL | null {
  const url = URL.parse(value ?? '')
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url : null
}
