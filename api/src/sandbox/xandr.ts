import {
  json,
  OWN,
  outage,
  pageFrom,
  played,
  playIn,
  type Reply,
  type Route,
  type TokenClaims,
  type Twin,
  type TwinRequest,
  text,
} from './twin.ts'

const HOUR = 3_600_000
const debug = { instance: 'authentication-api-sandbox', time: 24, start_time: '2026-01-05T12:00:00.000Z', version: '0.0.0' }

const failure = (status: number, error_id: string, error: string, more: object = {}): Reply =>
  json(status, { response: { error_id, error, ...more } })
const throttle = () =>
  json(
    429,
    {
      response: {
        error_id: 'SYSTEM',
        error: 'You have exceeded your request limit of 100 per 60 seconds for this user, please wait and try again',
        error_description: 'rate limit has been exceeded',
        error_code: 'RATE_EXCEEDED',
      },
    },
    { 'retry-after': '9', 'x-ratelimit-code': '429', 'x-ratelimit-count': '113', 'x-an-user-id': '100001' },
  )
const notLoggedIn = () =>
  failure(401, 'NOAUTH', 'Authentication failed - not logged in', {
    error_description: null,
    service: 'user',
    method: 'GET',
    error_code: null,
    dbg_info: { warnings: [], version: '1.18.349', output_term: 'not_found' },
  })

// biome-ignore format: as many members as the vendor shows
const anyone = {
  id: 100001, first_name: 'Sandbox', last_name: 'User', phone: '', email: 'person@example.com', user_type: 'member', read_only: false, api_login: true,
  publisher_id: null, advertiser_id: null, custom_data: null, send_safety_budget_notifications: false, timezone: 'EST5EDT',
  entity_reporting_decimal_type: 'decimal', reporting_decimal_type: null, decimal_mark: 'period', thousand_separator: 'comma', is_admin: false,
  last_modified: '2026-01-02 03:04:05', is_developer: false, role_id: null, state: 'active', password_expires_on: null,
}

/** A login accepts any well-formed user; words in the name or the password script what happens. */
const login: Twin['routes'][string] = ({ json: body }, issuer) => {
  const { username, password } = ((body as { auth?: Record<string, unknown> })?.auth ?? {}) as { username?: unknown; password?: unknown }
  if (typeof username !== 'string' || typeof password !== 'string')
    return failure(400, 'SYNTAX', 'auth must hold a username and a password')
  if (username.includes('disabled')) return failure(401, 'NOAUTH_DISABLED', "The user's account has been deactivated.", { dbg_info: debug })
  if (username.includes('locked'))
    return failure(200, 'UNAUTH', 'Your account has been locked because of too many failed attempts. Please wait five minutes.', {
      dbg_info: debug,
    })
  const refuse = () => failure(401, 'UNAUTH', 'No match found for username/password.', { dbg_info: debug })
  return played(playIn(username, password), { refuse, throttle }, () => {
    const token = issuer.mint('access', { expires: issuer.now() + 24 * HOUR, more: { username } })
    return json(200, { response: { status: 'OK', token, dbg_info: debug } })
  })
}

/** A call within a session. */
const signedIn =
  (ordinary: (request: TwinRequest, claims: TokenClaims) => Reply): Route =>
  (request, issuer) => {
    const claims = issuer.open('access', request.headers.authorization)
    if (!claims) return notLoggedIn()
    return played(claims.play, { refuse: notLoggedIn, throttle, outage }, () => ordinary(request, claims))
  }
const ok = (more: object) => json(200, { response: { status: 'OK', ...more } })
const one = { count: 1, start_element: 0, num_elements: 100 }

/** A service of the API: read as a list, written with an answer that it went well. */
const service = (name: string): Twin['routes'] =>
  Object.fromEntries(
    ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => [
      `${method} api.appnexus.com/${name}`,
      signedIn(() => ok({ ...one, [name]: { id: 4001, name: 'Spring sale', state: 'active' } })),
    ]),
  )

const publisher = (id: number) => ({
  id,
  name: `Example Publisher ${id}`,
  code: null,
  state: 'active',
  member_id: Number(OWN),
  timezone: 'EST5EDT',
  currency: 'USD',
})

const REPORT = 'ca9955709eade'
const reports: Twin['routes'] = {
  'POST api.appnexus.com/report': signedIn(() => ok({ report_id: REPORT })),
  'GET api.appnexus.com/report': signedIn(() => {
    const report = { name: null, created_on: '2026-01-05 06:00:00', row_count: '1', report_size: '10', url: `report-download?id=${REPORT}` }
    return ok({ execution_status: 'ready', report })
  }),
  'GET api.appnexus.com/report-download': signedIn(() => text(200, 'day,imps,revenue\n2026-01-04,1234,12.34\n', 'text/csv')),
}

export const xandrTwin: Twin = {
  wrap: { access: (sealed) => `authn:100001:${sealed}:lax1` },
  routes: {
    'POST api.appnexus.com/auth': login,
    ...service('campaign'),
    ...reports,
    'GET api.appnexus.com/member': signedIn(() => {
      const member = { id: Number(OWN), name: 'Example Member', state: 'active', entity_type: 'reseller', default_currency: 'USD' }
      return ok({ ...one, member: { ...member, timezone: 'EST5EDT' } })
    }),
    'GET api.appnexus.com/publisher': signedIn(({ query }) => {
      const start_element = Number(query.get('start_element') ?? 0)
      const publishers = pageFrom([10, 11, 12], String(start_element)).items.map(publisher)
      const page = { count: 3, start_element, num_elements: 2 }
      return ok({ ...page, ...(publishers.length === 1 ? { publisher: publishers[0] } : { publishers }) })
    }),
    'GET api.appnexus.com/user': signedIn(({ query }, { more }) => {
      if (!query.has('current')) return failure(400, 'SYNTAX', 'The sandbox knows the current user only.')
      const user = { ...anyone, username: more?.username ?? 'sandbox', entity_id: Number(OWN), entity_name: 'Example Member' }
      return ok({ ...one, user, dbg_info: { warnings: [], version: '1.18.349', output_term: 'user' } })
    }),
  },
}
