import { listAt, textAt, valueAt } from './answer.ts'
import { exchangeCode, oauthAnswers, oauthCodes, oauthWords, refreshGrant } from './oauth.ts'
import { bearer, field, type Provider, rejected, unreachable, verified } from './provider.ts'

const VERSION = 'v1'
const HOSTS = { accounts: 'https://accounts.snapchat.com', api: 'https://adsapi.snapchat.com' } as const
const UUID = '^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$'

const lowerCase = (value: string) => value.toLowerCase()
const isFailure = (status: string | null) => status !== null && !/^success$/i.test(status)

/**
 * The token host has a plain word. The API states a status for
 * the whole call and one per item, and either may fail in HTTP 200.
 */
function codes(body: unknown): (string | null)[] {
  const items = listAt(body, 'adaccounts').map((item) => textAt(item, 'sub_request_status'))
  return [
    ...oauthCodes(body),
    textAt(body, 'error_code'),
    items.some(isFailure) ? 'ITEM_FAILED' : null,
    isFailure(textAt(body, 'request_status')) ? 'REQUEST_FAILED' : null,
  ]
}

export const snapchatAds: Provider = {
  id: 'snapchat_ads',
  name: 'Snapchat Ads',
  category: 'wg',
  authMethod: 'oauth',
  documentationUrl: 'https://developers.snap.com/api/marketing-api/Ads-API/authentication',
  hosts: HOSTS,
  version: VERSION,
  app: ['clientId', 'clientSecret'],
  connectFields: [],
  settingsFields: [
    field('adAccountId', 'Ad account ID', {
      pattern: UUID,
      help: '36 characters with dashes, as shown in Snapchat Ads Manager under Ad Accounts.',
      tidy: lowerCase,
    }),
    field('organizationId', 'Organization ID', {
      required: false,
      pattern: UUID,
      help: '36 characters with dashes, from the business settings. If set, ad accounts of other organizations are rejected.',
      tidy: lowerCase,
    }),
  ],
  scopes: ['snapchat-marketing-api'],
  lifetimes: { access: 3600, refresh: null, rotates: false, renew: 'ahead' },
  codes,
  words: (body) => textAt(body, 'display_message') ?? textAt(body, 'msg') ?? oauthWords(body),
  answers: [{ on: 'verify', code: /^(E3002|E3003|ITEM_FAILED)$/, reason: 'account_unreachable' }, ...oauthAnswers],
  dialect: ({ hosts }) => ({
    authorizeUrl: `${hosts.accounts}/login/oauth2/authorize`,
    tokenUrl: `${hosts.accounts}/login/oauth2/access_token`,
    clientAuth: 'post',
    pkce: false,
    separator: ' ',
  }),
  exchange: exchangeCode,
  refresh: refreshGrant,

  /** Who gave the access; then, where one is set, whether that person reaches the ad account. */
  async verify(session, credential, { adAccountId, organizationId }) {
    const ask = (path: string) =>
      session.send('verify', { method: 'GET', url: `${session.hosts.api}/${session.version}/${path}`, headers: bearer(credential) })
    const me = await ask('me')
    if (me.outcome !== 'answered') return me
    const person = textAt(me.body, 'me', 'id')
    if (!person) return unreachable('odd_answer')
    const email = textAt(me.body, 'me', 'email')
    if (!adAccountId) return verified({ id: person, name: textAt(me.body, 'me', 'display_name') ?? person, email })

    const answer = await ask(`adaccounts/${encodeURIComponent(adAccountId)}`)
    if (answer.outcome !== 'answered') return answer
    const found = valueAt(answer.body, 'adaccounts', 0, 'adaccount')
    const id = textAt(found, 'id')
    if (!id) return unreachable('odd_answer')
    const account = { id, name: textAt(found, 'name') ?? id, email }
    const isElsewhere = organizationId && textAt(found, 'organization_id') !== organizationId
    return isElsewhere ? rejected('account_unreachable', { account }) : verified(account)
  },
}
