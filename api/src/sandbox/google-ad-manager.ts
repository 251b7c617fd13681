import { denied, googleApi, googleError, googleRoutes, googleWrap, INVALID_TOKEN } from './google.ts'
import { json, OWN, ownAccountId, type Twin } from './twin.ts'

const HOST = 'admanager.googleapis.com'
const scripted = { refuse: () => googleError(401, 'UNAUTHENTICATED', INVALID_TOKEN, {}, 'invalid_token') }

const network = (code: string) => ({
  name: `networks/${code}`,
  displayName: code === OWN ? 'Example Network' : 'Another Network',
  networkCode: code,
  propertyCode: 'ca-pub-sandbox',
  timeZone: 'Europe/Berlin',
  currencyCode: 'EUR',
  effectiveRootAdUnit: `networks/${code}/adUnits/1111`,
  networkId: '87654321',
})

/** What is told about a network that the person reaches. */
const ofNetwork = (told: (name: string, parameters: Record<string, string>) => object) =>
  googleApi(
    ({ parameters }, claims) =>
      parameters.code === ownAccountId(claims) ? json(200, told(`networks/${parameters.code}`, parameters)) : denied(),
    scripted,
  )
const TYPE = 'type.googleapis.com/google.ads.admanager.v1.RunReport'
const rows = [
  {
    dimensionValues: [{ stringValue: '2026-01-04' }],
    metricValueGroups: [{ primaryValues: [{ intValue: '12000' }, { doubleValue: 96.5 }] }],
  },
]

export const googleAdManagerTwin: Twin = {
  wrap: googleWrap,
  routes: {
    ...googleRoutes('Google Ad Manager'),
    [`GET ${HOST}/{version}/networks`]: googleApi((_request, claims) => {
      const codes = claims.play === 'other' ? [ownAccountId(claims)] : [ownAccountId(claims), '22345678']
      return json(200, claims.more?.accounts === 'none' ? {} : { networks: codes.map(network) })
    }, scripted),
    [`GET ${HOST}/{version}/networks/{code}`]: ofNetwork((_name, { code = '' }) => network(code)),
    [`GET ${HOST}/{version}/networks/{code}/orders`]: ofNetwork((name) => ({
      orders: [{ name: `${name}/orders/3344556`, orderId: '3344556', displayName: 'Spring sale', status: 'APPROVED' }],
      totalSize: 1,
    })),
    [`POST ${HOST}/{version}/networks/{code}/reports/{id}:run`]: ofNetwork((name, { id }) => ({
      name: `${name}/operations/reports/runs/8899`,
      metadata: { '@type': `${TYPE}Metadata`, percentComplete: 0, report: `${name}/reports/${id}` },
      done: false,
    })),
    [`GET ${HOST}/{version}/networks/{code}/reports/{id}/results/{result}:fetchRows`]: ofNetwork(() => ({
      rows,
      runTime: '2026-01-05T06:00:00Z',
      totalRowCount: 1,
      nextPageToken: '',
    })),
  },
}
