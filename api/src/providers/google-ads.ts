import { listAt, textAt } from './answer.ts'
import { google, googleAnswers, googleHosts, googleScopes } from './google.ts'
import { bearer, field, type Provider, unreachable, verified } from './provider.ts'

const VERSION = 'v25'
const HOSTS = { ...googleHosts, api: 'https://googleads.googleapis.com' } as const
const NAME_QUERY = 'SELECT customer.id, customer.descriptive_name, customer.currency_code, customer.time_zone FROM customer'

const withoutDashes = (value: string) => value.replace(/[\s-]/g, '')

export const googleAds: Provider = {
  ...google,
  id: 'google_ads',
  name: 'Google Ads',
  category: 'wg',
  documentationUrl: 'https://developers.google.com/google-ads/api/docs/start',
  hosts: HOSTS,
  version: VERSION,
  app: [...google.app, 'developerToken'],
  settingsFields: [
    field('customerId', 'Customer ID', {
      pattern: '^[0-9]{10}$',
      help: '10 digits, as shown at the top of Google Ads. Dashes are fine.',
      tidy: withoutDashes,
    }),
    field('loginCustomerId', 'Manager (MCC) customer ID', {
      required: false,
      pattern: '^[0-9]{10}$',
      help: 'Only needed if the user has access through a manager account.',
      tidy: withoutDashes,
    }),
  ],
  ...googleScopes('https://www.googleapis.com/auth/adwords'),
  answers: [
    { code: /^authenticationError\.NOT_ADS_USER$/, reason: 'no_account' },
    {
      code: /^authenticationError\.(TWO_STEP_VERIFICATION_NOT_ENROLLED|ADVANCED_PROTECTION_NOT_ENROLLED|GOOGLE_ACCOUNT_DELETED)$/,
      reason: 'login_blocked',
    },
    { code: /^authenticationError\.OAUTH_TOKEN_(REVOKED|DISABLED)$/, reason: 'grant_revoked', stale: true },
    {
      code: /^(authenticationError\.CUSTOMER_NOT_FOUND|authorizationError\.(USER_PERMISSION_DENIED|INVALID_LOGIN_CUSTOMER_ID))$/,
      reason: 'account_unreachable',
    },
    { code: /^authorizationError\.CUSTOMER_NOT_ENABLED$/, reason: 'account_closed' },
    {
      code: /^(authorizationError\.(DEVELOPER_TOKEN_NOT_APPROVED|CLOUD_PROJECT_NOT_APPROVED_FOR_PRODUCTION))$/,
      reason: 'app_not_approved',
    },
    {
      code: /^(authenticationError\.DEVELOPER_TOKEN_INVALID|authorizationError\.(DEVELOPER_TOKEN_PROHIBITED|PROJECT_DISABLED))$/,
      reason: 'app_misconfigured',
    },
    { code: /^quotaError\./, reason: 'throttled' },
    { code: /^internalError\./, reason: 'outage' },
    ...googleAnswers,
  ],

  /**
   * The account's name tells that it is reachable and alive.
   * Before an account is chosen, the list of accounts tells that the access is.
   */
  async verify(session, credential, { customerId, loginCustomerId }) {
    const base = `${session.hosts.api}/${session.version}`
    const headers = { ...bearer(credential), 'developer-token': session.app.developerToken ?? '' }
    const email = credential.identity?.email
    if (!customerId) {
      const answer = await session.send('verify', { method: 'GET', url: `${base}/customers:listAccessibleCustomers`, headers })
      if (answer.outcome !== 'answered') return answer
      const id = listAt(answer.body, 'resourceNames')[0]
      return typeof id === 'string' ? verified({ id: id.replace('customers/', ''), name: email ?? id, email }) : unreachable('odd_answer')
    }
    const answer = await session.send('verify', {
      method: 'POST',
      url: `${base}/customers/${encodeURIComponent(customerId)}/googleAds:search`,
      headers: loginCustomerId ? { ...headers, 'login-customer-id': loginCustomerId } : headers,
      json: { query: NAME_QUERY },
      repeatable: true,
    })
    if (answer.outcome !== 'answered') return answer
    const id = textAt(answer.body, 'results', 0, 'customer', 'id')
    // An account may have no name.
    return id
      ? verified({ id, name: textAt(answer.body, 'results', 0, 'customer', 'descriptiveName') ?? id, email })
      : unreachable('odd_answer')
  },
}
