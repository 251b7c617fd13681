import { valueAt } from './answer.ts'
import { basic, field, type Provider, pasted, rejected, unreachable, verified } from './provider.ts'

const VERSION = 'v2'
const HOSTS = { api: 'https://api.rubiconproject.com' } as const
const TITLES: Record<string, string> = { publisher: 'Publisher', 'mp-vendor': 'Marketplace vendor' }

export const magnite: Provider = {
  id: 'magnite',
  name: 'Magnite',
  category: 'ssp',
  authMethod: 'credentials',
  documentationUrl: 'https://help.magnite.com/',
  hosts: HOSTS,
  version: VERSION,
  app: [],
  connectFields: [
    field('accessKey', 'API key', {
      secret: true,
      pattern: '^[^\\s:\\x00-\\x1F\\x7F]{8,128}$',
      help: 'From Magnite DV+ (formerly Rubicon) or your Magnite representative. Usually 40 letters and digits.',
      tidy: pasted,
    }),
    field('secretKey', 'API secret', {
      secret: true,
      pattern: '^[\\x21-\\x7E]{8,128}$',
      help: 'Comes with the API key. Usually 32 letters and digits.',
      tidy: pasted,
    }),
  ],
  settingsFields: [
    field('accountId', 'Account ID', { pattern: '^[0-9]{1,19}$', help: 'The number of the publisher or marketplace vendor at Magnite.' }),
    field('accountType', 'Account type', {
      options: Object.keys(TITLES),
      default: 'publisher',
      help: 'Use publisher for sellers and mp-vendor for curators (marketplace vendors).',
    }),
  ],
  scopes: [],
  lifetimes: { access: null, refresh: null, rotates: false, renew: 'never' },
  answers: [
    { status: 401, reason: 'login_refused' },
    { status: 403, reason: 'account_unreachable' },
  ],

  /** No call tells whose keys they are: that they may read the account's figures of today is the proof. */
  async verify(session, { fields }, { accountType = 'publisher', accountId }) {
    if (!accountId) return rejected('setting_missing')
    const answer = await session.send('verify', {
      method: 'GET',
      url: `${session.hosts.api}/analytics/${session.version}/default`,
      query: { account: `${accountType}/${accountId}`, date_range: 'today' },
      headers: basic(fields.accessKey ?? '', fields.secretKey ?? ''),
    })
    if (answer.outcome !== 'answered') return answer
    // An account without figures has an empty list.
    if (!Array.isArray(valueAt(answer.body, 'content'))) return unreachable('odd_answer')
    return verified({ id: accountId, name: `${TITLES[accountType]} ${accountId}` })
  },
}
