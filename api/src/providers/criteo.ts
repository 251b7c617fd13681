import { listAt, textAt, valueAt } from './answer.ts'
import { clientCredentials, loginAnswers, loginByGrant } from './login.ts'
import { oauthCodes, oauthWords } from './oauth.ts'
import { bearer, field, type Provider, pasted, rejected, unreachable, verified } from './provider.ts'
import type { VendorAnswer } from './rule.ts'

const VERSION = '2026-07'
const HOSTS = { api: 'https://api.criteo.com' } as const
const LIFETIME = 900

/** Commerce Grid is a release behind the others; a version that the operator sets holds for all. */
const services = (version: string): Record<string, string> => ({
  marketing_solutions: `${version}/marketing-solutions`,
  retail_media: `${version}/retail-media`,
  commerce_grid: `${version === VERSION ? '2026-01' : version}/commerce-grid`,
})

/** The end of the window in epoch seconds, counted from the clock of the answer itself. */
function wait({ status, headers }: VendorAnswer): number | undefined {
  const seconds = Number(headers['x-ratelimit-reset']) - Date.parse(headers.date ?? '') / 1000
  return status === 429 && !Number.isNaN(seconds) ? Math.max(0, seconds) : undefined
}

export const criteo: Provider = {
  id: 'criteo',
  name: 'Criteo',
  category: 'dsp',
  authMethod: 'credentials',
  documentationUrl: 'https://developers.criteo.com/marketing-solutions/docs/authentication',
  hosts: HOSTS,
  version: VERSION,
  app: [],
  connectFields: [
    field('clientId', 'Client ID', {
      pattern: '^[\\x21-\\x7E]{1,256}$',
      help: 'The client ID of the app you created at partners.criteo.com.',
    }),
    field('clientSecret', 'Client secret', {
      secret: true,
      pattern: '^[\\x21-\\x7E]{1,256}$',
      help: 'Found only in the file you can download from Criteo when you create a key for the app. If you lost it, create another key.',
      tidy: pasted,
    }),
  ],
  settingsFields: [
    field('service', 'Criteo service', {
      options: Object.keys(services(VERSION)),
      default: 'marketing_solutions',
      help: 'What the app was created for. Most advertisers use marketing_solutions.',
    }),
    field('advertiserId', 'Advertiser ID', {
      required: false,
      pattern: '^[0-9]{1,19}$',
      help: 'Digits only. Only for marketing_solutions. If set, this advertiser must have given the app its consent.',
    }),
  ],
  scopes: [],
  lifetimes: { access: LIFETIME, refresh: null, rotates: false, renew: 'on_demand' },
  codes: (body) => [
    ...oauthCodes(body),
    ...listAt(body, 'errors').flatMap((error) => [textAt(error, 'code'), textAt(error, 'type') ?? 'error']),
  ],
  words: (body) => textAt(body, 'errors', 0, 'detail') ?? textAt(body, 'errors', 0, 'title') ?? oauthWords(body),
  wait,
  answers: [{ code: /^availability$/, reason: 'outage' }, { code: /^quota$/, reason: 'throttled' }, ...loginAnswers],

  login: (session, fields) => loginByGrant(session, fields, `${session.hosts.api}/oauth2/token`, clientCredentials(fields)),

  /**
   * Which app it is; and for advertising, who has consented to it:
   * without consent the app is alive but reads nothing.
   */
  async verify(session, credential, { service = 'marketing_solutions', advertiserId }) {
    const ask = (path: string) =>
      session.send('verify', { method: 'GET', url: `${session.hosts.api}/${path}`, headers: bearer(credential) })
    const me = await ask(`${services(session.version)[service]}/me`)
    if (me.outcome !== 'answered') return me
    const app = valueAt(me.body, 'data', 'attributes')
    const id = textAt(app, 'organizationId') ?? textAt(app, 'applicationId')
    if (!id) return unreachable('odd_answer')
    const account = { id, name: textAt(app, 'name') ?? id }
    if (service !== 'marketing_solutions' && !advertiserId) return verified(account)

    const answer = await ask(`${session.version}/advertisers/me`)
    if (answer.outcome !== 'answered') return answer
    if (!Array.isArray(valueAt(answer.body, 'data'))) return unreachable('odd_answer')
    const advertisers = listAt(answer.body, 'data')
    if (!advertiserId) return advertisers.length > 0 ? verified(account) : rejected('permission_missing', { account })
    const advertiser = advertisers.find((one) => textAt(one, 'id') === advertiserId)
    if (!advertiser) return rejected('account_unreachable', { account })
    return verified({ id: advertiserId, name: textAt(advertiser, 'attributes', 'advertiserName') ?? advertiserId })
  },
}
