import { listAt, textAt, valueAt } from './answer.ts'
import { asAccountUnreachable, field, type Provider, pasted, rejected, unreachable, verified } from './provider.ts'

const VERSION = 'v3'
const HOSTS = {
  production: 'https://api.thetradedesk.com',
  walmart: 'https://api.dsp.walmart.com',
  sandbox: 'https://ext-api.sb.thetradedesk.com',
} as const

export const theTradeDesk: Provider = {
  id: 'the_trade_desk',
  name: 'The Trade Desk',
  category: 'dsp',
  authMethod: 'credentials',
  documentationUrl: 'https://open.thetradedesk.com/advertiser/docsApp/Foundations/resources/doc/PlatformAuthentication',
  hosts: HOSTS,
  version: VERSION,
  app: [],
  connectFields: [
    field('apiToken', 'API token', {
      secret: true,
      pattern: '^[\\x21-\\x7E]{8,4096}$',
      help: 'Create a long-lived token at The Trade Desk under Access Management. Copy it right away: it is shown only once.',
      tidy: pasted,
    }),
  ],
  settingsFields: [
    field('partnerId', 'Partner ID', {
      required: false,
      pattern: '^[A-Za-z0-9_\\-]{1,64}$',
      help: 'The partner’s ID in the API, not the seat number. If empty, we show the first partner the token has access to.',
    }),
    field('environment', 'Platform', {
      options: Object.keys(HOSTS),
      default: 'production',
      help: 'Use production for the regular platform, walmart for Walmart DSP, and sandbox for the test platform.',
    }),
  ],
  scopes: [],
  // The client chose between a week and a year when creating the token; nothing tells which.
  lifetimes: { access: null, refresh: null, rotates: false, renew: 'never' },
  words: (body) => textAt(body, 'Message') ?? textAt(body, 'message') ?? textAt(body),
  answers: [
    { status: 401, reason: 'login_refused' },
    // A dead token may also come as a missing permission; only the text tells.
    { status: 403, text: /token is not valid or has expired/i, reason: 'login_refused' },
  ],

  async verify(session, { fields }, { environment = 'production', partnerId }) {
    const url = `${session.hosts[environment]}/${session.version}/partner`
    const headers = { 'TTD-Auth': fields.apiToken ?? '' }
    const answer = await session.send(
      'verify',
      partnerId
        ? { method: 'GET', url: `${url}/${encodeURIComponent(partnerId)}`, headers }
        : { method: 'POST', url: `${url}/query`, headers, json: { PageStartIndex: 0, PageSize: 1 }, repeatable: true },
    )
    if (answer.outcome !== 'answered') return partnerId ? asAccountUnreachable(answer) : answer
    const [partner] = partnerId ? [answer.body] : listAt(answer.body, 'Result')
    if (!partner && valueAt(answer.body, 'Result')) return rejected('no_account')
    const id = textAt(partner, 'PartnerId')
    return id ? verified({ id, name: textAt(partner, 'PartnerName') ?? textAt(partner, 'Name') ?? id }) : unreachable('odd_answer')
  },
}
