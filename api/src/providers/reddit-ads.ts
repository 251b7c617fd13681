import { textAt, valueAt } from './answer.ts'
import { exchangeCode, oauthAnswers, refreshGrant } from './oauth.ts'
import {
  asAccountUnreachable,
  basic,
  bearer,
  field,
  type Provider,
  rejected,
  unreachable,
  type VendorSession,
  verified,
} from './provider.ts'
import type { VendorAnswer } from './rule.ts'

const VERSION = 'v3'
const HOSTS = { www: 'https://www.reddit.com', api: 'https://ads-api.reddit.com' } as const

/** Reddit throttles every client that does not introduce itself, for ever; the operator may add a contact. */
export const introduction = ({ app }: Pick<VendorSession, 'app'>) => ({
  'User-Agent': app.userAgent ?? 'web:adjoin:v0.1 (advertising integrations)',
})

/** A number or a word at the token host, an object at the Ads API. */
const codes = (body: unknown) => [textAt(body, 'error') ?? textAt(body, 'error', 'code') ?? (valueAt(body, 'error') ? 'ERROR' : null)]
const wait = ({ status, headers }: VendorAnswer) => (status === 429 ? Number(headers['x-ratelimit-reset']) || undefined : undefined)

export const redditAds: Provider = {
  id: 'reddit_ads',
  name: 'Reddit Ads',
  category: 'wg',
  authMethod: 'oauth',
  documentationUrl: 'https://ads-api.reddit.com/docs/v3/',
  hosts: HOSTS,
  version: VERSION,
  app: ['clientId', 'clientSecret'],
  optionalApp: ['userAgent'],
  connectFields: [],
  settingsFields: [
    field('adAccountId', 'Ad account ID', {
      pattern: '^(?:a2|t2)_[A-Za-z0-9]{1,32}$',
      help: 'Starts with a2_ or t2_. Shown next to the account name in Reddit Ads Manager.',
    }),
    field('businessId', 'Business ID', {
      required: false,
      pattern: '^[A-Za-z0-9_\\-]{1,64}$',
      help: 'From your business settings at Reddit. If set, ad accounts of other businesses are rejected.',
    }),
  ],
  scopes: ['adsread', 'adsedit'],
  lifetimes: { access: 3600, refresh: null, rotates: false, renew: 'ahead' },
  codes,
  words: (body) => textAt(body, 'error', 'message') ?? textAt(body, 'message'),
  wait,
  answers: [
    // A dead grant is a plain 400 without a word of OAuth.
    { on: 'refresh', status: 400, reason: 'grant_revoked' },
    { on: 'exchange', code: /^400$/, reason: 'consent_expired' },
    { on: ['exchange', 'refresh'], status: 401, reason: 'app_misconfigured' },
    { on: 'verify', status: 404, reason: 'account_unreachable' },
    ...oauthAnswers,
  ],
  dialect: (session) => ({
    authorizeUrl: `${session.hosts.www}/api/v1/authorize`,
    tokenUrl: `${session.hosts.www}/api/v1/access_token`,
    revokeUrl: `${session.hosts.www}/api/v1/revoke_token`,
    clientAuth: 'basic',
    pkce: false,
    separator: ',',
    // Without it there is no refresh token.
    authorizeParameters: { duration: 'permanent' },
    tokenHeaders: introduction(session),
  }),
  exchange: exchangeCode,
  refresh: refreshGrant,

  /** Unlike most, Reddit wants to know who asks and what kind of token it is. */
  async revoke(session, { refreshToken, accessToken }) {
    const token = refreshToken ?? accessToken
    if (!token) return rejected('grant_revoked')
    return session.send('revoke', {
      method: 'POST',
      url: `${session.hosts.www}/api/v1/revoke_token`,
      headers: { ...introduction(session), ...basic(session.app.clientId ?? '', session.app.clientSecret ?? '') },
      form: { token, token_type_hint: refreshToken ? 'refresh_token' : 'access_token' },
      anyBody: true,
    })
  },

  /** Who gave the access; then, where one is set, whether that person reaches the ad account. */
  async verify(session, credential, { adAccountId, businessId }) {
    const headers = { ...bearer(credential), ...introduction(session) }
    const ask = (path: string) =>
      session.send('verify', { method: 'GET', url: `${session.hosts.api}/api/${session.version}/${path}`, headers })
    const me = await ask('me')
    if (me.outcome !== 'answered') return me
    const person = textAt(me.body, 'data', 'id')
    if (!person) return unreachable('odd_answer')
    const email = textAt(me.body, 'data', 'email')
    if (!adAccountId) return verified({ id: person, name: textAt(me.body, 'data', 'reddit_username') ?? person, email })

    const answer = await ask(`ad_accounts/${encodeURIComponent(adAccountId)}`)
    if (answer.outcome !== 'answered') return asAccountUnreachable(answer)
    const id = textAt(answer.body, 'data', 'id')
    if (!id) return unreachable('odd_answer')
    const account = { id, name: textAt(answer.body, 'data', 'name') ?? id, email }
    const business = textAt(answer.body, 'data', 'business_id')
    const isElsewhere = businessId && business && business !== businessId
    return isElsewhere ? rejected('account_unreachable', { account }) : verified(account)
  },
}
