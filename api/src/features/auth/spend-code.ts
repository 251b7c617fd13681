import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { codesClosedMail } from '../../mail/messages.ts'
import { digest } from '../../vault/tokens.ts'

/** So many wrong ones kill a code, and leave its link alone. */
const CODE_ATTEMPTS = 5
/**
 * So many within a day, over all mails, close the codes of an address for a day:
 * chance must not add up. Links are never closed.
 */
const WRONG_A_DAY = 20

export interface SpentLink {
  email: string
  token_hash: Buffer
  identity: string | null
}

/**
 * Of the codes that one challenge was mailed the newest counts.
 * A wrong challenge finds nothing and counts nothing.
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
      where id = ${link.id} and used_at is null and expires_at > now() and code_attempts < ${CODE_ATTEMPTS}
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
 * Held until the guess is decided:
 * however many arrive at once over however many mails, each sees those before it.
 */
async function lockGuesses(query: RunQuery, email: string): Promise<Guesses> {
  const [row] = await query<Guesses>(sql`insert into sign_in_guesses as g (email) values (${email})
    on conflict (email) do update set email = excluded.email
    returning g.wrong, g.began_at > now() - interval '24 hours' as today, coalesce(g.closed_until > now(), false) as closed`)
  return row!
}

async function countWrong({ jobs }: Parts, query: RunQuery, email: string, { wrong, today }: Guesses): Promise<void> {
  const count = today ? wrong + 1 : 1
  const closes = count >= WRONG_A_DAY
  await query(sql`update sign_in_guesses set wrong = ${closes ? 0 : count}, began_at = ${today ? sql`began_at` : sql`now()`},
    closed_until = ${closes ? sql`now() + interval '24 hours'` : sql`null`} where email = ${email}`)
  if (closes) await jobs.enqueue(query, 'mail.send', { to: email, ...codesClosedMail() }, { lane: 'sign_in' })
}

export async function areCodesClosed(query: RunQuery, email: string): Promise<boolean> {
  const [row] = await query(sql`select from sign_in_guesses where email = ${email} and closed_until > now()`)
  return row !== undefined
}
