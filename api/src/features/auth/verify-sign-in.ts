import type { Call, Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { isTrustedOrigin } from '../../domain/trusted-url.ts'
import { refuse } from '../../refusal.ts'
import { digest } from '../../vault/tokens.ts'
import { setFlowCookie } from './cookies.ts'
import { createSession } from './create-session.ts'
import { CONFIRMING, confirmedIdentity, linkIdentity } from './link-identity.ts'

const CODE_ATTEMPTS = 5

/** The link or code is spent first, by one statement that commits by itself: whatever fails afterwards, it never works twice. */
export const verifySignIn: Handler<'verifySignIn'> = async (call) => {
  refuseForeignOrigin(call)
  const { body } = call
  const spent = 'token' in body ? await spendLink(call, body.token) : await spendCode(call, body.email, body.code)
  if (!spent) return refuse('sign_in_invalid')
  const identity = confirmedIdentity(call, spent)
  if (identity) setFlowCookie(call, CONFIRMING, '')
  return createSession(call, {
    email: spent.email,
    method: 'magic-link',
    completeSignUp: body.completeSignUp,
    name: identity?.name,
    image: identity?.image,
    also: identity && ((query, userId) => linkIdentity(query, userId, identity)),
  })
}

/** A POST that sets the cookie must not come from somebody else's page, which could sign its visitor in as someone else. */
export function refuseForeignOrigin({ origin, parts }: Pick<Call, 'origin' | 'parts'>): void {
  if (origin.header !== null && !isTrustedOrigin(origin.header, parts.config)) refuse('origin_refused')
}

interface SpentLink {
  email: string
  token_hash: Buffer
  identity: string | null
}

async function spendLink({ parts }: Call<'verifySignIn'>, token: string): Promise<SpentLink | undefined> {
  const [spent] = await parts.db.query<SpentLink>(sql`update sign_in_links set used_at = now()
    where token_hash = ${digest(token)} and used_at is null and expires_at > now() returning email, token_hash, identity`)
  return spent
}

/** Only the newest code counts; five wrong ones kill it, and leave the link alone. */
async function spendCode({ parts }: Call<'verifySignIn'>, email: string, code: string): Promise<SpentLink | undefined> {
  const [tried] = await parts.db.query<SpentLink & { right: boolean }>(sql`
    update sign_in_links set code_attempts = code_attempts + 1, used_at = case when code_hash = ${parts.secrets.lookup('sign-in-code', `${email}|${code}`)} then now() end
    where id = (select id from sign_in_links where email = ${email} order by created_at desc limit 1)
      and used_at is null and expires_at > now() and code_attempts < ${CODE_ATTEMPTS}
    returning used_at is not null as right, email, token_hash, identity`)
  return tried?.right ? tried : undefined
}
