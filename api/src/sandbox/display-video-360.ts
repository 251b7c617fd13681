import { denied, errorInfo, googleApi, googleError, googleRoutes, googleWrap } from './google.ts'
import { json, OWN, ownAccountId, pageFrom, type Twin, type TwinRequest } from './twin.ts'

const HOST = 'displayvideo.googleapis.com'
const REPORTS = 'doubleclickbidmanager.googleapis.com/{version}'
const scripted = {
  throttle: (request: TwinRequest) =>
    googleError(429, 'RESOURCE_EXHAUSTED', `Quota exceeded for quota metric 'Requests' of service '${HOST}'.`, {
      details: [errorInfo('RATE_LIMIT_EXCEEDED', request)],
    }),
}

const partner = (id: string) => ({
  name: `partners/${id}`,
  partnerId: id,
  updateTime: '2026-01-05T10:00:00.123Z',
  displayName: id === OWN ? 'Example Partner' : 'Another Partner',
  entityStatus: 'ENTITY_STATUS_ACTIVE',
  generalConfig: { timeZone: 'Europe/Berlin', currencyCode: 'EUR' },
})
const advertiser = (id: string, partnerId: string) => {
  const { updateTime, entityStatus, generalConfig } = partner(id)
  return {
    name: `advertisers/${id}`,
    advertiserId: id,
    partnerId,
    displayName: 'Example Advertiser',
    updateTime,
    entityStatus,
    generalConfig,
  }
}
/** A partner without advertisers. */
const SECOND = '7654321'
const inPages = (key: string, { query }: TwinRequest, all: object[], size?: number) => {
  const { items, next } = pageFrom(all, query.get('pageToken'), size)
  return json(200, { ...(items.length && { [key]: items }), ...(next && { nextPageToken: next }) })
}

export const displayVideo360Twin: Twin = {
  wrap: googleWrap,
  routes: {
    ...googleRoutes('Display & Video 360'),
    // proto3 leaves an empty list out.
    [`GET ${HOST}/{version}/partners`]: googleApi(
      (request, claims) =>
        inPages('partners', request, claims.more?.accounts === 'none' ? [] : [ownAccountId(claims), SECOND].map(partner), 1),
      scripted,
    ),
    [`GET ${HOST}/{version}/advertisers`]: googleApi((request, claims) => {
      const own = ownAccountId(claims)
      if (request.query.get('partnerId') === SECOND) return json(200, {})
      if (request.query.get('partnerId') !== own) return denied()
      const ids = own === OWN ? [own, '2234567', '3234567'] : [own]
      return inPages(
        'advertisers',
        request,
        ids.map((id) => advertiser(id, own)),
      )
    }, scripted),
    [`GET ${HOST}/{version}/partners/{id}`]: googleApi(
      ({ parameters: { id } }, claims) => (id === ownAccountId(claims) ? json(200, partner(id)) : denied()),
      scripted,
    ),
    [`GET ${HOST}/{version}/advertisers/{id}/campaigns`]: googleApi(({ parameters: { id } }, claims) => {
      if (id !== ownAccountId(claims)) return denied()
      const { updateTime, entityStatus } = partner(id)
      const campaign = { name: `advertisers/${id}/campaigns/55555`, advertiserId: id, campaignId: '55555', displayName: 'Spring sale' }
      return json(200, { campaigns: [{ ...campaign, updateTime, entityStatus }] })
    }, scripted),
    [`POST ${REPORTS}/queries`]: googleApi(({ json: body }) => json(200, { queryId: '77777', ...(body as object) }), scripted),
    [`POST ${REPORTS}/queries/{queryId}:run`]: googleApi(
      ({ parameters: { queryId } }) =>
        json(200, { key: { queryId, reportId: '88888' }, metadata: { status: { state: 'QUEUED', format: 'CSV' } } }),
      scripted,
    ),
    [`GET ${HOST}/{version}/advertisers/{id}`]: googleApi(({ parameters: { id } }, claims) => {
      return id === ownAccountId(claims) ? json(200, advertiser(id, id)) : denied()
    }, scripted),
  },
}
