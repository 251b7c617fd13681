import { idToken, oauthRoutes } from './oauth.ts'
import {
  guarded,
  json,
  OTHER,
  ownAccountId,
  pageFrom,
  type Reply,
  type Route,
  type TokenClaims,
  type Twin,
  type TwinRequest,
} from './twin.ts'

const ACCOUNTS = 'GET api.linkedin.com/rest/adAccounts'
const OLDEST = 202_509
const DAY = 86_400

const failure = (status: number, message: string, more: object = {}): Reply => json(status, { status, ...more, message })
const scripted = {
  refuse: () =>
    failure(401, 'The token used in the request has been revoked by the user', { serviceErrorCode: 65601, code: 'REVOKED_ACCESS_TOKEN' }),
  throttle: () => failure(429, 'Resource level throttle limit for calls to this resource is reached.', { serviceErrorCode: 101 }),
}
const denied = () => failure(403, 'Not enough permissions to access this resource', { serviceErrorCode: 100, code: 'ACCESS_DENIED' })

const account = (id: string) => ({
  id: Number(id),
  name: id === OTHER ? 'Another Account' : 'Example Account',
  type: 'BUSINESS',
  status: 'ACTIVE',
  currency: 'EUR',
  reference: 'urn:li:organization:12345678',
  servingStatuses: ['RUNNABLE'],
  notifiedOnCreativeApproval: false,
  notifiedOnCreativeRejection: false,
  notifiedOnEndOfCampaign: false,
  test: true,
  version: { versionTag: '1' },
})

const campaign = (account: string) => ({
  id: 300_000_001,
  name: 'Spring sale',
  account: `urn:li:sponsoredAccount:${account}`,
  campaignGroup: 'urn:li:sponsoredCampaignGroup:600000001',
  status: 'ACTIVE',
  type: 'SPONSORED_UPDATES',
  costType: 'CPM',
  dailyBudget: { amount: '50', currencyCode: 'EUR' },
})
const figures = { pivotValues: ['urn:li:sponsoredCampaign:300000001'], impressions: 1234, clicks: 42, costInLocalCurrency: '12.34' }

/** Every call names the version it was written for. */
const api =
  (ordinary: (request: TwinRequest, claims: TokenClaims) => Reply): Route =>
  (request, issuer) => {
    const version = request.headers['linkedin-version'] ?? ''
    if (Number(version) >= OLDEST) return guarded(scripted, ordinary)(request, issuer)
    return failure(426, `Requested version ${version}01 is not active`, { code: 'NONEXISTENT_VERSION' })
  }

export const linkedinAdsTwin: Twin = {
  wrap: { code: (sealed) => `AQT${sealed}`, access: (sealed) => `AQV${sealed}`, refresh: (sealed) => `AQW${sealed}` },
  routes: {
    ...oauthRoutes({
      system: 'LinkedIn Ads',
      authorize: 'GET www.linkedin.com/oauth/v2/authorization',
      token: 'POST www.linkedin.com/oauth/v2/accessToken',
      accessSeconds: 60 * DAY,
      refreshSeconds: 365 * DAY,
      rotates: false,
      repeats: true,
      clientAuth: 'post',
      denial: { error: 'user_cancelled_authorize', error_description: 'The user cancelled the authorization' },
      // Asked for with blanks, told with commas, and not told again.
      tokens: ({ scope: _, token_type, ...standard }, claims, first) => ({
        ...standard,
        refresh_token_expires_in: (first ? 365 : 306) * DAY,
        ...(first && { scope: claims.scopes.join(','), token_type, id_token: idToken('https://www.linkedin.com/oauth', claims) }),
      }),
    }),
    [ACCOUNTS]: api(({ query }, claims) => {
      if (claims.more?.accounts === 'none') return json(200, { elements: [], metadata: {} })
      const ids = claims.play === 'other' ? [ownAccountId(claims)] : [ownAccountId(claims), '2234567890', '3234567890']
      const { items, next } = pageFrom(ids, query.get('pageToken'))
      return json(200, { elements: items.map(account), metadata: next ? { nextPageToken: next } : {} })
    }),
    [`${ACCOUNTS}/{id}/adCampaigns`]: api(({ parameters: { id } }, claims) =>
      id === ownAccountId(claims) ? json(200, { elements: [campaign(id)], metadata: { nextPageToken: '' } }) : denied(),
    ),
    // Without activity, and without the right to see any, the list is empty.
    'GET api.linkedin.com/rest/adAnalytics': api(({ query }, claims) => {
      const own = query.get('accounts')?.includes(`sponsoredAccount:${ownAccountId(claims)}`)
      return json(200, { elements: own ? [figures] : [], paging: { start: 0, count: 10, links: [] } })
    }),
    [`${ACCOUNTS}/{id}`]: api(({ parameters: { id } }, claims) => (id === ownAccountId(claims) ? json(200, account(id)) : denied())),
  },
}
