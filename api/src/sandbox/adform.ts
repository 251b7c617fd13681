import { loginRoute } from './login.ts'
import { basicOf, empty, guarded, json, OWN, type Twin, type TwinRequest } from './twin.ts'

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

export const adformTwin: Twin = {
  wrap: {},
  routes: {
    'POST id.adform.com/sts/connect/token': (request, issuer) =>
      request.form.get('scope')?.includes('not.granted') ? json(400, { error: 'invalid_scope' }) : login(request, issuer),
    'GET api.adform.com/v1/buyer/advertisers': guarded(scripted, (_request, { more }) => {
      if (more?.scopes === 'none') return forbidden()
      return json(200, more?.accounts === 'none' ? [] : [advertiser])
    }),
    'GET api.adform.com/v1/buyer/advertisers/{id}': guarded(scripted, ({ parameters: { id } }) =>
      id === OWN ? json(200, advertiser) : forbidden(),
    ),
  },
}
