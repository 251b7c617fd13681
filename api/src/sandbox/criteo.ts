import { loginRoute } from './login.ts'
import { guarded, json, OWN, pageFrom, type Reply, type Twin } from './twin.ts'

const LIFETIME = 900
const WINDOW = 30

const traceId = '00000000-0000-4000-8000-000000000001'
const failure = (status: number, error: Record<string, unknown>, headers?: Record<string, string>): Reply =>
  json(status, { errors: [{ traceId, ...error }], warnings: [] }, headers)

/** Epoch seconds, without Retry-After. The date goes with it, so that both are of one clock. */
const throttle = () => {
  const now = new Date()
  return failure(
    429,
    { type: 'quota', title: 'Rate limit reached' },
    {
      date: now.toUTCString(),
      'x-ratelimit-limit': '250',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': String(Math.floor(now.getTime() / 1000) + WINDOW),
    },
  )
}
const outage = () =>
  failure(500, {
    type: 'availability',
    code: 'internal-error',
    title: 'Campaigns are unavailable',
    detail: 'Campaigns are temporarily unavailable, please try again',
  })

const login = loginRoute(
  LIFETIME,
  {
    refuse: () => json(401, { error: 'invalid_client', error_description: 'The client authentication failed.' }),
    throttle,
    outage,
  },
  ({ form }) => [form.get('client_id'), form.get('client_secret')],
)

const refusal = (code: string, title: string) =>
  failure(401, { traceIdentifier: 'sandboxsandboxsandbox', type: 'authorization', code, instance: '/', title, detail: null, source: null })
const scripted = {
  refuse: () => refusal('authorization-token-expired', 'The authorization token has expired'),
  unknown: () => refusal('authorization-token-invalid', 'The authorization header is invalid'),
  throttle,
  outage,
}

const me = (criteoService: string) =>
  guarded(scripted, () => {
    const attributes = { applicationId: 11111, criteoService, description: 'sandbox', name: 'Example App', organizationId: 22222 }
    return json(200, { data: { type: null, attributes }, warnings: [], errors: [] })
  })

const campaigns = guarded(scripted, ({ json: body }) => {
  const { filters } = (body ?? {}) as { filters?: { advertiserIds?: string[] } }
  const attributes = { id: '445566', advertiserId: OWN, name: 'Spring sale', goal: 'acquisition' }
  const data = filters?.advertiserIds?.includes(OWN) ? [{ type: 'Campaign', id: '445566', attributes }] : []
  return json(200, { data, errors: [], warnings: [] })
})
/** The answer is a file, of the format that was asked for; the twin has it in JSON. */
const report = guarded(scripted, () => {
  const figures = { Displays: '1234', AdvertiserCost: '12.34' }
  return json(200, { Total: figures, Rows: [{ AdvertiserId: OWN, Day: '2026-01-04', Currency: 'EUR', ...figures }] })
})

/** Numbered pages of two, and how many there are. */
const retailAccounts = guarded(scripted, ({ query }) => {
  const currentPageIndex = Number(query.get('pageIndex') ?? 0)
  const ids = [OWN, '2234567', '3234567']
  const attributes = {
    name: 'Example Brand',
    type: 'demand',
    subtype: 'brand',
    countries: ['DE'],
    currency: 'EUR',
    timeZone: 'Europe/Berlin',
  }
  const data = pageFrom(ids, String(currentPageIndex * 2)).items.map((id) => ({ type: 'RetailMediaAccount', id, attributes }))
  const metadata = { totalItemsAcrossAllPages: ids.length, currentPageSize: 2, currentPageIndex, totalPages: 2 }
  return json(200, { data, metadata, errors: [], warnings: [] })
})

export const criteoTwin: Twin = {
  wrap: {},
  routes: {
    'POST api.criteo.com/oauth2/token': login,
    'GET api.criteo.com/{version}/marketing-solutions/me': me('MarketingSolutions'),
    'GET api.criteo.com/{version}/retail-media/me': me('RetailMedia'),
    'GET api.criteo.com/{version}/commerce-grid/me': me('CommerceGrid'),
    'POST api.criteo.com/{version}/marketing-solutions/campaigns/search': campaigns,
    'POST api.criteo.com/{version}/statistics/report': report,
    'GET api.criteo.com/{version}/retail-media/accounts': retailAccounts,
    'GET api.criteo.com/{version}/advertisers/me': guarded(scripted, (_request, { more }) => {
      const advertiser = (id: string, advertiserName: string) => ({ type: 'advertiser', id, attributes: { advertiserName } })
      const consented = [advertiser(OWN, 'Example Advertiser'), advertiser('2234567', 'Example Advertiser 2')]
      return json(200, { data: more?.accounts === 'none' ? [] : consented, errors: [], warnings: [] })
    }),
  },
}
