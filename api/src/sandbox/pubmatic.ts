import { bearerOf, empty, guarded, json, OWN, played, playIn, type Route, type TokenClaims, type TokenIssuer, type Twin } from './twin.ts'

const LIFETIME = 60 * 86_400_000
const DEVELOPER = 'api.pubmatic.com/v1/developer-integrations/developer'

const throttle = () => empty(429)

/** A pair of tokens of one grant. */
function pair(issuer: TokenIssuer, claims: Partial<TokenClaims>) {
  const accessToken = issuer.mint('access', { ...claims, expires: issuer.now() + LIFETIME })
  const { grant, more } = issuer.open('access', accessToken)!
  const refreshToken = issuer.mint('refresh', { grant, more })
  return json(200, { userEmail: more?.email ?? 'person@example.com', tokenType: 'BearerToken', accessToken, refreshToken })
}

const login: Route = ({ json: body }, issuer) => {
  const { userName, password } = (body ?? {}) as { userName?: unknown; password?: unknown }
  const refuse = () => json(401, { errorCode: 'AUTH_FAILED', errorMessage: 'The sandbox refuses this login.' })
  if (typeof userName !== 'string' || typeof password !== 'string') return refuse()
  return played(playIn(userName, password), { refuse, throttle }, () => pair(issuer, { more: { email: userName } }))
}

/** Both old tokens must be alive, and are void afterwards. */
const refresh: Route = (request, issuer) => {
  const old = { access: bearerOf(request) ?? '', refresh: String((request.json as { refreshToken?: unknown })?.refreshToken) }
  const claims = issuer.open('access', old.access)
  const refuse = () =>
    json(401, { fault: { faultstring: 'Access Token expired', detail: { errorcode: 'keymanagement.service.access_token_expired' } } })
  if (!claims || !issuer.open('refresh', old.refresh)) return refuse()
  return played(claims.play, { refuse, throttle }, () => {
    issuer.spend(old.access)
    issuer.spend(old.refresh)
    return pair(issuer, claims)
  })
}

const scripted = { refuse: () => json(200, [{ errorCode: 'access_token_expired' }]), unknown: () => empty(401), throttle }
const figures = guarded(scripted, ({ parameters: { id } }) => {
  if (id !== OWN) return empty(403)
  return json(200, {
    alert: null,
    columns: ['date', 'paidImpressions'],
    currency: 'USD',
    dataFreshness: { dataFreshnessHour: '2026-01-05T04', timeZone: 'PST' },
    displayValue: {},
    rows: [['2026-01-04', 12345]],
  })
})

export const pubmaticTwin: Twin = {
  wrap: {},
  routes: {
    [`POST ${DEVELOPER}/token`]: login,
    [`PUT ${DEVELOPER}/refreshToken`]: refresh,
    'GET api.pubmatic.com/v1/analytics/data/{type}/{id}': figures,
  },
}
