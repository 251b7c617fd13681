import { listAt, textAt } from './answer.ts'
import { google, googleAnswers, googleHosts, googleScopes } from './google.ts'
import { asAccountUnreachable, bearer, field, type Provider, rejected, unreachable, verified } from './provider.ts'

const VERSION = 'v5'
const HOSTS = { ...googleHosts, api: 'https://dfareporting.googleapis.com' } as const

export const campaignManager360: Provider = {
  ...google,
  id: 'campaign_manager_360',
  name: 'Campaign Manager 360',
  category: 'ssp',
  documentationUrl: 'https://developers.google.com/doubleclick-advertisers/getting_started',
  hosts: HOSTS,
  version: VERSION,
  settingsFields: [
    field('profileId', 'User profile ID', {
      pattern: '^[0-9]{1,19}$',
      help: 'The number of the user’s profile, in Campaign Manager 360 under Admin > User profiles. Each person has one profile per account.',
    }),
    field('accountId', 'Account ID', {
      required: false,
      pattern: '^[0-9]{1,19}$',
      help: 'If set, profiles of other accounts are rejected.',
    }),
    field('advertiserId', 'Advertiser ID', {
      required: false,
      pattern: '^[0-9]{1,19}$',
      help: 'Only needed to work with a single advertiser of the account.',
    }),
  ],
  ...googleScopes('https://www.googleapis.com/auth/dfareporting', 'https://www.googleapis.com/auth/dfatrafficking'),
  answers: googleAnswers,

  /**
   * The list of profiles tells that the access is alive, and whose accounts it reaches.
   * An advertiser is asked for by its id.
   */
  async verify(session, credential, { profileId, accountId, advertiserId }) {
    const url = `${session.hosts.api}/dfareporting/${session.version}/userprofiles`
    const headers = bearer(credential)
    const answer = await session.send('verify', { method: 'GET', url, headers })
    if (answer.outcome !== 'answered') return answer
    if (textAt(answer.body, 'kind') !== 'dfareporting#userProfileList') return unreachable('odd_answer')
    const profiles = listAt(answer.body, 'items')
    if (profiles.length === 0) return rejected('no_account')
    const profile = profileId ? profiles.find((one) => textAt(one, 'profileId') === profileId) : profiles[0]
    const id = textAt(profile, 'profileId')
    if (!id) return rejected('account_unreachable')
    const account = { id, name: textAt(profile, 'accountName') ?? id, email: credential.identity?.email }
    if (accountId && accountId !== textAt(profile, 'accountId')) return rejected('account_unreachable', { account })
    if (profileId && advertiserId) {
      const advertiser = `${url}/${encodeURIComponent(profileId)}/advertisers/${encodeURIComponent(advertiserId)}`
      const found = await session.send('verify', { method: 'GET', url: advertiser, headers })
      if (found.outcome !== 'answered') return asAccountUnreachable(found)
      if (textAt(found.body, 'id') !== advertiserId) return unreachable('odd_answer')
    }
    return verified(account)
  },
}
