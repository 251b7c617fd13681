import { textAt } from './answer.ts'
import { credentialOf, field, granted, type Provider, rejected, secondsAfter, unreachable, verified } from './provider.ts'

const HOSTS = { api: 'https://api.appnexus.com' } as const
const DAY = 86_400
const LOCKED_FOR = 300

export const xandr: Provider = {
  id: 'xandr',
  name: 'Microsoft Monetize (Xandr)',
  category: 'ssp',
  authMethod: 'credentials',
  documentationUrl: 'https://learn.microsoft.com/en-us/xandr/digital-platform-api/authentication-service',
  hosts: HOSTS,
  app: [],
  connectFields: [
    field('username', 'Username', {
      pattern: '^[^\\s$#"\\x00-\\x1F\\x7F]{1,254}$',
      help: 'A user that Microsoft has enabled for the API. No spaces, $, # or ".',
    }),
    field('password', 'Password', { secret: true, pattern: '^[^\\x00-\\x1F\\x7F]{8,64}$', help: '8 to 64 characters.' }),
  ],
  settingsFields: [
    field('memberId', 'Member ID', {
      required: false,
      pattern: '^[0-9]{1,19}$',
      help: 'If set, users of other members are rejected.',
    }),
  ],
  scopes: [],
  // A session ends two hours after its last call, and after a day at the latest.
  // The vendor asks not to log in before it has ended.
  lifetimes: { access: DAY, refresh: null, rotates: false, renew: 'on_demand' },
  loginQuota: { logins: 10, seconds: 300 },
  codes: (body) => [textAt(body, 'response', 'error_id'), textAt(body, 'response', 'status') === 'OK' ? null : 'NOT_OK'],
  words: (body) => textAt(body, 'response', 'error'),
  // Status before error_id: a throttled call says SYSTEM, a dead session may say SYNTAX.
  answers: [
    { status: 429, reason: 'throttled' },
    { status: 503, header: 'x-ratelimit-code', reason: 'throttled' },
    { code: /^SYSTEM$/, reason: 'outage' },
    { code: /^NOAUTH_DISABLED$/, reason: 'login_blocked' },
    { code: /^NOAUTH_EXPIRED$/, reason: 'password_expired' },
    // A lockout has the id of a wrong password, but ends by itself.
    { on: 'login', code: /^UNAUTH$/, text: /locked/i, reason: 'login_locked', after: LOCKED_FOR },
    { on: 'login', code: /^(UNAUTH|NOAUTH)$/, reason: 'login_refused' },
    { on: 'verify', status: 401, reason: 'access_refused', stale: true },
    { on: 'verify', code: /^NOAUTH$/, reason: 'access_refused', stale: true },
    { on: 'verify', code: /^UNAUTH$/, reason: 'permission_missing' },
  ],

  async login(session, fields) {
    const answer = await session.send('login', {
      method: 'POST',
      url: `${session.hosts.api}/auth`,
      json: { auth: { username: fields.username, password: fields.password } },
    })
    if (answer.outcome !== 'answered') return answer
    const accessToken = textAt(answer.body, 'response', 'token')
    if (!accessToken) return unreachable('odd_answer')
    return granted(
      credentialOf(fields, { accessToken, accessExpiresAt: secondsAfter(session.now, DAY), obtainedAt: session.now.toISOString() }),
    )
  },

  async verify(session, credential, { memberId }) {
    // The token is sent bare, without a scheme.
    const answer = await session.send('verify', {
      method: 'GET',
      url: `${session.hosts.api}/user?current`,
      headers: { Authorization: credential.accessToken ?? '' },
    })
    if (answer.outcome !== 'answered') return answer
    const id = textAt(answer.body, 'response', 'user', 'entity_id')
    if (!id) return unreachable('odd_answer')
    const account = {
      id,
      name: textAt(answer.body, 'response', 'user', 'entity_name') ?? id,
      email: textAt(answer.body, 'response', 'user', 'email'),
    }
    return memberId && memberId !== id ? rejected('account_unreachable', { account }) : verified(account)
  },
}
