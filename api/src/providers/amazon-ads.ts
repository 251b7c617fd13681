import { listAt, textAt } from './answer.ts'
import { exchangeCode, oauthAnswers, oauthCodes, oauthWords, refreshGrant } from './oauth.ts'
import { bearer, type FieldValues, field, type Provider, rejected, unreachable, type VendorSession, verified } from './provider.ts'

const VERSION = 'v2'
const HOSTS = {
  naLogin: 'https://www.amazon.com',
  naToken: 'https://api.amazon.com',
  naApi: 'https://advertising-api.amazon.com',
  euLogin: 'https://eu.account.amazon.com',
  euToken: 'https://api.amazon.co.uk',
  euApi: 'https://advertising-api-eu.amazon.com',
  feLogin: 'https://apac.account.amazon.com',
  feToken: 'https://api.amazon.co.jp',
  feApi: 'https://advertising-api-fe.amazon.com',
} as const
const ROLES = {
  NA: { login: 'naLogin', token: 'naToken', api: 'naApi' },
  EU: { login: 'euLogin', token: 'euToken', api: 'euApi' },
  FE: { login: 'feLogin', token: 'feToken', api: 'feApi' },
} as const
const rolesIn = (region = 'NA') => ROLES[region as keyof typeof ROLES]

/** The API of the region that was chosen at connecting. */
export const apiOf = ({ hosts }: Pick<VendorSession, 'hosts'>, { region }: FieldValues) => hosts[rolesIn(region).api]!

export const amazonAds: Provider = {
  id: 'amazon_ads',
  name: 'Amazon Ads',
  category: 'wg',
  authMethod: 'oauth',
  documentationUrl: 'https://advertising.amazon.com/API/docs/en-us/guides/get-started/overview',
  hosts: HOSTS,
  version: VERSION,
  app: ['clientId', 'clientSecret'],
  connectFields: [
    field('region', 'Region', {
      options: ['NA', 'EU', 'FE'],
      default: 'NA',
      help: 'Where you advertise on Amazon. NA: North and South America. EU: Europe, Middle East, Africa and India. FE: Japan, Australia and Singapore.',
    }),
  ],
  settingsFields: [
    field('profileId', 'Profile ID', {
      pattern: '^[0-9]{1,19}$',
      help: 'The number of the advertiser’s profile in one country, as listed by the Amazon Ads API.',
    }),
    field('dspAdvertiserId', 'DSP advertiser ID', {
      required: false,
      pattern: '^[0-9]{1,19}$',
      help: 'Only for Amazon DSP: the number of the advertiser there.',
    }),
    field('entityId', 'DSP entity ID', {
      required: false,
      pattern: '^ENTITY[A-Z0-9]{1,32}$',
      help: 'Only for Amazon DSP: it starts with ENTITY and is part of the console’s URL.',
    }),
  ],
  scopes: ['advertising::campaign_management'],
  // One permission, all or nothing, and the token answer does not name it.
  requiredScopes: [],
  // A refresh token of a consent since the middle of 2026 is said to end after a year.
  lifetimes: { access: 3600, refresh: 365 * 86_400, refreshIs: 'usual', rotates: false, renew: 'ahead' },
  codes: oauthCodes,
  words: (body) => oauthWords(body) ?? textAt(body, 'details'),
  answers: oauthAnswers,

  dialect: ({ hosts }, { region }) => ({
    authorizeUrl: `${hosts[rolesIn(region).login]}/ap/oa`,
    tokenUrl: `${hosts[rolesIn(region).token]}/auth/o2/token`,
    clientAuth: 'post',
    pkce: true,
    separator: ' ',
  }),
  exchange: exchangeCode,
  refresh: refreshGrant,

  /**
   * The profiles of the region; without accessLevel only those the user may edit.
   * A wrong region is no error, but an empty list.
   */
  async verify(session, credential, { profileId }) {
    const answer = await session.send('verify', {
      method: 'GET',
      url: `${apiOf(session, credential.fields)}/${session.version}/profiles`,
      query: { accessLevel: 'view' },
      headers: { ...bearer(credential), 'Amazon-Advertising-API-ClientId': session.app.clientId ?? '' },
    })
    if (answer.outcome !== 'answered') return answer
    if (!Array.isArray(answer.body)) return unreachable('odd_answer')
    const profiles = listAt(answer.body)
    if (profiles.length === 0) return rejected('wrong_region')
    const profile = profileId ? profiles.find((one) => textAt(one, 'profileId') === profileId) : profiles[0]
    const id = textAt(profile, 'profileId')
    if (!id) return rejected('account_unreachable')
    // One advertiser has a profile, under the same name, in each country.
    return verified({ id, name: `${textAt(profile, 'accountInfo', 'name') ?? id} (${textAt(profile, 'countryCode') ?? '?'})` })
  },
}
