import { loginRoute } from './login.ts'
import { basicOf, empty, guarded, json, OWN, pageFrom, type Twin, type TwinRequest } from './twin.ts'

const HOUR = 3600

/** The client comes in the form or by HTTP Basic. */
const clientOf = (request: TwinRequest) => {
  const [id, secret] = basicOf(request)
  return [request.form.get('client_id') ?? id, request.form.get('client_secret') ?? secret]
}
const throttle = () => empty(429)
const login = loginRoute(HOUR, { refuse: () => json(400, { error: 'invalid_client' }), throttle }, clientOf)

const scripted = { refuse: () => empty(401, { 'www-authenticate': 'Bearer' }), throttle }
const forbidden = () => empty(403)
const advertiser = { id: Number(OWN), name: 'Example Advertiser', timeZone: 'Europe/Berlin', status: 'Active' }

const REPORT = '00000000-0000-4000-8000-000000000001'
/** Where a report and its progress are found is told in headers alone. */
const started = guarded(scripted, () =>
  empty(202, { 'operation-location': `/v1/buyer/stats/operations/${REPORT}`, location: `/v1/buyer/stats/data/${REPORT}` }),
)
const progress = guarded(scripted, ({ parameters: { id } }) =>
  json(200, { id, status: 'succeeded', createdAt: '2026-01-05T06:00:00Z', location: `/v1/buyer/stats/data/${id}` }),
)
const report = guarded(scripted, () => {
  const columnHeaders = ['date', 'client', 'campaign', 'impressions', 'cost']
  return json(200, { reportData: { columnHeaders, rows: [['2026-01-04', 'Example Advertiser', 'Spring sale', 1234, 12.34]] } })
})

export const adformTwin: Twin = {
  wrap: {},
  routes: {
    'POST id.adform.com/sts/connect/token': (request, issuer) =>
      request.form.get('scope')?.includes('not.granted') ? json(400, { error: 'invalid_scope' }) : login(request, issuer),
    'GET api.adform.com/v1/buyer/advertisers': guarded(scripted, ({ query }, { more }) => {
      if (more?.scopes === 'none') return forbidden()
      const all = [advertiser, { ...advertiser, id: 2234567 }, { ...advertiser, id: 3234567 }]
      const { items } = pageFrom(all, query.get('offset'))
      return json(200, more?.accounts === 'none' ? [] : items.slice(0, Number(query.get('limit') ?? 100)))
    }),
    'GET api.adform.com/v1/buyer/campaigns': guarded(scripted, () =>
      json(200, [{ id: 556_677, name: 'Spring sale', advertiserId: Number(OWN), status: 'Active' }]),
    ),
    'POST api.adform.com/v1/buyer/stats/data': started,
    'GET api.adform.com/v1/buyer/stats/data/{id}': report,
    'GET api.adform.com/v1/buyer/stats/operations/{id}': progress,
    'GET api.adform.com/v1/buyer/advertisers/{id}': guarded(scripted, ({ parameters: { id } }) =>
      id === OWN ? json(200, advertiser) : forbidden(),
    ),
  },
}
