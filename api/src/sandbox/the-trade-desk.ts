import { empty, json, OWN, played, playIn, type Reply, type Route, type Twin, type TwinRequest } from './twin.ts'

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

const query = platform((_request, token) => {
  const Result = token.includes('lonely') ? [] : [PARTNER]
  return json(200, { Result, ResultCount: Result.length, TotalFilteredCount: Result.length, TotalUnfilteredCount: Result.length })
})
const partner = platform(({ parameters: { id } }) =>
  id === OWN ? json(200, PARTNER) : failure(403, `You are not authorized to access Partner '${id}'.`),
)

export const theTradeDeskTwin: Twin = {
  wrap: {},
  routes: Object.fromEntries(
    HOSTS.flatMap((host) => [
      [`POST ${host}/v3/partner/query`, query],
      [`GET ${host}/v3/partner/{id}`, partner],
    ]),
  ),
}
