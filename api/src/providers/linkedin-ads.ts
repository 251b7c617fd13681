import { textAt } from './answer.ts'
import { exchangeCode, oauthAnswers, oauthCodes, oauthWords, refreshGrant } from './oauth.ts'
import { asAccountUnreachable, bearer, field, type Provider, rejected, unreachable, verified } from './provider.ts'

// A month, served for a year or so.
const VERSION = '202609'
const HOSTS = { www: 'https://www.linkedin.com', api: 'https://api.linkedin.com' } as const
const DAY = 86_400

export const linkedinAds: Provider = {
  id: 'linkedin_ads',
  name: 'LinkedIn Ads',
  category: 'wg',
  authMethod: 'oauth',
  documentationUrl: 'https://learn.microsoft.com/en-us/linkedin/marketing/',
  hosts: HOSTS,
  version: VERSION,
  app: ['clientId', 'clientSecret'],
  connectFields: [],
  settingsFields: [
    field('adAccountId', 'Ad account ID', {
      pattern: '^[0-9]{1,19}$',
      help: 'The number next to the account’s name in LinkedIn Campaign Manager.',
      tidy: (value) => value.replace(/^urn:li:sponsoredAccount:/i, ''),
    }),
  ],
  scopes: ['r_ads', 'r_ads_reporting', 'rw_ads', 'openid', 'profile', 'email'],
  requiredScopes: ['r_ads', 'r_ads_reporting', 'rw_ads'],
  // Refreshing does not move the end, a year after the consent. Only approved apps get a refresh token.
  // A new access token may be refused for half a minute, in the very words of a withdrawn one.
  lifetimes: { access: 60 * DAY, refresh: 365 * DAY, refreshIs: 'stated', rotates: false, renew: 'ahead', propagation: 30 },
  codes: (body) => [...oauthCodes(body), textAt(body, 'serviceErrorCode'), textAt(body, 'code')],
  words: (body) => oauthWords(body) ?? textAt(body, 'message'),
  answers: [
    { on: 'exchange', code: /^invalid_request$/, reason: 'consent_expired' },
    { on: 'refresh', code: /^invalid_request$/, reason: 'grant_revoked' },
    { on: 'verify', status: 404, reason: 'account_unreachable' },
    ...oauthAnswers,
  ],

  dialect: ({ hosts }) => ({
    authorizeUrl: `${hosts.www}/oauth/v2/authorization`,
    tokenUrl: `${hosts.www}/oauth/v2/accessToken`,
    clientAuth: 'post',
    pkce: false,
    separator: ' ',
  }),
  exchange: exchangeCode,
  refresh: refreshGrant,

  /** The account by its id. Before one is chosen, any account tells that the access is alive. */
  async verify(session, credential, { adAccountId }) {
    const url = `${session.hosts.api}/rest/adAccounts`
    const answer = await session.send('verify', {
      method: 'GET',
      ...(adAccountId ? { url: `${url}/${encodeURIComponent(adAccountId)}` } : { url, query: { q: 'search', pageSize: '1' } }),
      headers: { ...bearer(credential), 'LinkedIn-Version': session.version, 'X-Restli-Protocol-Version': '2.0.0' },
    })
    if (answer.outcome !== 'answered') return adAccountId ? asAccountUnreachable(answer) : answer
    const place = adAccountId ? [] : ['elements', 0]
    const id = textAt(answer.body, ...place, 'id')
    if (!id) return adAccountId ? unreachable('odd_answer') : rejected('no_account')
    return verified({ id, name: textAt(answer.body, ...place, 'name') ?? id, email: credential.identity?.email })
  },
}
