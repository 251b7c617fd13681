import { textAt } from './answer.ts'
import { loginAnswers, loginByGrant } from './login.ts'
import { oauthCodes, oauthWords } from './oauth.ts'
import { bearer, field, type Provider, unreachable, verified } from './provider.ts'

const HOSTS = { production: 'https://api.freewheel.tv', staging: 'https://api.stg.freewheel.tv' } as const
const WEEK = 604_800

export const freewheel: Provider = {
  id: 'freewheel',
  name: 'FreeWheel',
  category: 'ssp',
  authMethod: 'credentials',
  documentationUrl: 'https://api-docs.freewheel.tv/publisher/docs/authentication-api',
  hosts: HOSTS,
  app: [],
  connectFields: [
    field('username', 'API user', {
      pattern: '^[^\\s\\x00-\\x1F\\x7F]{1,254}$',
      help: 'A user of your FreeWheel network who is enabled for the API.',
    }),
    field('password', 'Password', {
      secret: true,
      pattern: '^[^\\x00-\\x1F\\x7F]{1,256}$',
      help: 'The API user’s password. It expires at FreeWheel after 180 or 365 days; then connect again with the new one.',
    }),
  ],
  settingsFields: [
    field('networkId', 'Network ID', {
      required: false,
      pattern: '^[0-9]{1,19}$',
      help: 'The number of your FreeWheel network. We show it with the connected user; FreeWheel offers no way to verify it.',
    }),
    field('environment', 'Platform', {
      options: Object.keys(HOSTS),
      default: 'production',
      help: 'production is the ordinary platform, staging the test platform.',
    }),
  ],
  scopes: [],
  lifetimes: { access: WEEK, refresh: null, rotates: false, renew: 'on_demand' },
  loginQuota: { logins: 3, seconds: 1 },
  // Refusals are plain text: the status says it all.
  codes: oauthCodes,
  words: oauthWords,
  answers: loginAnswers,

  login: (session, fields, { environment = 'production' }) =>
    loginByGrant(session, fields, `${session.hosts[environment]}/auth/token`, {
      grant_type: 'password',
      username: fields.username ?? '',
      password: fields.password ?? '',
    }),

  async verify(session, credential, { environment = 'production', networkId }) {
    const url = `${session.hosts[environment]}/auth/token/info`
    const answer = await session.send('verify', { method: 'GET', url, headers: bearer(credential) })
    if (answer.outcome !== 'answered') return answer
    const id = textAt(answer.body, 'user_id')
    const user = credential.fields.username ?? id
    return id && user ? verified({ id, name: networkId ? `${user} (network ${networkId})` : user }) : unreachable('odd_answer')
  },
}
