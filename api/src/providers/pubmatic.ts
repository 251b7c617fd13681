import { listAt, textAt, valueAt } from './answer.ts'
import {
  bearer,
  type Credential,
  credentialOf,
  field,
  type Granted,
  granted,
  type Provider,
  rejected,
  secondsAfter,
  unreachable,
  type VendorRefusal,
  type VendorSession,
  verified,
} from './provider.ts'
import type { VendorAnswer } from './rule.ts'

const VERSION = 'v1'
const HOSTS = { api: 'https://api.pubmatic.com' } as const
const DAY = 86_400
const LIFETIME = 60 * DAY

const developer = ({ hosts, version }: VendorSession) => `${hosts.api}/${version}/developer-integrations/developer`

/** Failures come in several envelopes, at the top or a step below, with HTTP 200 too. */
function codes(body: unknown): (string | null)[] {
  const places = [body, ...listAt(body), ...['errors', 'details'].flatMap((name) => [valueAt(body, name), ...listAt(body, name)])]
  return [...places.map((place) => textAt(place, 'errorCode')), textAt(body, 'fault', 'detail', 'errorcode')]
}

/** Both tokens are new and the old ones void; how long they last is a rule, not in the answer. */
function issued({ body }: VendorAnswer, { now }: VendorSession, before: Credential): Granted | VendorRefusal {
  const accessToken = textAt(body, 'accessToken')
  if (!accessToken) return unreachable('odd_answer')
  const email = textAt(body, 'userEmail')
  return granted({
    ...before,
    accessToken,
    accessExpiresAt: secondsAfter(now, LIFETIME),
    refreshToken: textAt(body, 'refreshToken') ?? before.refreshToken,
    obtainedAt: now.toISOString(),
    identity: email ? { id: null, email, name: null } : before.identity,
  })
}

export const pubmatic: Provider = {
  id: 'pubmatic',
  name: 'PubMatic',
  category: 'ssp',
  authMethod: 'credentials',
  documentationUrl: 'https://help.pubmatic.com/activate/reference/get-started-with-pubmatic-apis',
  hosts: HOSTS,
  version: VERSION,
  app: [],
  connectFields: [
    field('username', 'API user name', {
      pattern: '^[^\\s\\x00-\\x1F\\x7F]{1,254}$',
      help: 'The email address you sign in to PubMatic with. Your account manager must have enabled it for the API.',
    }),
    field('password', 'Password', {
      secret: true,
      pattern: '^(?=.*[0-9])(?=.*[A-Z])[^\\x00-\\x1F\\x7F]{8,256}$',
      help: 'At least 8 characters, including a digit and an uppercase letter.',
    }),
  ],
  settingsFields: [
    field('accountId', 'Account ID', { pattern: '^[0-9]{1,19}$', help: 'The number of the publisher (or other account) at PubMatic.' }),
    field('accountType', 'Account type', {
      options: ['PUBLISHER', 'DSP', 'BUYER', 'DATAPROVIDER'],
      default: 'PUBLISHER',
      help: 'The type of your PubMatic account. For sellers it is PUBLISHER.',
    }),
  ],
  scopes: [],
  lifetimes: { access: LIFETIME, refresh: null, rotates: true, renew: 'ahead' },
  // At 200 in 20 minutes PubMatic disables the account, and the client's other tools count too.
  loginQuota: { logins: 20, seconds: 1200 },
  codes,
  words: (body) => textAt(body, 'errorMessage') ?? textAt(body, 'fault', 'faultstring'),
  answers: [
    // A call that does not exist says so with HTTP 500.
    { text: /This is an invalid api/i, reason: 'odd_answer' },
    // Where in the answer the word is, nobody has published.
    { on: 'login', text: /AUTH_FAILED/, reason: 'login_refused' },
    { on: 'refresh', status: [400, 401, 403, 404], reason: 'grant_revoked' },
    { on: 'refresh', code: /token/i, reason: 'grant_revoked' },
    { on: 'verify', code: /(access_token_expired|invalid_access_token)$/i, reason: 'access_refused', stale: true },
    { on: 'verify', status: 403, reason: 'account_unreachable' },
  ],

  async login(session, fields, { accountType = 'PUBLISHER', accountId }) {
    const { username: userName, password } = fields
    const answer = await session.send('login', {
      method: 'POST',
      url: `${developer(session)}/token`,
      // With the account named, PubMatic sends the user no mail about it.
      json: { userName, password, apiProduct: accountType, ...(accountId && { accountId, accountType }) },
    })
    return answer.outcome === 'answered' ? issued(answer, session, credentialOf(fields)) : answer
  },

  /** Takes the old access token alive; once it is dead, a login is left. */
  async refresh(session, credential, { accountType: apiProduct = 'PUBLISHER' }) {
    const { refreshToken, identity, fields } = credential
    if (!refreshToken) return rejected('grant_revoked')
    const answer = await session.send('refresh', {
      method: 'PUT',
      url: `${developer(session)}/refreshToken`,
      headers: bearer(credential),
      json: { email: identity?.email ?? fields.username, apiProduct, refreshToken },
    })
    return answer.outcome === 'answered' ? issued(answer, session, credential) : answer
  },

  /** No call names the account: that the user may read its figures of yesterday is the proof. */
  async verify(session, credential, { accountType = 'PUBLISHER', accountId }) {
    if (!accountId) return rejected('setting_missing')
    const yesterday = secondsAfter(session.now, -DAY).slice(0, 10)
    const answer = await session.send('verify', {
      method: 'GET',
      url: `${session.hosts.api}/${session.version}/analytics/data/${accountType.toLowerCase()}/${accountId}`,
      query: {
        dateUnit: 'date',
        dimensions: 'date',
        metrics: 'paidImpressions',
        fromDate: `${yesterday}T00:00`,
        toDate: `${yesterday}T23:59`,
        pageSize: '1',
      },
      headers: bearer(credential),
    })
    if (answer.outcome !== 'answered') return answer
    if (!Array.isArray(valueAt(answer.body, 'rows') ?? valueAt(answer.body, 'columns'))) return unreachable('odd_answer')
    const email = credential.identity?.email
    return verified({ id: accountId, name: email ?? credential.fields.username ?? accountId, email })
  },
}
