/** What the four Google systems share: one consent, one token endpoint, one way to say no. */
import { listAt, textAt, valueAt } from './answer.ts'
import { exchangeCode, oauthAnswers, refreshGrant, revokeGrant } from './oauth.ts'
import type { Dialect, VendorSession } from './provider.ts'
import type { AnswerRule, VendorAnswer } from './rule.ts'

export const googleHosts = { accounts: 'https://accounts.google.com', token: 'https://oauth2.googleapis.com' } as const

/**
 * The scopes of one Google system, and those that tell who consented;
 * Google writes these back otherwise, so they are not compared.
 */
export const googleScopes = (...scopes: string[]) => ({
  scopes: [...scopes, 'openid', 'email'],
  requiredScopes: scopes,
})

/** Errors of Google APIs hide the reason in `details`, old ones in `errors`; the token endpoint: a word. */
function codes(body: unknown): (string | null)[] {
  if (typeof valueAt(body, 'error') === 'string') return [textAt(body, 'error')]
  const failures = listAt(body, 'error', 'details').flatMap((detail) => listAt(detail, 'errors'))
  return [
    ...failures.flatMap((failure) => Object.entries(valueAt(failure, 'errorCode') ?? {}).map(([kind, code]) => `${kind}.${code}`)),
    ...listAt(body, 'error', 'details').map((detail) => textAt(detail, 'reason')),
    ...listAt(body, 'error', 'errors').map((error) => textAt(error, 'reason')),
    textAt(body, 'error', 'status'),
  ]
}

/** The outer message of an Ads error misleads; the inner one is the real one. */
const words = (body: unknown) =>
  textAt(body, 'error_description') ??
  listAt(body, 'error', 'details').flatMap((detail) => listAt(detail, 'errors').map((error) => textAt(error, 'message')))[0] ??
  textAt(body, 'error', 'message')

/** Google states the wait inside the body: "40591s", also in fractions. */
function wait({ body }: VendorAnswer): number | undefined {
  for (const detail of listAt(body, 'error', 'details')) {
    const stated = [detail, ...listAt(detail, 'errors')].map(
      (part) => textAt(part, 'retryDelay') ?? textAt(part, 'details', 'quotaErrorDetails', 'retryDelay'),
    )
    const seconds = stated.map((delay) => Number(delay?.match(/^(\d+(?:\.\d+)?)s$/)?.[1])).find((value) => !Number.isNaN(value))
    if (seconds !== undefined) return seconds
  }
  return undefined
}

/** For the end of a Google system's own table. */
export const googleAnswers: readonly AnswerRule[] = [
  ...oauthAnswers,
  // Old Google APIs say 403 for throttling: only the reason tells.
  { code: /^(rateLimitExceeded|userRateLimitExceeded|quotaExceeded|RATE_LIMIT_EXCEEDED|RESOURCE_EXHAUSTED)$/, reason: 'throttled' },
  { on: 'verify', code: /^(ACCESS_TOKEN_SCOPE_INSUFFICIENT|insufficientPermissions)$/, reason: 'scope_missing' },
  { on: 'verify', code: /^(SERVICE_DISABLED|accessNotConfigured)$/, reason: 'app_misconfigured' },
  // Only with Google's envelope: a 404 without it is a wrong address of ours.
  { on: 'verify', code: /^(NOT_FOUND|notFound)$/, reason: 'account_unreachable' },
]

/** Everything a Google system has besides its own fields, scopes, answers and verify. */
export const google = {
  authMethod: 'oauth',
  app: ['clientId', 'clientSecret'],
  connectFields: [],
  lifetimes: { access: 3600, refresh: null, rotates: false, renew: 'ahead' },
  codes,
  statusTells: true,
  words,
  wait,
  dialect: ({ hosts }: VendorSession): Dialect => ({
    authorizeUrl: `${hosts.accounts}/o/oauth2/v2/auth`,
    tokenUrl: `${hosts.token}/token`,
    revokeUrl: `${hosts.token}/revoke`,
    issuer: 'https://accounts.google.com',
    clientAuth: 'post',
    pkce: true,
    separator: ' ',
    // Without prompt=consent a second consent of the same user brings no refresh token.
    authorizeParameters: { access_type: 'offline', prompt: 'consent' },
    hintParameter: 'login_hint',
  }),
  exchange: exchangeCode,
  refresh: refreshGrant,
  authorizationServer: 'google',
  revoke: revokeGrant,
} as const
