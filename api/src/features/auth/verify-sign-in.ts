import { isTrustedOrigin } from '@adjoin/contract/trusted-url'
import type { Call, Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { digest } from '../../vault/tokens.ts'
import { CHALLENGE_COOKIE, readChallenge } from './challenge.ts'
import { flowCookie, setFlowCookie } from './cookies.ts'
import { createSession } from './create-session.ts'
import { confirmedIdentity, IDENTITY_COOKIE, linkIdentity } from './link-identity.ts'
import { type SpentLink, spendCode } from './spend-code.ts'

/**
 * The link or code is spent first, and that commits before anything else:
 * whatever fails afterwards, it never works twice.
 */
export const verifySignIn: Handler<'verifySignIn'> = async (call) => {
  refuseForeignOrigin(call)
  const { body } = call
  const spent = 'token' in body ? await spendLink(call, body.token) : await spendCode(call.parts, body, readChallenge(call, body.challenge))
  if (!spent) return refuse('sign_in_invalid')
  if (flowCookie(call, CHALLENGE_COOKIE)) setFlowCookie(call, CHALLENGE_COOKIE, '')
  const identity = confirmedIdentity(call, spent)
  if (identity) setFlowCookie(call, IDENTITY_COOKIE, '')
  return createSession(call, {
    email: spent.email,
    method: 'magic-link',
    completeSignUp: body.completeSignUp,
    name: identity?.name,
    image: identity?.image,
    link: identity && ((query, userId) => linkIdentity(query, userId, identity)),
  })
}

/**
 * A POST that sets the cookie must not come from somebody else's page,
 * which could sign its visitor in as someone else.
 */
export function refuseForeignOrigin({ origin, parts }: Pick<Call, 'origin' | 'parts'>): void {
  if (origin.header !== null && !isTrustedOrigin(origin.header, parts.config)) refuse('origin_refused')
}

async function spendLink({ parts }: Call<'verifySignIn'>, token: string): Promise<SpentLink | undefined> {
  const [spent] = await parts.db.query<SpentLink>(sql`update sign_in_links set used_at = now()
    where token_hash = ${digest(token)} and used_at is null and expires_at > now() returning email, token_hash, identity`)
  return spent
}
