import { textAt } from './answer.ts'
import { exchangeCode, refreshGrant } from './oauth.ts'
import { asAccountUnreachable, bearer, field, type Provider, unreachable, verified } from './provider.ts'

const VERSION = 'v5'
const HOSTS = { www: 'https://www.pinterest.com', api: 'https://api.pinterest.com' } as const
const DAY = 86_400

export const pinterestAds: Provider = {
  id: 'pinterest_ads',
  name: 'Pinterest Ads',
  category: 'wg',
  authMethod: 'oauth',
  documentationUrl: 'https://developers.pinterest.com/docs/getting-started/set-up-authentication-and-authorization/',
  hosts: HOSTS,
  version: VERSION,
  app: ['clientId', 'clientSecret'],
  connectFields: [],
  settingsFields: [
    field('adAccountId', 'Ad account ID', {
      pattern: '^[0-9]{1,18}$',
      help: 'The number of the ad account, shown in Pinterest Ads Manager under the account’s name.',
    }),
  ],
  scopes: ['ads:read', 'ads:write', 'user_accounts:read'],
  // Unused for 60 days, the refresh token dies; every use brings a new one.
  lifetimes: { access: 30 * DAY, refresh: 60 * DAY, refreshIs: 'stated', rotates: true, renew: 'ahead' },
  codes: (body) => [textAt(body, 'code')],
  words: (body) => textAt(body, 'message'),
  wait: ({ status, headers }) => (status === 429 ? Number(headers['x-ratelimit-reset']) || undefined : undefined),
  // Numbers instead of the words of OAuth:
  // 283 is a dead grant, 2 at the token endpoint a wrong client, both with HTTP 401.
  answers: [
    { on: ['exchange', 'refresh'], code: /^2$/, reason: 'app_misconfigured' },
    { on: 'exchange', status: [400, 401], reason: 'consent_expired' },
    { on: 'refresh', status: [400, 401], reason: 'grant_revoked' },
    { on: 'verify', status: 404, reason: 'account_unreachable' },
  ],

  dialect: ({ hosts, version }) => ({
    authorizeUrl: `${hosts.www}/oauth/`,
    tokenUrl: `${hosts.api}/${version}/oauth/token`,
    clientAuth: 'basic',
    pkce: false,
    separator: ',',
    // Apps from before autumn 2025 get a token that cannot be renewed without it.
    exchangeParameters: { continuous_refresh: 'true' },
  }),
  exchange: exchangeCode,
  refresh: refreshGrant,

  /** The ad account by its id; before one is chosen, the user. */
  async verify(session, credential, { adAccountId }) {
    const answer = await session.send('verify', {
      method: 'GET',
      url: `${session.hosts.api}/${session.version}/${adAccountId ? `ad_accounts/${encodeURIComponent(adAccountId)}` : 'user_account'}`,
      headers: bearer(credential),
    })
    if (answer.outcome !== 'answered') return adAccountId ? asAccountUnreachable(answer) : answer
    const id = textAt(answer.body, 'id')
    if (!id) return unreachable('odd_answer')
    // A private user has no business name.
    const names = adAccountId ? ['name'] : ['business_name', 'username']
    return verified({ id, name: names.map((name) => textAt(answer.body, name)).find(Boolean) ?? id })
  },
}
