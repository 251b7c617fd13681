import { denied, googleApi, googleError, googleRoutes, googleWrap, INVALID_TOKEN } from './google.ts'
import { json, OWN, ownOf, type Twin } from './twin.ts'

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

export const googleAdManagerTwin: Twin = {
  wrap: googleWrap,
  routes: {
    ...googleRoutes('Google Ad Manager'),
    [`GET ${HOST}/{version}/networks`]: googleApi(
      (_request, claims) => json(200, claims.more?.accounts === 'none' ? {} : { networks: [network(ownOf(claims))] }),
      scripted,
    ),
    [`GET ${HOST}/{version}/networks/{code}`]: googleApi(
      ({ parameters: { code } }, claims) => (code === ownOf(claims) ? json(200, network(code)) : denied()),
      scripted,
    ),
  },
}
