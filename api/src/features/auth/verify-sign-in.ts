import type { Call, Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { isTrustedOrigin } from '../../domain/trusted-url.ts'
import { refuse } from '../../refusal.ts'
import { digest } from '../../vault/tokens.ts'
import { createSession } from './create-session.ts'

const CODE_ATTEMPTS = 5

/** The link or code is spent first, by one statement that commits by itself: whatever fails afterwards, it never works twice. */
export const verifySignIn: Handler<'verifySignIn'> = async (call) => {
  const { origin } = call
  if (origin.header !== null && !isTrustedOrigin(origin.header, call.parts.config)) refuse('origin_refused')
  const email = 'token' in call.body ? await spendLink(call, call.body.token) : await spendCode(call, call.body.email, call.body.code)
  if (!email) return refuse('sign_in_invalid')
  return createSession(call, { email, method: 'magic-link', completeSignUp: call.body.completeSignUp })
}

async function spendLink({ parts }: Call<'verifySignIn'>, token: string): Promise<string | undefined> {
  const [spent] = await parts.db.query<{ email: string }>(sql`update sign_in_links set used_at = now()
    where token_hash = ${digest(token)} and used_at is null and expires_at > now() returning email`)
  return spent?.email
}

/** Only the newest code counts; five wrong ones kill it, and leave the link alone. */
async function spendCode({ parts }: Call<'verifySignIn'>, email: string, code: string): Promise<string | undefined> {
  const [tried] = await parts.db.query<{ right: boolean }>(sql`
    update sign_in_links set code_attempts = code_attempts + 1, used_at = case when code_hash = ${parts.secrets.lookup('sign-in-code', `${email}|${code}`)} then now() end
    where id = (select id from sign_in_links where email = ${email} order by created_at desc limit 1)
      and used_at is null and expires_at > now() and code_attempts < ${CODE_ATTEMPTS}
    returning used_at is not null as right`)
  return tried?.right ? email : undefined
}
