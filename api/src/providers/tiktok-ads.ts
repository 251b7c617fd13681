import { at, list, word } from './answer.ts'
import { grantedBy } from './oauth.ts'
import { credentialOf, field, type Line, type Provider, rejected, unreachable, verified } from './provider.ts'

const VERSION = 'v1.3'
const HOSTS = { api: 'https://business-api.tiktok.com' } as const

// The slash at the end counts.
const call = ({ hosts, version }: Line, path: string) => `${hosts.api}/open_api/${version}/oauth2/${path}/`
const client = ({ app }: Line) => ({ app_id: app.clientId ?? '', secret: app.clientSecret ?? '' })

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
  codes: (body) => [word(body, 'code') === '0' ? null : word(body, 'code')],
  words: (body) => word(body, 'message'),
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

  dialect: (line) => ({
    authorizeUrl: `${line.hosts.api}/portal/auth`,
    tokenUrl: call(line, 'access_token'),
    clientAuth: 'post',
    pkce: false,
    separator: ',',
    authorizeParameters: { client_id: null, response_type: null, scope: null, app_id: line.app.clientId ?? '' },
    codeParameter: 'auth_code',
  }),

  async exchange(line, fields, { code }) {
    line.conceal([code])
    const answer = await line.send('exchange', {
      method: 'POST',
      url: call(line, 'access_token'),
      json: { ...client(line), auth_code: code },
    })
    if (answer.outcome !== 'answered') return answer
    const scopes = list(answer.body, 'data', 'scope').map(String)
    return grantedBy({ body: at(answer.body, 'data') }, line, credentialOf(fields, { scopes }))
  },

  revoke: (line, { accessToken }) =>
    line.send('revoke', { method: 'POST', url: call(line, 'revoke_token'), json: { ...client(line), access_token: accessToken } }),

  /** The advertisers this token reaches. */
  async verify(line, credential, { advertiserId }) {
    const answer = await line.send('verify', {
      method: 'GET',
      url: call(line, 'advertiser/get'),
      query: client(line),
      headers: { 'Access-Token': credential.accessToken ?? '' },
    })
    if (answer.outcome !== 'answered') return answer
    if (!Array.isArray(at(answer.body, 'data', 'list'))) return unreachable('odd_answer')
    const advertisers = list(answer.body, 'data', 'list')
    if (advertisers.length === 0) return rejected('no_account')
    const advertiser = advertiserId ? advertisers.find((one) => word(one, 'advertiser_id') === advertiserId) : advertisers[0]
    const id = word(advertiser, 'advertiser_id')
    return id ? verified({ id, name: word(advertiser, 'advertiser_name') ?? id }) : rejected('account_unreachable')
  },
}
