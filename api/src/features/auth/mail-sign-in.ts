// The work of a sign-in mail, done by a job after the answer:
// a known and an unknown address cannot be told apart by time.
import type { Parts } from '../../call.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { JobHandlers } from '../../jobs/queue.ts'
import { signInMail, unknownAddressMail } from '../../mail/messages.ts'
import { digest, newCode, newToken } from '../../vault/tokens.ts'
import { mailbox, queueMail } from '../mails/queue-mail.ts'
import { isExpected } from './create-session.ts'
import { sealIdentity } from './link-identity.ts'
import { areCodesClosed } from './spend-code.ts'

export const LINK_MINUTES = 10

export const mailSignIn =
  ({ db, jobs, secrets, vault, config }: Parts): JobHandlers['sign_in.mail'] =>
  ({ email, callbackURL, identity, challenge }) =>
    db.transaction(async (query) => {
      const challengeHash = challenge === undefined ? null : Buffer.from(challenge, 'base64url')
      const [known] = await query(sql`select from users where email = ${email}`)
      if (!known && !(await isExpected(query, email))) {
        await query(unusableLink(email, challengeHash))
        const mail = unknownAddressMail(`${config.publicUrl}/signup`)
        return queueMail({ jobs }, query, 'unknownAddressMail', { to: email, mail, reader: mailbox }, { lane: 'sign_in' })
      }
      const [signUp] = await query<{ organization_name: string }>(
        sql`select organization_name from sign_ups where email = ${email} and expires_at > now()`,
      )
      const token = newToken()
      const code = newCode()
      const waiting = identity ? sealIdentity(vault, digest(token), identity) : null
      const [link] = await query<{
        expires_at: Date
      }>(sql`insert into sign_in_links (email, token_hash, code_hash, challenge_hash, callback_url, identity, expires_at)
        values (${email}, ${digest(token)}, ${secrets.lookup('sign-in-code', `${email}|${code}`)}, ${challengeHash}, ${callbackURL}, ${waiting},
          now() + make_interval(mins => ${LINK_MINUTES})) returning expires_at`)
      // The token travels behind #, which no browser sends to a server: it appears in no log or Referer.
      const usable = challengeHash !== null && !(await areCodesClosed(query, email))
      const mail = signInMail(`${config.publicUrl}/signin/link#token=${token}`, usable ? code : null, {
        organization: signUp?.organization_name,
        provider: identity?.provider,
      })
      const queued = { to: email, mail, reader: mailbox, until: link!.expires_at.toISOString() }
      return queueMail({ jobs }, query, 'signInMail', queued, { lane: 'sign_in' })
    })

/**
 * Nothing opens it: guessing at the code of an address without
 * an account takes the same steps, and the same time, as of one with.
 */
const unusableLink = (email: string, challengeHash: Buffer | null): Fragment =>
  sql`insert into sign_in_links (email, token_hash, code_hash, challenge_hash, expires_at)
    values (${email}, ${digest(newToken())}, ${digest(newToken())}, ${challengeHash}, now() + make_interval(mins => ${LINK_MINUTES}))`
