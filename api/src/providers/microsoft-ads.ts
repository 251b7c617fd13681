import { listAt, textAt, valueAt } from './answer.ts'
import { google, googleHosts } from './google.ts'
import { exchangeCode, oauthAnswers, oauthCodes, oauthWords, refreshGrant } from './oauth.ts'
import { bearer, type Dialect, field, type Provider, rejected, unreachable, type VendorSession, verified } from './provider.ts'

const VERSION = 'v13'
const HOSTS = {
  login: 'https://login.microsoftonline.com',
  api: 'https://clientcenter.api.bingads.microsoft.com',
  ...googleHosts,
} as const
const MANAGE = 'https://ads.microsoft.com/msads.manage'
// Left out of a refresh, it is refused.
const again = { scope: `${MANAGE} offline_access` }

const byMicrosoft = ({ hosts }: VendorSession): Dialect => ({
  authorizeUrl: `${hosts.login}/common/oauth2/v2.0/authorize`,
  tokenUrl: `${hosts.login}/common/oauth2/v2.0/token`,
  clientAuth: 'post',
  pkce: true,
  separator: ' ',
  authorizeParameters: { response_mode: 'query', prompt: 'select_account' },
  exchangeParameters: again,
  refreshParameters: again,
  hintParameter: 'login_hint',
})

/**
 * Some sign in to Microsoft Advertising with Google:
 * another consent, another app of the operator, a token of Google's.
 */
const byGoogle = (session: VendorSession): Dialect => ({
  ...google.dialect(session),
  client: { id: session.app.googleClientId ?? '', secret: session.app.googleClientSecret ?? '' },
  scopes: ['profile', 'email'],
  requiredScopes: [],
})

export const microsoftAds: Provider = {
  id: 'microsoft_ads',
  name: 'Microsoft Advertising',
  category: 'wg',
  authMethod: 'oauth',
  documentationUrl: 'https://learn.microsoft.com/en-us/advertising/guides/authentication-oauth',
  hosts: HOSTS,
  version: VERSION,
  app: ['clientId', 'clientSecret', 'developerToken'],
  optionalApp: ['googleClientId', 'googleClientSecret'],
  connectFields: [
    field('identityProvider', 'Sign-in type', {
      options: ['microsoft', 'google'],
      default: 'microsoft',
      help: 'How you sign in to Microsoft Advertising: with a Microsoft account, or with Google.',
    }),
  ],
  settingsFields: [
    field('customerId', 'Customer ID', {
      pattern: '^[0-9]{1,19}$',
      help: 'The number after cid= in the URL of Microsoft Advertising.',
    }),
    field('accountId', 'Account ID', {
      pattern: '^[0-9]{1,19}$',
      help: 'The number after aid= in the URL of Microsoft Advertising. Not the account number, which contains letters.',
    }),
  ],
  scopes: ['openid', 'profile', 'offline_access', MANAGE],
  requiredScopes: [MANAGE],
  lifetimes: { access: 3600, refresh: null, rotates: true, renew: 'ahead' },
  codes: (body) => [...oauthCodes(body), ...listAt(body, 'Errors').map((error) => textAt(error, 'Code'))],
  // Below the first line are ids for Microsoft's support.
  words: (body) => textAt(body, 'Errors', 0, 'Message') ?? oauthWords(body)?.split('\r\n')[0],
  // By code alone: the status of a fault was seen as 200, 400, 401 and 500.
  answers: [
    { code: /^(105|109)$/, reason: 'access_refused', stale: true },
    { code: /^106$/, reason: 'account_unreachable' },
    { code: /^(108|120)$/, reason: 'login_blocked' },
    { code: /^126$/, reason: 'wrong_login_kind' },
    { code: /^117$/, reason: 'throttled', after: 60 },
    { code: /^207$/, reason: 'throttled' },
    { code: /^0$/, reason: 'outage' },
    { on: 'refresh', code: /^(interaction|consent|login)_required$/, reason: 'grant_revoked' },
    { on: ['exchange', 'refresh'], code: /^invalid_request$/, reason: 'app_misconfigured' },
    ...oauthAnswers,
  ],

  dialect: (session, { identityProvider }) => (identityProvider === 'google' ? byGoogle(session) : byMicrosoft(session)),
  exchange: exchangeCode,
  refresh: refreshGrant,

  /** Who it is, and whether the account is among those the customer reaches. */
  async verify(session, credential, { customerId, accountId }) {
    const ask = (operation: string, json: object) =>
      session.send('verify', {
        method: 'POST',
        url: `${session.hosts.api}/CustomerManagement/${session.version}/${operation}`,
        headers: {
          ...bearer(credential),
          DeveloperToken: session.app.developerToken ?? '',
          ...(credential.fields.identityProvider === 'google' && { IdentityProvider: 'Google' }),
        },
        json,
        repeatable: true,
      })
    const user = await ask('User/Query', { UserId: null })
    if (user.outcome !== 'answered') return user
    const id = textAt(user.body, 'User', 'Id')
    if (!id) return unreachable('odd_answer')
    const email = textAt(user.body, 'User', 'ContactInfo', 'Email')
    if (!customerId || !accountId) return verified({ id, name: textAt(user.body, 'User', 'UserName') ?? id, email })
    const accounts = await ask('AccountsInfo/Query', { CustomerId: customerId, OnlyParentAccounts: false })
    if (accounts.outcome !== 'answered') return accounts
    if (valueAt(accounts.body, 'AccountsInfo') === undefined) return unreachable('odd_answer')
    const account = listAt(accounts.body, 'AccountsInfo').find((one) => textAt(one, 'Id') === accountId)
    return account ? verified({ id: accountId, name: textAt(account, 'Name') ?? accountId, email }) : rejected('account_unreachable')
  },
}
