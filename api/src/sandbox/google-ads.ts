import { textAt } from '../providers/answer.ts'
import { googleApi, googleError, googleRoutes, googleWrap } from './google.ts'
import { bearerOf, json, OTHER, OWN, pageFrom, type Reply, type Route, type TokenClaims, type Twin, type TwinRequest } from './twin.ts'

const MANAGER = '9876543210'
const BELOW = '3456789012'

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

/** Two campaigns and what they spent yesterday; `echo` stands where a careless system would repeat what it was sent. */
const campaigns = (customer: string, echo = '') => ({
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

/** Below the manager: an account, and a second manager with an account of its own. */
const TREE: Record<string, readonly string[]> = { [MANAGER]: [OWN, '2345678901'], '2345678901': [BELOW] }
const NAMES: Record<string, string> = { [MANAGER]: 'Example Manager', [OWN]: 'Example Advertiser', [OTHER]: 'Another Advertiser' }
const nameOf = (id: string) => NAMES[id] ?? `Example Client ${id.slice(0, 4)}`

const client = (of: string, id: string) => ({
  customerClient: {
    resourceName: `customers/${of}/customerClients/${id}`,
    id,
    descriptiveName: nameOf(id),
    currencyCode: 'EUR',
    timeZone: 'Europe/Berlin',
    manager: id in TREE,
    level: of === id ? '0' : '1',
    status: 'ENABLED',
  },
})

/** An account and those right below it, for whoever comes through the manager above or through the account itself. */
function clients({ json: body, parameters: { customerId = '' }, headers }: TwinRequest, { play }: TokenClaims): Reply {
  const via = headers['login-customer-id'] ?? customerId
  const reached = play === 'other' ? customerId === OTHER : via === MANAGER ? customerId !== OTHER : via === OWN && customerId === OWN
  if (!reached) return noPermission()
  const { items, next } = pageFrom([customerId, ...(TREE[customerId] ?? [])], textAt(body, 'pageToken'))
  return json(200, {
    results: items.map((id) => client(customerId, id)),
    ...(next && { nextPageToken: next }),
    fieldMask: 'customerClient.id',
  })
}

const SERVICE = 'googleads.googleapis.com/{version}'

/** A query about a customer, whom its manager or the customer itself must be named for. */
const asking = (ordinary: (asked: TwinRequest, customer: string) => Reply): Route =>
  googleApi((asked, claims) => {
    const { headers, parameters } = asked
    const { play } = claims
    if (!headers['developer-token']) return noDeveloperToken()
    if (/\bFROM\s+customer_client\b/i.test(textAt(asked.json, 'query') ?? '')) return clients(asked, claims)
    const { customerId: id = '' } = parameters
    const reached = play === 'other' ? id === OTHER : id === OWN || id === BELOW
    if (!reached || ![MANAGER, id].includes(headers['login-customer-id'] ?? MANAGER)) return noPermission()
    return ordinary(asked, id)
  }, scripted)

export const googleAdsTwin: Twin = {
  wrap: googleWrap,
  routes: {
    ...googleRoutes('Google Ads'),
    [`GET ${SERVICE}/customers:listAccessibleCustomers`]: googleApi(({ headers }, { play, more }) => {
      if (!headers['developer-token']) return noDeveloperToken()
      // A Google user without any Ads account: a valid token, and still a 401.
      if (more?.accounts === 'none') return failure(401, 'UNAUTHENTICATED', 'Not an Ads user.', 'authenticationError', 'NOT_ADS_USER')
      return json(200, { resourceNames: (play === 'other' ? [OTHER] : [OWN, MANAGER]).map((id) => `customers/${id}`) })
    }, scripted),
    [`POST ${SERVICE}/customers/{customerId}/googleAds:search`]: asking((asked, id) => {
      const query = textAt(asked.json, 'query') ?? ''
      if (/\bFROM\s+campaign\b/i.test(query)) return json(200, campaigns(id, /\becho\b/.test(query) ? bearerOf(asked) : undefined))
      const customer = {
        resourceName: `customers/${id}`,
        id,
        descriptiveName: nameOf(id),
        currencyCode: 'EUR',
        timeZone: 'Europe/Berlin',
      }
      return json(200, {
        results: [{ customer }],
        fieldMask: 'customer.id,customer.descriptiveName,customer.currencyCode,customer.timeZone',
      })
    }),
    // Batches, of which the twin needs one.
    [`POST ${SERVICE}/customers/{customerId}/googleAds:searchStream`]: asking((_asked, id) => json(200, [campaigns(id)])),
    [`GET ${SERVICE}/googleAdsFields/{name}`]: googleApi(({ headers, parameters: { name } }) => {
      if (!headers['developer-token']) return noDeveloperToken()
      const uses = { selectable: true, filterable: true, sortable: true, isRepeated: false }
      return json(200, { resourceName: `googleAdsFields/${name}`, name, category: 'ATTRIBUTE', ...uses, dataType: 'INT64' })
    }, scripted),
    [`POST ${SERVICE}/customers/{customerId}/campaigns:mutate`]: googleApi(
      (_, { play }) => json(200, { results: [{ resourceName: `customers/${play === 'other' ? OTHER : OWN}/campaigns/333` }] }),
      scripted,
    ),
  },
}
