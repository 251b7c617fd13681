import { oauthRoutes } from './oauth.ts'
import {
  bearerOf,
  empty,
  json,
  ownAccountId,
  played,
  type Reply,
  type Route,
  type TokenClaims,
  type Twin,
  type TwinRequest,
} from './twin.ts'

const REQUEST = 'SANDBOXREQUEST000001'
const refuse = () => json(401, { code: '401', details: 'Authentication failed', requestId: REQUEST }, { 'x-amz-request-id': REQUEST })
const throttle = () => empty(429, { 'retry-after': '5' })

/** A call of an app that says which one it is. */
const api =
  (ordinary: (request: TwinRequest, claims: TokenClaims) => Reply): Route =>
  (request, issuer) => {
    const claims = issuer.open('access', bearerOf(request))
    if (!claims || !request.headers['amazon-advertising-api-clientid']) return refuse()
    return played(claims.play, { refuse, throttle }, () => ordinary(request, claims))
  }

const profiles = (countryCode: string, currencyCode: string, timezone: string): Route =>
  api((_request, claims) => {
    if (claims.more?.accounts === 'none') return json(200, [])
    const name = claims.play === 'other' ? 'Another Seller' : 'Example Seller'
    const accountInfo = { marketplaceStringId: 'A1SANDBOX', id: 'A3SANDBOX', type: 'seller', name, validPaymentMethod: true }
    const profile = { profileId: Number(ownAccountId(claims)), countryCode, currencyCode, dailyBudget: 99, timezone, accountInfo }
    if (claims.play === 'other') return json(200, [profile])
    return json(200, [
      profile,
      { ...profile, profileId: 2234567890, countryCode: 'FR', accountInfo: { ...accountInfo, name: 'Example Vendor' } },
    ])
  })

const managers = api((_request, claims) => {
  const linked = { accountId: 'ENTITYSANDBOX', accountName: 'Example Seller', accountType: 'SELLER', marketplaceId: 'A1SANDBOX' }
  const manager = { managerAccountId: 'amzn1.ads1.ma1.SANDBOX', managerAccountName: 'Example Manager' }
  return json(200, {
    managerAccounts: [{ ...manager, linkedAccounts: [{ ...linked, dspAdvertiserId: '', profileId: ownAccountId(claims) }] }],
  })
})

/** The file itself lies elsewhere, and is fetched without credentials. */
const report = api(({ parameters: { reportId }, headers }, claims) => {
  if (headers['amazon-advertising-api-scope'] !== ownAccountId(claims))
    return json(401, { code: '401', details: 'Not authorized for the profile' })
  const url = `https://sandbox.s3.amazonaws.com/${reportId}.json.gz?signed`
  return json(200, { reportId, status: 'COMPLETED', fileSize: 1234, url, urlExpiresAt: '2026-01-05T08:00:00.000Z', failureReason: null })
})

const inRegion = (host: string, own: Route) => ({
  [`GET ${host}/v2/profiles`]: own,
  [`GET ${host}/managerAccounts`]: managers,
  [`GET ${host}/reporting/reports/{reportId}`]: report,
})

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
    ...inRegion('advertising-api.amazon.com', profiles('US', 'USD', 'America/Los_Angeles')),
    ...inRegion('advertising-api-eu.amazon.com', profiles('DE', 'EUR', 'Europe/Berlin')),
    ...inRegion('advertising-api-fe.amazon.com', profiles('JP', 'JPY', 'Asia/Tokyo')),
  },
}
