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
const known: Record<string, string | number> = { date: '2026-01-04', siteId: 777, revenue: 96.5, paidImpressions: 12345, ecpm: 8.04 }
const figures = guarded(scripted, ({ parameters: { id }, query }) => {
  if (id !== OWN) return empty(403)
  const asked = `${query.get('dimensions')},${query.get('metrics')}`.split(',').filter((column) => Object.hasOwn(known, column))
  const columns = asked.length ? asked : ['date', 'paidImpressions']
  return json(200, {
    alert: null,
    columns,
    currency: 'USD',
    dataFreshness: { dataFreshnessHour: '2026-01-05T04', timeZone: 'PST' },
    displayValue: columns.includes('siteId') ? { siteId: { 777: 'Example Site' } } : {},
    rows: [columns.map((column) => known[column])],
  })
})

const deal = guarded(scripted, ({ parameters: { id } }) =>
  json(200, { id: Number(id), dealId: 'PM-SANDBOX-001', name: 'Spring deal', ownedById: Number(OWN), status: { id: 1, name: 'Active' } }),
)

export const pubmaticTwin: Twin = {
  wrap: {},
  routes: {
    [`POST ${DEVELOPER}/token`]: login,
    [`PUT ${DEVELOPER}/refreshToken`]: refresh,
    'GET api.pubmatic.com/v1/analytics/data/{type}/{id}': figures,
    'GET api.pubmatic.com/curateddeals/{id}': deal,
  },
}
