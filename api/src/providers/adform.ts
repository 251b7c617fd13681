import { textAt } from './answer.ts'
import { clientCredentials, loginAnswers, loginByGrant } from './login.ts'
import { oauthCodes, oauthWords } from './oauth.ts'
import { asAccountUnreachable, bearer, field, type Provider, pasted, rejected, unreachable, verified } from './provider.ts'

const VERSION = 'v1'
const HOSTS = { id: 'https://id.adform.com', api: 'https://api.adform.com' } as const
const HOUR = 3600
const SCOPE = 'https://api\\.adform\\.com/scope/[A-Za-z0-9._\\-]+'

const listed = (separator: string) => (value: string) =>
  value
    .split(/[\s,;]+/)
    .filter(Boolean)
    .join(separator)

export const adform: Provider = {
  id: 'adform',
  name: 'Adform',
  category: 'dsp',
  authMethod: 'credentials',
  documentationUrl: 'https://api.adform.com/help/guides/getting-started/authorization-guide',
  hosts: HOSTS,
  version: VERSION,
  app: [],
  connectFields: [
    field('clientId', 'Client ID', {
      pattern: '^[\\x21-\\x7E]{1,256}$',
      help: 'Looks like an email address. Adform Support (technical@adform.com) creates it on request.',
    }),
    field('clientSecret', 'Client secret', {
      secret: true,
      pattern: '^[\\x21-\\x7E]{1,256}$',
      help: 'Adform sends it together with the client ID.',
      tidy: pasted,
    }),
  ],
  settingsFields: [
    field('scopes', 'Permissions (scopes)', {
      pattern: `^${SCOPE}(?: ${SCOPE})*$`,
      default: 'https://api.adform.com/scope/buyer.advertisers.readonly',
      help: 'The scopes (https://api.adform.com/scope/…) that Adform granted to the client ID, separated by spaces.',
      tidy: listed(' '),
    }),
    field('advertiserIds', 'Advertiser IDs', {
      required: false,
      pattern: '^[0-9]{1,19}(?:,[0-9]{1,19}){0,9}$',
      help: 'Up to 10 numbers, separated by commas. If set, the client ID must have access to each of these advertisers.',
      tidy: listed(','),
    }),
  ],
  scopes: [],
  lifetimes: { access: HOUR, refresh: null, rotates: false, renew: 'on_demand' },
  codes: oauthCodes,
  words: (body) => oauthWords(body) ?? textAt(body, 'message'),
  answers: [
    // A token has the scopes of its login: one from before a change is renewed before this is believed.
    { on: 'verify', status: 403, reason: 'permission_missing', stale: true },
    { on: 'verify', status: 404, reason: 'account_unreachable' },
    ...loginAnswers,
  ],

  login: (session, fields, { scopes = '' }) =>
    loginByGrant(session, fields, `${session.hosts.id}/sts/connect/token`, { ...clientCredentials(fields), scope: scopes }),

  /** Adform does not say who one is: the first advertiser stands for the account, or those that are set. */
  async verify(session, credential, { advertiserIds }) {
    const url = `${session.hosts.api}/${session.version}/buyer/advertisers`
    const headers = bearer(credential)
    const first = await session.send('verify', { method: 'GET', url, query: { limit: '1' }, headers })
    if (first.outcome !== 'answered') return first
    if (!Array.isArray(first.body)) return unreachable('odd_answer')
    if (first.body.length === 0) return rejected('no_account')

    const found = advertiserIds ? [] : first.body
    for (const id of advertiserIds?.split(',') ?? []) {
      const answer = await session.send('verify', { method: 'GET', url: `${url}/${id}`, headers })
      if (answer.outcome !== 'answered') return asAccountUnreachable(answer)
      found.push(answer.body)
    }
    const id = textAt(found, 0, 'id')
    const names = found.map((advertiser) => textAt(advertiser, 'name') ?? textAt(advertiser, 'id'))
    return id && names.every(Boolean) ? verified({ id, name: names.join(', ') }) : unreachable('odd_answer')
  },
}
