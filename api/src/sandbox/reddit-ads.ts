import { isClient, oauthRoutes } from './oauth.ts'
import { empty, guarded, json, pageFrom, type Route, type TokenClaims, type Twin, type TwinRequest } from './twin.ts'

const DAY = 86_400
const BUSINESS = 'b7f1c2d3-0000-4000-8000-0000000000b1'
const ownAccountId = ({ play }: TokenClaims) => (play === 'other' ? 't2_other55' : 't2_abc123')

const throttle = () =>
  json(
    429,
    { message: 'Too Many Requests', error: 429 },
    { 'x-ratelimit-used': '100', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '42' },
  )
const failure = (code: number, message: string) => json(code, { error: { code, message } })
const scripted = { refuse: () => failure(401, 'Unauthorized'), throttle }
const unknownClient = () => json(401, { message: 'Unauthorized', error: 401 }, { 'www-authenticate': 'Basic realm="reddit"' })

/** Whoever comes under the name of a library, or under none, is throttled whatever it asks. */
const introduced =
  (route: Route): Route =>
  (request, issuer) =>
    /^(node|undici|axios|curl|python|go-http|java|okhttp)\b|^$/i.test(request.headers['user-agent'] ?? '')
      ? throttle()
      : route(request, issuer)

const AUTHORIZE = 'GET www.reddit.com/api/v1/authorize'
const TOKEN = 'POST www.reddit.com/api/v1/access_token'
const oauth = oauthRoutes({
  system: 'Reddit Ads',
  authorize: AUTHORIZE,
  token: TOKEN,
  accessSeconds: DAY,
  rotates: false,
  clientAuth: 'basic',
  separator: ',',
  tokens: (standard, { scopes }) => ({ ...standard, token_type: 'bearer', scope: scopes.join(' ') }),
  refusal: (error, _description, { form }) => {
    if (error === 'invalid_client') return unknownClient()
    return form.get('grant_type') === 'refresh_token' ? json(400, { message: 'Bad Request', error: 400 }) : json(200, { error })
  },
  throttle,
})

/** 204 for unknown tokens too. */
const revoke: Route = (request, issuer) => {
  if (!isClient(request, 'basic')) return unknownClient()
  const token = request.form.get('token')
  const claims = issuer.open('refresh', token) ?? issuer.open('access', token)
  if (claims) issuer.revoke(claims.grant)
  return empty(204)
}

const me = guarded(scripted, (_request, { play }) => {
  const [id, name] = play === 'other' ? ['t2_someone', 'other'] : ['t2_person1', 'person']
  return json(200, { data: { id, email: `${name}@example.com`, reddit_username: `example_${name}`, type: 'USER' } })
})
/** What is told about an ad account that the person reaches. */
const adAccount = (told: (id: string) => object): Route =>
  introduced(
    guarded(scripted, ({ parameters: { id = '' } }, claims) =>
      id === ownAccountId(claims) ? json(200, told(id)) : failure(403, 'Forbidden'),
    ),
  )
const account = adAccount((id) => ({
  data: { id, name: 'Example Ad Account', business_id: BUSINESS, currency: 'EUR', time_zone_id: 'Europe/Berlin' },
}))
const campaigns = adAccount((ad_account_id) => {
  const states = { objective: 'CLICKS', configured_status: 'ACTIVE', effective_status: 'ACTIVE', spend_cap: null }
  const campaign = { id: '1234567', ad_account_id, name: 'Spring sale', ...states, created_at: '2026-01-01T00:00:00Z' }
  return { data: [campaign], pagination: { next_url: null, previous_url: null } }
})
const report = adAccount(() => ({
  data: {
    metrics: [{ date: '2026-01-04', campaign_id: '1234567', impressions: 100, clicks: 5, spend: 51_036_973 }],
    metrics_updated_at: '2026-01-05T02:16:44Z',
  },
  pagination: { next_url: null },
}))

const inPages = ({ host, path, query }: TwinRequest, all: object[]) => {
  const { items, next } = pageFrom(all, query.get('page.token'))
  const next_url = next && `https://${host}${path}?page.size=100&page.token=${next}`
  return json(200, { data: items, pagination: { next_url, previous_url: null } })
}
const businesses = guarded(scripted, (request) =>
  inPages(request, [{ id: BUSINESS, name: 'Example Business', country: 'DE', industry: 'RETAIL_AND_ECOMMERCE' }]),
)
const accountsOfBusiness = guarded(scripted, (request, claims) => {
  if (request.parameters.id !== BUSINESS) return failure(403, 'Forbidden')
  const ids = claims.play === 'other' ? [ownAccountId(claims)] : [ownAccountId(claims), 'a2_def456', 'a2_ghi789']
  const more = { business_id: BUSINESS, currency: 'EUR', time_zone_id: 'Europe/Berlin', type: 'MANAGED', admin_approval: 'APPROVED' }
  return inPages(
    request,
    ids.map((id) => ({ id, name: 'Example Ad Account', ...more })),
  )
})

export const redditAdsTwin: Twin = {
  wrap: { access: (sealed) => `eyJ.${sealed}.sandbox` },
  routes: {
    [AUTHORIZE]: oauth[AUTHORIZE]!,
    [TOKEN]: introduced(oauth[TOKEN]!),
    'POST www.reddit.com/api/v1/revoke_token': introduced(revoke),
    'GET ads-api.reddit.com/api/v3/me': introduced(me),
    'GET ads-api.reddit.com/api/v3/me/businesses': introduced(businesses),
    'GET ads-api.reddit.com/api/v3/businesses/{id}/ad_accounts': introduced(accountsOfBusiness),
    'GET ads-api.reddit.com/api/v3/ad_accounts/{id}': account,
    'GET ads-api.reddit.com/api/v3/ad_accounts/{id}/campaigns': campaigns,
    'POST ads-api.reddit.com/api/v3/ad_accounts/{id}/reports': report,
  },
}
