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

export const freewheelTwin: Twin = {
  wrap: {},
  routes: Object.fromEntries(
    HOSTS.flatMap((host) => [
      [`POST ${host}/auth/token`, login],
      [`GET ${host}/auth/token/info`, info],
    ]),
  ),
}
