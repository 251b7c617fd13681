import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { codesClosedMail } from '../../mail/messages.ts'
import { digest } from '../../vault/tokens.ts'
import { mailbox, queueMail } from '../mails/queue-mail.ts'

/** After this many wrong attempts a code no longer works; the link in the same email still does. */
const MAX_ATTEMPTS_PER_CODE = 5
/**
 * After this many wrong codes within a day, over all emails, an address can't use codes for a day:
 * otherwise the chances of many small guesses would add up. Links always work.
 */
const MAX_WRONG_PER_DAY = 20

export interface SpentLink {
  email: string
  token_hash: Buffer
  identity: string | null
}

/**
 * Only the newest code that was mailed for a challenge works.
 * A wrong challenge finds no code, and does not count as a wrong code.
 */
export async function spendCode(
  parts: Parts,
  { email, code }: { email: string; code: string },
  challenge: string,
): Promise<SpentLink | undefined> {
  const { db, secrets } = parts
  const [link] = await db.query<{ id: string }>(sql`select id from sign_in_links
    where email = ${email} and challenge_hash = ${digest(challenge)} order by created_at desc limit 1`)
  if (!link) return undefined
  const hash = secrets.lookup('sign-in-code', `${email}|${code}`)
  return db.transaction(async (query) => {
    const guesses = await lockGuesses(query, email)
    if (guesses.closed) return undefined
    const [tried] = await query<SpentLink & { right: boolean }>(sql`
      update sign_in_links set code_attempts = code_attempts + 1, used_at = case when code_hash = ${hash} then now() end
      where id = ${link.id} and used_at is null and expires_at > now() and code_attempts < ${MAX_ATTEMPTS_PER_CODE}
      returning used_at is not null as right, email, token_hash, identity`)
    if (tried?.right) return tried
    if (tried) await countWrong(parts, query, email, guesses)
    return undefined
  })
}

interface Guesses {
  wrong: number
  today: boolean
  closed: boolean
}

/**
 * Locks the address until the guess is decided:
 * however many guesses arrive at once, each one counts those before it.
 */
async function lockGuesses(query: RunQuery, email: string): Promise<Guesses> {
  const [row] = await query<Guesses>(sql`insert into sign_in_guesses as g (email) values (${email})
    on conflict (email) do update set email = excluded.email
    returning g.wrong, g.began_at > now() - interval '24 hours' as today, coalesce(g.closed_until > now(), false) as closed`)
  return row!
}

async function countWrong(parts: Parts, query: RunQuery, email: string, { wrong, today }: Guesses): Promise<void> {
  const count = today ? wrong + 1 : 1
  const closes = count >= MAX_WRONG_PER_DAY
  await query(sql`update sign_in_guesses set wrong = ${closes ? 0 : count}, began_at = ${today ? sql`began_at` : sql`now()`},
    closed_until = ${closes ? sql`now() + interval '24 hours'` : sql`null`} where email = ${email}`)
  if (closes) await queueMail(parts, query, 'codesClosedMail', { to: email, mail: codesClosedMail(), reader: mailbox }, { lane: 'sign_in' })
}

export async function areCodesClosed(query: RunQuery, email: string): Promise<boolean> {
  const [row] = await query(sql`select from sign_in_guesses where email = ${email} and closed_until > now()`)
  return row !== undefined
}
