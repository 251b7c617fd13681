/** What the twins of the four Google systems share. */
import { idToken, oauthRoutes } from './oauth.ts'
import { bearerOf, json, played, type Reply, type Route, type TokenClaims, type TokenIssuer, type Twin, type TwinRequest } from './twin.ts'

const ISSUER = 'https://accounts.google.com'

/** Google writes `email` back in its long form, and in another order. */
const written = (scopes: string[]) =>
  [...scopes]
    .map((scope) => (scope === 'email' ? 'https://www.googleapis.com/auth/userinfo.email' : scope))
    .sort()
    .join(' ')

export const googleRoutes = (system: string): Record<string, Route> =>
  oauthRoutes({
    system,
    authorize: 'GET accounts.google.com/o/oauth2/v2/auth',
    token: 'POST oauth2.googleapis.com/token',
    revoke: 'POST oauth2.googleapis.com/revoke',
    accessSeconds: 3599,
    rotates: false,
    clientAuth: 'post',
    callback: ({ scopes }) => ({ iss: ISSUER, scope: written(scopes), authuser: '0', prompt: 'consent' }),
    tokens: (standard, claims, first) => ({
      ...standard,
      scope: written(claims.scopes),
      ...(first && claims.scopes.includes('openid') && { id_token: idToken(ISSUER, claims) }),
    }),
  })

export const googleWrap: Twin['wrap'] = {
  code: (sealed) => `4/0${sealed}`,
  access: (sealed) => `ya29.${sealed}`,
  refresh: (sealed) => `1//0${sealed}`,
}

/** The envelope of Google APIs: new ones explain themselves in `details`, old ones in `errors`. */
export const googleError = (
  code: number,
  status: string,
  message: string,
  why: { details?: unknown[]; errors?: unknown[] } = {},
  challenge?: string,
): Reply =>
  json(
    code,
    { error: { code, message, ...why, status } },
    challenge ? { 'www-authenticate': `Bearer realm="https://accounts.google.com/", error="${challenge}"` } : {},
  )

/** One entry of `details`. */
export const errorInfo = (reason: string, { host, path }: TwinRequest) => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain: 'googleapis.com',
  metadata: { service: host, method: path, consumer: 'projects/123456789012' },
})

export const INVALID_TOKEN = 'Request had invalid authentication credentials. Expected OAuth 2 access token.'
const unauthenticated = (request: TwinRequest) =>
  googleError(401, 'UNAUTHENTICATED', INVALID_TOKEN, { details: [errorInfo('ACCESS_TOKEN_EXPIRED', request)] }, 'invalid_token')
const insufficient = (request: TwinRequest) =>
  googleError(
    403,
    'PERMISSION_DENIED',
    'Request had insufficient authentication scopes.',
    { details: [errorInfo('ACCESS_TOKEN_SCOPE_INSUFFICIENT', request)] },
    'insufficient_scope',
  )
const exhausted = () => googleError(429, 'RESOURCE_EXHAUSTED', 'Resource has been exhausted (e.g. check quota).')
/** An account the user does not reach. */
export const denied = () => googleError(403, 'PERMISSION_DENIED', 'The caller does not have permission')

type Scripted = Partial<Record<'refuse' | 'throttle' | 'partial', (request: TwinRequest) => Reply>>

/** An API route: the token is checked and its script played before `ordinary` answers. */
export const googleApi =
  (ordinary: (request: TwinRequest, claims: TokenClaims, issuer: TokenIssuer) => Reply, scripted: Scripted = {}): Route =>
  (request, issuer) => {
    const { refuse = unauthenticated, throttle = exhausted, partial = insufficient } = scripted
    const claims = issuer.open('access', bearerOf(request))
    if (!claims) return refuse(request)
    if (claims.play === 'partial') return partial(request)
    return played(claims.play, { refuse: () => refuse(request), throttle: () => throttle(request) }, () =>
      ordinary(request, claims, issuer),
    )
  }
