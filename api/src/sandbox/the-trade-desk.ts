import { empty, json, OWN, pageFrom, played, playIn, type Reply, type Route, type Twin, type TwinRequest } from './twin.ts'

const HOSTS = ['api.thetradedesk.com', 'api.dsp.walmart.com', 'ext-api.sb.thetradedesk.com']
const PARTNER = { PartnerId: OWN, PartnerName: 'Example Partner' }

const failure = (status: number, Message: string) => json(status, { Message })
const scripted = {
  // The gateway answers before the platform, in lower case.
  refuse: () => json(401, { message: 'Unauthorized' }),
  throttle: () => json(429, { Message: 'Too Many Requests' }, { 'retry-after': '60' }),
  outage: () => empty(503, { 'retry-after': '30' }),
}

/** Any token is good; words in it script what happens. */
const platform =
  (ordinary: (request: TwinRequest, token: string) => Reply): Route =>
  (request) => {
    const token = request.headers['ttd-auth']
    if (!token) return scripted.refuse()
    if (token.includes('expired'))
      return failure(403, 'The supplied auth token is not valid or has expired. Please obtain a new token via the Authentication API.')
    if (token.includes('forbidden'))
      return failure(403, 'Access Denied. You do not have the required permissions to perform the requested action.')
    return played(playIn(token), scripted, () => ordinary(request, token))
  }

const query = platform((request, token) => inPages(request, token.includes('lonely') ? [] : [PARTNER]))
/** From the row that the body names. */
const inPages = ({ json: body }: TwinRequest, all: object[]) => {
  const { PageStartIndex = 0 } = (body ?? {}) as { PageStartIndex?: number }
  const { items } = pageFrom(all, String(PageStartIndex))
  return json(200, { Result: items, ResultCount: items.length, TotalFilteredCount: all.length, TotalUnfilteredCount: all.length })
}
const advertisers = platform((request) => {
  const { PartnerId } = (request.json ?? {}) as { PartnerId?: string }
  if (PartnerId !== OWN) return failure(403, `You are not authorized to access Partner '${PartnerId}'.`)
  const one = (AdvertiserId: string) => ({ PartnerId, AdvertiserId, AdvertiserName: `Example Advertiser ${AdvertiserId}` })
  const more = { Description: null, CurrencyCode: 'EUR', Availability: 'Available' }
  return inPages(
    request,
    [OWN, 'adv2sand', 'adv3sand'].map((id) => ({ ...one(id), ...more })),
  )
})
const listed = (Result: object[]) => {
  const counted = Result.length
  return json(200, { Result, ResultCount: counted, TotalFilteredCount: counted, TotalUnfilteredCount: counted })
}
/** A list about an advertiser, whom the body names alone or among others. */
const ofAdvertiser = (list: (AdvertiserId: string) => object[]) =>
  platform(({ json: body }) => {
    const { AdvertiserId, AdvertiserIds = [AdvertiserId] } = (body ?? {}) as { AdvertiserId?: string; AdvertiserIds?: unknown[] }
    return AdvertiserIds.every((id) => id === OWN) ? listed(list(OWN)) : failure(403, 'You are not authorized to access this advertiser.')
  })
const campaigns = ofAdvertiser((AdvertiserId) => [
  {
    CampaignId: 'cmp1sand',
    AdvertiserId,
    CampaignName: 'Spring sale',
    Availability: 'Available',
    StartDate: '2026-01-01T00:00:00',
    Budget: { Amount: 1000, CurrencyCode: 'EUR' },
  },
])
const reports = ofAdvertiser(() => [
  {
    ReportExecutionId: 123456,
    ReportExecutionState: 'Complete',
    ReportScheduleId: 4321,
    ReportScheduleName: 'Daily spend',
    ReportStartDateInclusive: '2026-01-04T00:00:00',
    ReportEndDateExclusive: '2026-01-05T00:00:00',
    ReportDeliveries: [{ ReportDestination: '', DeliveredPath: '', DownloadURL: 'https://reports.sandbox.example/123456.csv' }],
  },
])
const partner = platform(({ parameters: { id } }) =>
  id === OWN ? json(200, PARTNER) : failure(403, `You are not authorized to access Partner '${id}'.`),
)

export const theTradeDeskTwin: Twin = {
  wrap: {},
  routes: Object.fromEntries(
    HOSTS.flatMap((host) => [
      [`POST ${host}/v3/partner/query`, query],
      [`GET ${host}/v3/partner/{id}`, partner],
      [`POST ${host}/v3/advertiser/query/partner`, advertisers],
      [`POST ${host}/v3/campaign/query/advertiser`, campaigns],
      [`POST ${host}/v3/myreports/reportexecution/query/advertisers`, reports],
    ]),
  ),
}
