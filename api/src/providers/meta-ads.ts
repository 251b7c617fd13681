import { createHmac } from 'node:crypto'
import { listAt, parseJson, textAt, valueAt } from './answer.ts'
import { grantedBy } from './oauth.ts'
import {
  asAccountUnreachable,
  bearer,
  type Credential,
  credentialOf,
  field,
  type Granted,
  granted,
  type Provider,
  rejected,
  unreachable,
  type VendorRefusal,
  type VendorSession,
  verified,
} from './provider.ts'

const VERSION = 'v25.0'
const HOSTS = { dialog: 'https://www.facebook.com', graph: 'https://graph.facebook.com' } as const
const DAYS_60 = 5_184_000

const graph = ({ hosts, version }: VendorSession, path: string) => `${hosts.graph}/${version}/${path}`

/** Signed with the app's secret: without it a stolen token is worth nothing. */
export const appSecretProof = ({ app }: Pick<VendorSession, 'app'>, { accessToken }: Credential) => ({
  appsecret_proof: createHmac('sha256', app.clientSecret ?? '')
    .update(accessToken ?? '')
    .digest('hex'),
})

const redeem = (session: VendorSession, step: 'exchange' | 'refresh', query: Record<string, string>) =>
  session.send(step, {
    method: 'GET',
    url: graph(session, 'oauth/access_token'),
    query: { client_id: session.app.clientId ?? '', client_secret: session.app.clientSecret ?? '', ...query },
  })

/** A token of 60 days for one that still lives: half of connecting, and all there is of renewing. */
async function lengthen(session: VendorSession, credential: Credential): Promise<Granted | VendorRefusal> {
  if (!credential.accessToken) return rejected('grant_revoked')
  const answer = await redeem(session, 'refresh', { grant_type: 'fb_exchange_token', fb_exchange_token: credential.accessToken })
  return answer.outcome === 'answered' ? grantedBy(answer, session, credential) : answer
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
    textAt(body, 'error', 'code'),
    textAt(body, 'error', 'error_subcode') && `${textAt(body, 'error', 'code')}.${textAt(body, 'error', 'error_subcode')}`,
    valueAt(body, 'error', 'is_transient') === true ? 'transient' : null,
  ],
  words: (body) => textAt(body, 'error', 'message'),
  /** Minutes, by account, in JSON inside a header. */
  wait({ headers }) {
    const usages = Object.values(parseJson(headers['x-business-use-case-usage'] ?? '') ?? {}).flatMap((usage) => listAt(usage))
    const minutes = Math.max(0, ...usages.map((usage) => Number(textAt(usage, 'estimated_time_to_regain_access'))))
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

  dialect: (session) => ({
    authorizeUrl: `${session.hosts.dialog}/${session.version}/dialog/oauth`,
    tokenUrl: graph(session, 'oauth/access_token'),
    clientAuth: 'post',
    pkce: false,
    separator: ',',
    // With Facebook Login for Business the permissions stand in a configuration at Meta.
    ...(session.app.configId && { authorizeParameters: { config_id: session.app.configId, scope: null }, requiredScopes: ['ads_read'] }),
  }),

  /**
   * The code brings a token of an hour, that one a token of 60 days;
   * and only a third call tells who it is and what was left ticked.
   */
  async exchange(session, fields, { code, redirectUri }) {
    session.conceal([code])
    const answer = await redeem(session, 'exchange', { redirect_uri: redirectUri, code })
    if (answer.outcome !== 'answered') return answer
    const short = grantedBy(answer, session, credentialOf(fields))
    if (short.outcome !== 'granted') return short
    session.conceal([short.credential.accessToken])
    const long = await lengthen(session, short.credential)
    if (long.outcome === 'rejected') return long
    // The code is spent: when Meta falters now, the hour is kept, and the next renewal lengthens it.
    const { credential } = long.outcome === 'granted' ? long : short
    const person = await session.send('exchange', {
      method: 'GET',
      url: graph(session, 'me'),
      query: { fields: 'id,name,email,permissions', ...appSecretProof(session, credential) },
      headers: bearer(credential),
      repeatable: true,
    })
    if (person.outcome !== 'answered') return person
    const id = textAt(person.body, 'id')
    if (!id) return unreachable('odd_answer')
    const allowed = listAt(person.body, 'permissions', 'data').filter((one) => textAt(one, 'status') === 'granted')
    return granted({
      ...credential,
      scopes: allowed.map((one) => textAt(one, 'permission') ?? ''),
      identity: { id, email: textAt(person.body, 'email'), name: textAt(person.body, 'name') },
    })
  },
  refresh: lengthen,

  revoke: (session, credential) =>
    session.send('revoke', {
      method: 'DELETE',
      url: graph(session, `${encodeURIComponent(credential.identity?.id ?? 'me')}/permissions`),
      query: appSecretProof(session, credential),
      headers: bearer(credential),
    }),

  async verify(session, credential, { adAccountId }) {
    const answer = await session.send('verify', {
      method: 'GET',
      url: graph(session, adAccountId ? `act_${encodeURIComponent(adAccountId)}` : 'me'),
      query: { fields: adAccountId ? 'account_id,name,account_status' : 'id,name', ...appSecretProof(session, credential) },
      headers: bearer(credential),
    })
    if (answer.outcome !== 'answered') return adAccountId ? asAccountUnreachable(answer) : answer
    const id = textAt(answer.body, adAccountId ? 'account_id' : 'id')
    return id ? verified({ id, name: textAt(answer.body, 'name') ?? id, email: credential.identity?.email }) : unreachable('odd_answer')
  },
}
