// From an account at an identity provider to a session here.
import type { Answer } from '@adjoin/contract'
import { sql } from '../../db/sql.ts'
import type { ProviderAccount } from '../../identity/index.ts'
import { digest, newToken } from '../../vault/tokens.ts'
import { issueChallenge } from './challenge.ts'
import { type FlowCall, setFlowCookie } from './cookies.ts'
import { createSession, reopenAccount } from './create-session.ts'
import { IDENTITY_COOKIE, linkIdentity } from './link-identity.ts'
import { refuseSignIn } from './refuse-sign-in.ts'

/** Answers where the browser goes next. */
export async function signInByProvider(call: FlowCall, account: ProviderAccount, landing: string): Promise<string> {
  const { provider: method, email } = account
  const known = await linkedPerson(call, account)
  // A linked account stays its person's, whatever address it shows now;
  // only an address proved today creates or provisions anything.
  if (known && !(email === known.email && (account.emailProved || known.signing_up)))
    return landingUrl(landing, await reopenAccount(call, known.id, method))
  if (!email) return refuseSignIn('email_missing')
  if (!account.emailProved) return confirmByMail(call, { ...account, email }, landing)
  const { name, image } = account
  const link: Parameters<typeof createSession>[1]['link'] = async (query, userId) => {
    if (!(await linkIdentity(query, userId, account))) refuseSignIn('identity_conflict')
  }
  return landingUrl(landing, await createSession(call, { email, method, name, image, completeSignUp: true, link }))
}

async function linkedPerson({ parts }: FlowCall, { issuer, subject }: ProviderAccount) {
  const [person] = await parts.db.query<{ id: string; email: string; signing_up: boolean }>(sql`
    select u.id, u.email, exists (select 1 from sign_ups s where s.email = u.email and s.expires_at > now()) as signing_up
    from identities i join users u on u.id = i.user_id where i.issuer = ${issuer} and i.subject = ${subject}`)
  return person
}

/** The landing page learns what became of a sign-up; it learns no secret. */
function landingUrl(landing: string, { signUp, signUpReason, organizationSlug }: Answer<'verifySignIn'>): string {
  const url = new URL(landing)
  for (const [name, value] of Object.entries({ signUp, signUpReason, organizationSlug })) if (value) url.searchParams.set(name, value)
  return url.href
}

/**
 * The provider does not vouch for the address, so a mail must prove it before anything happens.
 * The account is linked only if the code or link is used in this browser:
 * whoever receives the mail uninvited signs in alone, and never lets a stranger in.
 */
async function confirmByMail(call: FlowCall, account: ProviderAccount & { email: string }, landing: string): Promise<string> {
  const { parts, origin } = call
  const { email, provider, issuer, subject, name, image } = account
  await parts.limit('sendSignInLink', { ip: origin.ip, body: { email } })
  const secret = newToken()
  const identity = { provider, issuer, subject, name, image, browser: digest(secret).toString('base64url') }
  const { challenge } = issueChallenge(call, 'browser')
  await parts.jobs.enqueue(parts.db.query, 'sign_in.mail', { email, callbackURL: landing, identity, challenge })
  parts.jobs.wake()
  setFlowCookie(call, IDENTITY_COOKIE, secret)
  // The address stands behind #, which no browser sends to a server.
  return `${parts.config.publicUrl}/signin?callbackURL=${encodeURIComponent(landing)}#confirm=${encodeURIComponent(email)}`
}
