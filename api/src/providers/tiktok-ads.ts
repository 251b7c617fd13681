import { listAt, textAt, valueAt } from './answer.ts'
import { grantedBy } from './oauth.ts'
import { credentialOf, field, type Provider, rejected, unreachable, type VendorSession, verified } from './provider.ts'

const VERSION = 'v1.3'
const HOSTS = { api: 'https://business-api.tiktok.com' } as const

// The slash at the end counts.
const call = ({ hosts, version }: VendorSession, path: string) => `${hosts.api}/open_api/${version}/oauth2/${path}/`
const client = ({ app }: VendorSession) => ({ app_id: app.clientId ?? '', secret: app.clientSecret ?? '' })

export const tiktokAds: Provider = {
  id: 'tiktok_ads',
  name: 'TikTok Ads',
  category: 'wg',
  authMethod: 'oauth',
  documentationUrl: 'https://business-api.tiktok.com/portal/docs',
  hosts: HOSTS,
  version: VERSION,
  app: ['clientId', 'clientSecret'],
  connectFields: [],
  settingsFields: [
    field('advertiserId', 'Advertiser ID', {
      pattern: '^[0-9]{1,20}$',
      help: 'The number of the ad account, shown next to its name in TikTok Ads Manager.',
    }),
  ],
  // Permissions are chosen on the app, not asked for.
  scopes: [],
  // The token lives until the advertiser withdraws it.
  lifetimes: { access: null, refresh: null, rotates: false, renew: 'never' },
  // Every answer of the API is HTTP 200; only code 0 is a success.
  codes: (body) => [textAt(body, 'code') === '0' ? null : textAt(body, 'code')],
  words: (body) => textAt(body, 'message'),
  answers: [
    { code: /^(40016|40100|40132|40133)$/, reason: 'throttled' },
    { code: /^(4020[0-2]|40700|5\d{4}|60001)$/, reason: 'outage' },
    { on: 'exchange', code: /^(40101|40110)$/, reason: 'consent_expired' },
    { code: /^(40102|40105)$/, reason: 'grant_revoked' },
    { code: /^40113$/, reason: 'app_misconfigured' },
    { on: 'verify', code: /^(40001|40101|40106|40118|40119|40124|40125)$/, reason: 'permission_missing' },
    { on: 'verify', code: /^(40300|41000)$/, reason: 'account_closed' },
    // Not the API, but a gateway before it.
    { status: [401, 403], reason: 'odd_answer' },
  ],

  dialect: (session) => ({
    authorizeUrl: `${session.hosts.api}/portal/auth`,
    tokenUrl: call(session, 'access_token'),
    clientAuth: 'post',
    pkce: false,
    separator: ',',
    authorizeParameters: { client_id: null, response_type: null, scope: null, app_id: session.app.clientId ?? '' },
    codeParameter: 'auth_code',
  }),

  async exchange(session, fields, { code }) {
    session.conceal([code])
    const answer = await session.send('exchange', {
      method: 'POST',
      url: call(session, 'access_token'),
      json: { ...client(session), auth_code: code },
    })
    if (answer.outcome !== 'answered') return answer
    const scopes = listAt(answer.body, 'data', 'scope').map(String)
    return grantedBy({ body: valueAt(answer.body, 'data') }, session, credentialOf(fields, { scopes }))
  },

  revoke: (session, { accessToken }) =>
    session.send('revoke', { method: 'POST', url: call(session, 'revoke_token'), json: { ...client(session), access_token: accessToken } }),

  /** The advertisers this token reaches. */
  async verify(session, credential, { advertiserId }) {
    const answer = await session.send('verify', {
      method: 'GET',
      url: call(session, 'advertiser/get'),
      query: client(session),
      headers: { 'Access-Token': credential.accessToken ?? '' },
    })
    if (answer.outcome !== 'answered') return answer
    if (!Array.isArray(valueAt(answer.body, 'data', 'list'))) return unreachable('odd_answer')
    const advertisers = listAt(answer.body, 'data', 'list')
    if (advertisers.length === 0) return rejected('no_account')
    const advertiser = advertiserId ? advertisers.find((one) => textAt(one, 'advertiser_id') === advertiserId) : advertisers[0]
    const id = textAt(advertiser, 'advertiser_id')
    return id ? verified({ id, name: textAt(advertiser, 'advertiser_name') ?? id }) : rejected('account_unreachable')
  },
}
