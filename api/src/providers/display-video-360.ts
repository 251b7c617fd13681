import { textAt } from './answer.ts'
import { google, googleAnswers, googleHosts, googleScopes } from './google.ts'
import { asAccountUnreachable, bearer, field, type Provider, rejected, unreachable, verified } from './provider.ts'

const VERSION = 'v4'
const HOSTS = { ...googleHosts, api: 'https://displayvideo.googleapis.com' } as const

export const displayVideo360: Provider = {
  ...google,
  id: 'display_video_360',
  name: 'Display & Video 360',
  category: 'dsp',
  documentationUrl: 'https://developers.google.com/display-video/api/guides/getting-started/overview',
  hosts: HOSTS,
  version: VERSION,
  settingsFields: [
    field('partnerId', 'Partner ID', {
      pattern: '^[0-9]{1,19}$',
      help: 'The partner’s number, shown next to its name in Display & Video 360.',
    }),
    field('advertiserId', 'Advertiser ID', {
      required: false,
      pattern: '^[0-9]{1,19}$',
      help: 'Only needed to work with a single advertiser of the partner: the number next to its name.',
    }),
  ],
  // Reports are an API of their own, with its own scope.
  ...googleScopes('https://www.googleapis.com/auth/display-video', 'https://www.googleapis.com/auth/doubleclickbidmanager'),
  answers: googleAnswers,

  /**
   * The advertiser or the partner by its id.
   * Before one is chosen, the list of partners tells that the access is alive.
   */
  async verify(session, credential, { partnerId, advertiserId }) {
    const ask = (path: string, query?: Record<string, string>) =>
      session.send('verify', { method: 'GET', url: `${session.hosts.api}/${session.version}/${path}`, query, headers: bearer(credential) })
    const email = credential.identity?.email
    if (!partnerId) {
      const answer = await ask('partners', { pageSize: '1' })
      if (answer.outcome !== 'answered') return answer
      const id = textAt(answer.body, 'partners', 0, 'partnerId')
      return id ? verified({ id, name: textAt(answer.body, 'partners', 0, 'displayName') ?? id, email }) : rejected('no_account')
    }
    const answer = await ask(advertiserId ? `advertisers/${encodeURIComponent(advertiserId)}` : `partners/${encodeURIComponent(partnerId)}`)
    if (answer.outcome !== 'answered') return asAccountUnreachable(answer)
    const id = textAt(answer.body, advertiserId ? 'advertiserId' : 'partnerId')
    if (!id) return unreachable('odd_answer')
    const account = { id, name: textAt(answer.body, 'displayName') ?? id, email }
    // An advertiser may be within reach and still belong to another partner.
    return textAt(answer.body, 'partnerId') === partnerId ? verified(account) : rejected('account_unreachable', { account })
  },
}
