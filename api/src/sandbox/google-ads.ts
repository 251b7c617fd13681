import { textAt } from '../providers/answer.ts'
import { googleApi, googleError, googleRoutes, googleWrap } from './google.ts'
import { bearerOf, json, OTHER, OWN, type Twin } from './twin.ts'

const MANAGER = '9876543210'

const failure = (code: number, status: string, message: string, kind: string, reason: string, details?: unknown) =>
  googleError(code, status, message, {
    details: [
      {
        '@type': 'type.googleapis.com/google.ads.googleads.v25.errors.GoogleAdsFailure',
        errors: [{ errorCode: { [kind]: reason }, message, ...(details ? { details } : {}) }],
        requestId: 'SANDBOX_REQUEST_000001',
      },
    ],
  })
const scripted = {
  refuse: () => failure(401, 'UNAUTHENTICATED', 'The access token was revoked.', 'authenticationError', 'OAUTH_TOKEN_REVOKED'),
  throttle: () =>
    failure(429, 'RESOURCE_EXHAUSTED', 'Too many requests. Retry in 40 seconds.', 'quotaError', 'RESOURCE_EXHAUSTED', {
      quotaErrorDetails: { rateScope: 'DEVELOPER', rateName: 'Number of operations for basic access', retryDelay: '40s' },
    }),
}
const noDeveloperToken = () =>
  failure(401, 'UNAUTHENTICATED', 'Developer token is missing.', 'authenticationError', 'DEVELOPER_TOKEN_PARAMETER_MISSING')
const noPermission = () =>
  failure(403, 'PERMISSION_DENIED', "User doesn't have permission to access customer.", 'authorizationError', 'USER_PERMISSION_DENIED')

/**
 * Two campaigns and what they spent yesterday;
 * `echo` stands where a careless system would repeat what it was sent.
 */
const campaigns = (customer: string, echo = '') =>
  json(200, {
    results: [
      ['111', 'Spring sale', '48250000'],
      ['222', 'Brand', '12900000'],
    ].map(([id, name, costMicros]) => ({
      campaign: { resourceName: `customers/${customer}/campaigns/${id}`, id, name: `${name}${echo && ` ${echo}`}`, status: 'ENABLED' },
      metrics: { costMicros, clicks: '1280', impressions: '41200' },
    })),
    fieldMask: 'campaign.id,campaign.name,campaign.status,metrics.costMicros,metrics.clicks,metrics.impressions',
    queryResourceConsumption: '512',
  })

export const googleAdsTwin: Twin = {
  wrap: googleWrap,
  routes: {
    ...googleRoutes('Google Ads'),
    'GET googleads.googleapis.com/{version}/customers:listAccessibleCustomers': googleApi(({ headers }, { play, more }) => {
      if (!headers['developer-token']) return noDeveloperToken()
      // A Google user without any Ads account: a valid token, and still a 401.
      if (more?.accounts === 'none') return failure(401, 'UNAUTHENTICATED', 'Not an Ads user.', 'authenticationError', 'NOT_ADS_USER')
      return json(200, { resourceNames: (play === 'other' ? [OTHER] : [OWN, MANAGER]).map((id) => `customers/${id}`) })
    }, scripted),
    'POST googleads.googleapis.com/{version}/customers/{customerId}/googleAds:search': googleApi((asked, { play }) => {
      const { headers, parameters } = asked
      if (!headers['developer-token']) return noDeveloperToken()
      const manager = headers['login-customer-id'] ?? MANAGER
      const id = play === 'other' ? OTHER : OWN
      if (parameters.customerId !== id || ![MANAGER, id].includes(manager)) return noPermission()
      const query = textAt(asked.json, 'query') ?? ''
      if (/\bFROM\s+campaign\b/i.test(query)) return campaigns(id, /\becho\b/.test(query) ? bearerOf(asked) : undefined)
      const customer = {
        resourceName: `customers/${id}`,
        id,
        descriptiveName: play === 'other' ? 'Another Advertiser' : 'Example Advertiser',
        currencyCode: 'EUR',
        timeZone: 'Europe/Berlin',
      }
      return json(200, {
        results: [{ customer }],
        fieldMask: 'customer.id,customer.descriptiveName,customer.currencyCode,customer.timeZone',
      })
    }, scripted),
    'POST googleads.googleapis.com/{version}/customers/{customerId}/campaigns:mutate': googleApi(
      (_, { play }) => json(200, { results: [{ resourceName: `customers/${play === 'other' ? OTHER : OWN}/campaigns/333` }] }),
      scripted,
    ),
  },
}
