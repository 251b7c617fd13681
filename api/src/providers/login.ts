/**
 * Logins by the grants of OAuth 2.0 that need no browser:
 * what was entered is sent once and becomes an access token.
 */

import { grantedBy } from './oauth.ts'
import { credentialOf, type FieldValues, type Granted, type VendorRefusal, type VendorSession } from './provider.ts'
import type { AnswerRule } from './rule.ts'

/**
 * The answers of RFC 6749 to them.
 * The client that is refused here is the one that was entered, not the operator's.
 */
export const loginAnswers: readonly AnswerRule[] = [
  { on: 'login', code: /^(invalid_client|invalid_grant|unauthorized_client)$/, reason: 'login_refused' },
  { on: 'login', code: /^invalid_scope$/, reason: 'permission_missing' },
  { on: 'login', code: /^(temporarily_unavailable|server_error)$/, reason: 'outage' },
]

export async function loginByGrant(
  session: VendorSession,
  fields: FieldValues,
  url: string,
  form: Record<string, string>,
): Promise<Granted | VendorRefusal> {
  const answer = await session.send('login', { method: 'POST', url, form })
  return answer.outcome === 'answered' ? grantedBy(answer, session, credentialOf(fields)) : answer
}

/** In the form rather than by HTTP Basic: there, servers disagree on how to write a secret with + or %. */
export const clientCredentials = ({ clientId = '', clientSecret = '' }: FieldValues) => ({
  grant_type: 'client_credentials',
  client_id: clientId,
  client_secret: clientSecret,
})
