import { createHmac } from 'node:crypto'
import { at, list, parseJson, word } from './answer.ts'
import { grantedBy } from './oauth.ts'
import {
  bearer,
  type Credential,
  credentialOf,
  field,
  type Granted,
  granted,
  type Line,
  outOfReach,
  type Provider,
  type Refusal,
  rejected,
  unreachable,
  verified,
} from './provider.ts'

const VERSION = 'v25.0'
const HOSTS = { dialog: 'https://www.facebook.com', graph: 'https://graph.facebook.com' } as const
const DAYS_60 = 5_184_000

const graph = ({ hosts, version }: Line, path: string) => `${hosts.graph}/${version}/${path}`

/** Signed with the app's secret: without it a stolen token is worth nothing. */
const signed = ({ app }: Line, { accessToken }: Credential) => ({
  appsecret_proof: createHmac('sha256', app.clientSecret ?? '')
    .update(accessToken ?? '')
    .digest('hex'),
})

const redeem = (line: Line, step: 'exchange' | 'refresh', query: Record<string, string>) =>
  line.send(step, {
    method: 'GET',
    url: graph(line, 'oauth/access_token'),
    query: { client_id: line.app.clientId ?? '', client_secret: line.app.clientSecret ?? '', ...query },
  })

/** A token of 60 days for one that still lives: the second half of connecting, and all there is of renewing. */
async function lengthen(line: Line, credential: Credential): Promise<Granted | Refusal> {
  if (!credential.accessToken) return rejected('grant_revoked')
  const answer = await redeem(line, 'refresh', { grant_type: 'fb_exchange_token', fb_exchange_token: credential.accessToken })
  return answer.outcome === 'answered' ? grantedBy(answer, line, credential) : answer
}

export const metaAds: Provider = {
  id: 'meta_ads',
  name: 'Meta Ads',
  category: 'wg',
  authMethod: 'oauth',
  documentationUrl: 'https://developers.facebook.com/docs/marketing-api/get-started',
  hosts: HOSTS,
  version: VERSION,
  app: ['clientId', 'clientSecret'],
  optionalApp: ['configId'],
  connectFields: [],
  settingsFields: [
    field('adAccountId', 'Ad account ID', {
      pattern: '^[0-9]{1,20}$',
      help: 'The number of the ad account, shown in Ads Manager under the account’s name. A leading act_ is fine.',
      tidy: (value) => value.replace(/^act_/i, ''),
    }),
    field('businessId', 'Business portfolio ID', {
      required: false,
      pattern: '^[0-9]{1,20}$',
      help: 'The number of the business portfolio, under Business settings > Business info. Not needed to connect.',
    }),
  ],
  scopes: ['ads_read', 'ads_management', 'business_management', 'public_profile', 'email'],
  requiredScopes: ['ads_read', 'ads_management'],
  lifetimes: { access: DAYS_60, refresh: null, rotates: false, renew: 'ahead' },
  codes: (body) => [
    word(body, 'error', 'code'),
    word(body, 'error', 'error_subcode') && `${word(body, 'error', 'code')}.${word(body, 'error', 'error_subcode')}`,
    at(body, 'error', 'is_transient') === true ? 'transient' : null,
  ],
  words: (body) => word(body, 'error', 'message'),
  /** Minutes, by account, in JSON inside a header. */
  wait({ headers }) {
    const usages = Object.values(parseJson(headers['x-business-use-case-usage'] ?? '') ?? {}).flatMap((usage) => list(usage))
    const minutes = Math.max(0, ...usages.map((usage) => Number(word(usage, 'estimated_time_to_regain_access'))))
    return minutes > 0 ? minutes * 60 : undefined
  },
  // Everything calls itself OAuthException, most of it with HTTP 400: only the code tells.
  answers: [
    { status: [500, 502, 503, 504], reason: 'outage' },
    { code: /^(4|17|32|341|368|613|8000[0-68])$/, reason: 'throttled' },
    { on: ['exchange', 'refresh'], text: /validating client secret/, reason: 'app_misconfigured' },
    { code: /^(1|2|transient)$/, reason: 'outage' },
    { code: /^190\.(459|464)$/, reason: 'login_blocked' },
    // Never stale: a dead token cannot be renewed.
    { code: /^(102|190)$/, reason: 'grant_revoked' },
    { code: /^3$/, reason: 'app_not_approved' },
    { code: /^(10|2\d\d)$/, reason: 'permission_missing' },
    { text: /appsecret_proof/, reason: 'app_misconfigured' },
    { on: 'exchange', code: /^100$/, reason: 'consent_expired' },
    { on: 'verify', code: /^100$/, reason: 'account_unreachable' },
  ],

  dialect: (line) => ({
    authorizeUrl: `${line.hosts.dialog}/${line.version}/dialog/oauth`,
    tokenUrl: graph(line, 'oauth/access_token'),
    clientAuth: 'post',
    pkce: false,
    separator: ',',
    // With Facebook Login for Business the permissions stand in a configuration at Meta.
    ...(line.app.configId && { authorizeParameters: { config_id: line.app.configId, scope: null }, requiredScopes: ['ads_read'] }),
  }),

  /** The code brings a token of an hour, that one a token of 60 days; and only a third call tells who it is and what was left ticked. */
  async exchange(line, fields, { code, redirectUri }) {
    line.conceal([code])
    const answer = await redeem(line, 'exchange', { redirect_uri: redirectUri, code })
    if (answer.outcome !== 'answered') return answer
    const short = grantedBy(answer, line, credentialOf(fields))
    if (short.outcome !== 'granted') return short
    line.conceal([short.credential.accessToken])
    const long = await lengthen(line, short.credential)
    if (long.outcome === 'rejected') return long
    // The code is spent: when Meta falters now, the hour is kept, and the next renewal lengthens it.
    const { credential } = long.outcome === 'granted' ? long : short
    const person = await line.send('exchange', {
      method: 'GET',
      url: graph(line, 'me'),
      query: { fields: 'id,name,email,permissions', ...signed(line, credential) },
      headers: bearer(credential),
      repeatable: true,
    })
    if (person.outcome !== 'answered') return person
    const id = word(person.body, 'id')
    if (!id) return unreachable('odd_answer')
    const allowed = list(person.body, 'permissions', 'data').filter((one) => word(one, 'status') === 'granted')
    return granted({
      ...credential,
      scopes: allowed.map((one) => word(one, 'permission') ?? ''),
      identity: { id, email: word(person.body, 'email'), name: word(person.body, 'name') },
    })
  },
  refresh: lengthen,

  revoke: (line, credential) =>
    line.send('revoke', {
      method: 'DELETE',
      url: graph(line, `${encodeURIComponent(credential.identity?.id ?? 'me')}/permissions`),
      query: signed(line, credential),
      headers: bearer(credential),
    }),

  async verify(line, credential, { adAccountId }) {
    const answer = await line.send('verify', {
      method: 'GET',
      url: graph(line, adAccountId ? `act_${encodeURIComponent(adAccountId)}` : 'me'),
      query: { fields: adAccountId ? 'account_id,name,account_status' : 'id,name', ...signed(line, credential) },
      headers: bearer(credential),
    })
    if (answer.outcome !== 'answered') return adAccountId ? outOfReach(answer) : answer
    const id = word(answer.body, adAccountId ? 'account_id' : 'id')
    return id ? verified({ id, name: word(answer.body, 'name') ?? id, email: credential.identity?.email }) : unreachable('odd_answer')
  },
}
