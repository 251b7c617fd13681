import { oauthRoutes } from './oauth.ts'
import { bearerOf, empty, json, ownOf, played, type Route, type Twin } from './twin.ts'

const REQUEST = 'SANDBOXREQUEST000001'
const refuse = () => json(401, { code: '401', details: 'Authentication failed', requestId: REQUEST }, { 'x-amz-request-id': REQUEST })
const throttle = () => empty(429, { 'retry-after': '5' })

const profiles =
  (countryCode: string, currencyCode: string, timezone: string): Route =>
  (request, issuer) => {
    const claims = issuer.open('access', bearerOf(request))
    if (!claims || !request.headers['amazon-advertising-api-clientid']) return refuse()
    return played(claims.play, { refuse, throttle }, () => {
      if (claims.more?.accounts === 'none') return json(200, [])
      const name = claims.play === 'other' ? 'Another Seller' : 'Example Seller'
      const accountInfo = { marketplaceStringId: 'A1SANDBOX', id: 'A3SANDBOX', type: 'seller', name, validPaymentMethod: true }
      return json(200, [{ profileId: Number(ownOf(claims)), countryCode, currencyCode, dailyBudget: 99, timezone, accountInfo }])
    })
  }

const region = (login: string, token: string) =>
  oauthRoutes({
    system: 'Amazon Ads',
    authorize: `GET ${login}/ap/oa`,
    token: `POST ${token}/auth/o2/token`,
    accessSeconds: 3600,
    rotates: false,
    repeats: true,
    clientAuth: 'post',
    callback: ({ scopes }) => ({ scope: scopes.join(' ') }),
    tokens: ({ scope: _, ...standard }) => ({ ...standard, token_type: 'bearer' }),
    refusal: (error, error_description) =>
      json(error === 'invalid_client' ? 401 : 400, { error_index: 'sandbox', error_description, error, request_id: REQUEST }),
  })

/** Tokens are good in every region, as Amazon's are. */
export const amazonAdsTwin: Twin = {
  wrap: { code: (sealed) => `AN${sealed}`, access: (sealed) => `Atza|${sealed}`, refresh: (sealed) => `Atzr|${sealed}` },
  routes: {
    ...region('www.amazon.com', 'api.amazon.com'),
    ...region('eu.account.amazon.com', 'api.amazon.co.uk'),
    ...region('apac.account.amazon.com', 'api.amazon.co.jp'),
    'GET advertising-api.amazon.com/v2/profiles': profiles('US', 'USD', 'America/Los_Angeles'),
    'GET advertising-api-eu.amazon.com/v2/profiles': profiles('DE', 'EUR', 'Europe/Berlin'),
    'GET advertising-api-fe.amazon.com/v2/profiles': profiles('JP', 'JPY', 'Asia/Tokyo'),
  },
}
