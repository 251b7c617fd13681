import { listAt, textAt, valueAt } from './answer.ts'
import { type FieldValues, field, type Provider, pasted, rejected, unreachable, type VendorSession, verified } from './provider.ts'

const HOSTS = { production: 'https://api.stackadapt.com', sandbox: 'https://sandbox.stackadapt.com' } as const
const PATHS: Record<string, string> = { production: '/graphql', sandbox: '/public/graphql' }

export const apiOf = ({ hosts }: Pick<VendorSession, 'hosts'>, { environment = 'production' }: FieldValues): string =>
  `${hosts[environment]}${PATHS[environment]}`

// The schema has no version and changes weekly: no more than is needed.
const KEY = 'tokenInfo { name createdAt expiresAt scopesByAdvertiser(first: 1) { nodes { advertiser { name } scopes } } }'
const ACCESS = `${KEY} account { id currency } user { email }`
const question = (id: string | undefined) =>
  id ? { query: `query ($id: ID!) { ${ACCESS} advertiser(id: $id) { id name } }`, variables: { id } } : { query: `{ ${ACCESS} }` }

export const stackadapt: Provider = {
  id: 'stackadapt',
  name: 'StackAdapt',
  category: 'dsp',
  authMethod: 'credentials',
  documentationUrl: 'https://www.stackadapt.com/get-started-with-api',
  hosts: HOSTS,
  app: [],
  connectFields: [
    field('apiKey', 'GraphQL API key', {
      secret: true,
      pattern: '^[\\x21-\\x7E]{8,4096}$',
      help: 'Ask your StackAdapt account manager for a GraphQL key. The older REST key does not work here.',
      tidy: pasted,
    }),
  ],
  settingsFields: [
    field('advertiserId', 'Advertiser ID', {
      required: false,
      pattern: '^[0-9]{1,19}$',
      help: 'Digits only. If set, the key must have access to this advertiser.',
    }),
    field('environment', 'Platform', {
      options: Object.keys(HOSTS),
      default: 'production',
      help: 'production is the ordinary platform, sandbox the test platform; each has keys of its own.',
    }),
  ],
  scopes: [],
  lifetimes: { access: null, refresh: null, rotates: false, renew: 'never' },
  // Errors have no codes, and come with HTTP 200 too. Their path tells which part of the question failed.
  codes: (body) => listAt(body, 'errors').flatMap((error) => ['error', textAt(error, 'path', 0)]),
  words: (body) => textAt(body, 'errors', 0, 'message'),
  answers: [
    { status: 401, reason: 'login_refused' },
    { status: 200, code: /^advertiser$/, reason: 'account_unreachable' },
  ],

  async verify(session, { fields }, settings) {
    const { advertiserId } = settings
    const answer = await session.send('verify', {
      method: 'POST',
      url: apiOf(session, settings),
      headers: { Authorization: `Bearer ${fields.apiKey}` },
      json: question(advertiserId),
      repeatable: true,
    })
    if (answer.outcome !== 'answered') return answer
    const { body } = answer
    const id = textAt(body, 'data', 'account', 'id')
    if (!id) return unreachable('odd_answer')
    const email = textAt(body, 'data', 'user', 'email')
    const key = valueAt(body, 'data', 'tokenInfo')
    const name = textAt(key, 'name') ?? textAt(key, 'scopesByAdvertiser', 'nodes', 0, 'advertiser', 'name') ?? email ?? id
    if (!advertiserId) return verified({ id, name, email })
    const advertiser = textAt(body, 'data', 'advertiser', 'id')
    return advertiser
      ? verified({ id: advertiser, name: textAt(body, 'data', 'advertiser', 'name') ?? advertiser, email })
      : rejected('account_unreachable', { account: { id, name, email } })
  },
}
