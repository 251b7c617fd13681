import { loginRoute } from './login.ts'
import { empty, guarded, json, OWN, type Twin, text } from './twin.ts'

const WEEK = 604_800
const HOSTS = ['api.freewheel.tv', 'api.stg.freewheel.tv']

const scripted = {
  refuse: () => text(401, 'Unauthorized'),
  throttle: () => empty(429),
  outage: () => text(500, 'Internal Server Error'),
}
const created_at = 1_767_614_400

const login = loginRoute(
  WEEK,
  scripted,
  ({ form }) => [form.get('grant_type') === 'password' ? form.get('username') : null, form.get('password')],
  { created_at },
)
const info = guarded(scripted, () => json(200, { user_id: Number(OWN), expires_in_seconds: WEEK, created_at }))

const site = guarded(scripted, ({ parameters: { id } }) =>
  json(200, { id: Number(id), name: 'Example Site', status: 'ACTIVE', network_id: Number(OWN) }),
)
const televisionNetworks = guarded(scripted, () =>
  json(200, { items: [{ id: 7, name: 'Example TV', status: 'ACTIVE' }], page: 1, per_page: 50 }),
)

export const freewheelTwin: Twin = {
  wrap: {},
  routes: Object.fromEntries(
    HOSTS.flatMap((host) => [
      [`POST ${host}/auth/token`, login],
      [`GET ${host}/auth/token/info`, info],
      [`GET ${host}/services/v4/sites/{id}`, site],
      [`GET ${host}/services/v4/available_television_networks`, televisionNetworks],
    ]),
  ),
}
