import { oauthRoutes } from './oauth.ts'
import { json, outage, ownAccountId, played, type Reply, type Route, type TokenClaims, type Twin } from './twin.ts'

const CALLS = 'business-api.tiktok.com/open_api/{version}'
const API = `${CALLS}/oauth2`

/** Refused or not, every answer is HTTP 200. */
const answer = (code: number, message: string, data: object = {}): Reply =>
  json(200, { code, message, request_id: '20260105120000SANDBOX', data })
const wrong = () => answer(40101, 'app_id or secret is incorrect.')
const refuse = () => answer(40105, 'Access token is incorrect or has been revoked.')
const throttle = () => answer(40100, 'Requests made too frequently.')

type TikTokApp = { app_id?: unknown; secret?: unknown }
const isClient = ({ app_id, secret }: TikTokApp) => Boolean(app_id && secret && !String(secret).includes('refuse'))

const redeem: Route = ({ json: body }, issuer) => {
  const { auth_code, ...client } = (body ?? {}) as TikTokApp & { auth_code?: string }
  if (!isClient(client)) return wrong()
  const claims = issuer.open('code', auth_code)
  if (!auth_code || !claims) return answer(40110, 'The auth_code is canceled. Please re-authorize and try again with a new auth_code.')
  if (claims.play === 'outage') return outage()
  issuer.spend(auth_code)
  const { grant, play, more } = claims
  const scope = play === 'partial' ? [2, 4] : [1, 2, 4, 10]
  return answer(0, 'OK', { access_token: issuer.mint('access', { grant, play, more }), advertiser_ids: [ownAccountId(claims)], scope })
}

const nameless = () => answer(40104, 'Access token is null, you should set it in http header with key Access-Token.')
const page_info = { page: 1, page_size: 10, total_number: 1, total_page: 1 }

/** A list about an advertiser that the person reaches. */
const listed =
  (list: (advertiser: string) => object[]): Route =>
  ({ headers, query }, issuer) => {
    if (!headers['access-token']) return nameless()
    const claims = issuer.open('access', headers['access-token'])
    if (!claims) return refuse()
    return played(claims.play, { refuse, throttle }, () => {
      const advertiser = query.get('advertiser_id') ?? ''
      if (advertiser !== ownAccountId(claims)) return answer(40001, `No permission to operate advertiser ${advertiser}.`)
      return answer(0, 'OK', { list: list(advertiser), page_info })
    })
  }

const advertisers = (claims: TokenClaims): [id: string, name: string][] =>
  claims.play === 'other'
    ? [[ownAccountId(claims), 'Another Advertiser']]
    : [
        [ownAccountId(claims), 'Example Advertiser'],
        ['7000000000000000002', 'Example Advertiser 2'],
      ]
/** What is known of the advertisers that are named, as far as the person reaches them. */
const info: Route = ({ headers, query }, issuer) => {
  const claims = issuer.open('access', headers['access-token'])
  if (!claims) return refuse()
  return played(claims.play, { refuse, throttle }, () => {
    const named = query.get('advertiser_ids') ?? ''
    const more = { currency: 'EUR', timezone: 'Europe/Berlin', status: 'STATUS_ENABLE', role: 'ROLE_ADVERTISER', country: 'DE' }
    const list = advertisers(claims).filter(([id]) => named.includes(`"${id}"`))
    return answer(0, 'OK', { list: list.map(([advertiser_id, name]) => ({ advertiser_id, name, ...more })) })
  })
}

const campaign_id = '1700000000000001'
const campaigns = listed((advertiser_id) => {
  const campaign = { campaign_id, campaign_name: 'Spring sale', advertiser_id, operation_status: 'ENABLE', objective_type: 'TRAFFIC' }
  return [{ ...campaign, budget: 50, budget_mode: 'BUDGET_MODE_DAY' }]
})
const report = listed(() => [
  { dimensions: { campaign_id, stat_time_day: '2026-01-04 00:00:00' }, metrics: { spend: '12.34', impressions: '1234', clicks: '42' } },
])

export const tiktokAdsTwin: Twin = {
  wrap: {},
  routes: {
    ...oauthRoutes({
      system: 'TikTok Ads',
      authorize: 'GET business-api.tiktok.com/portal/auth',
      token: `POST ${API}/access_token/`,
      accessSeconds: null,
      rotates: false,
      clientAuth: 'post',
      codeParameter: 'auth_code',
      callback: (_claims, code) => ({ code }),
    }),
    [`POST ${API}/access_token/`]: redeem,
    [`GET ${API}/advertiser/get/`]: ({ headers, query }, issuer) => {
      if (!isClient(Object.fromEntries(query))) return wrong()
      if (!headers['access-token']) return nameless()
      const claims = issuer.open('access', headers['access-token'])
      if (!claims) return refuse()
      return played(claims.play, { refuse, throttle }, () => {
        const list = advertisers(claims).map(([advertiser_id, advertiser_name]) => ({ advertiser_id, advertiser_name }))
        return answer(0, 'OK', { list: claims.more?.accounts === 'none' ? [] : list })
      })
    },
    [`GET ${CALLS}/advertiser/info/`]: info,
    [`GET ${CALLS}/campaign/get/`]: campaigns,
    [`GET ${CALLS}/report/integrated/get/`]: report,
    [`POST ${API}/revoke_token/`]: ({ json: body }, issuer) => {
      const claims = issuer.open('access', (body as { access_token?: string })?.access_token)
      if (!claims) return refuse()
      issuer.revoke(claims.grant)
      return answer(0, 'OK')
    },
  },
}
