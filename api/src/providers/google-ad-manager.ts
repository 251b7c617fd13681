import { textAt } from './answer.ts'
import { google, googleAnswers, googleHosts, googleScopes } from './google.ts'
import { asAccountUnreachable, bearer, field, type Provider, rejected, unreachable, verified } from './provider.ts'

const VERSION = 'v1'
const HOSTS = { ...googleHosts, api: 'https://admanager.googleapis.com' } as const

export const googleAdManager: Provider = {
  ...google,
  id: 'google_ad_manager',
  name: 'Google Ad Manager',
  category: 'ssp',
  documentationUrl: 'https://developers.google.com/ad-manager/api/beta/getting-started',
  hosts: HOSTS,
  version: VERSION,
  settingsFields: [
    field('networkCode', 'Network code', {
      pattern: '^[0-9]{1,19}$',
      help: 'The number in the URL of Ad Manager, as in admanager.google.com/1234. API access must be turned on there, under Admin > Global settings.',
    }),
  ],
  ...googleScopes('https://www.googleapis.com/auth/admanager.readonly'),
  answers: googleAnswers,

  /** The network by its code. Before one is chosen, the list of networks tells that the access is alive. */
  async verify(session, credential, { networkCode }) {
    const url = `${session.hosts.api}/${session.version}/networks`
    const answer = await session.send('verify', {
      method: 'GET',
      url: networkCode ? `${url}/${encodeURIComponent(networkCode)}` : url,
      headers: bearer(credential),
    })
    if (answer.outcome !== 'answered') return networkCode ? asAccountUnreachable(answer) : answer
    const place = networkCode ? [] : ['networks', 0]
    const id = textAt(answer.body, ...place, 'networkCode')
    if (!id) return networkCode ? unreachable('odd_answer') : rejected('no_account')
    return verified({ id, name: textAt(answer.body, ...place, 'displayName') ?? id, email: credential.identity?.email })
  },
}
