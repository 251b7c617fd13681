// The mailboxes of clients, known by keyed hashes: whether one wants no more mail is remembered for good, its address is not.
import { canonicalMailbox, domainOf, maskEmail, sameMailbox } from '@adjoin/contract'
import type { Parts } from '../../call.ts'
import { enterInDirectory } from '../../db/directory.ts'
import { type RunQuery, sql } from '../../db/sql.ts'

export const stopTokenHash = ({ secrets }: Pick<Parts, 'secrets'>, token: string): Buffer => secrets.lookup('client-mails', token)

interface Mailbox {
  readonly hash: Buffer
  /** What stops mails to it, the same in every mail. */
  readonly token: string
  readonly shown: string
}

function mailboxOf({ secrets }: Pick<Parts, 'secrets'>, organizationId: string, email: string, name = canonicalMailbox(email)): Mailbox {
  const known = `${organizationId}|${name}`
  return {
    hash: secrets.lookup('client-mailbox', known),
    token: secrets.lookup('client-mails-token', known).toString('base64url'),
    shown: maskEmail(email),
  }
}

/** The same mailbox under the other domains of its service: what was noted before they counted as one. */
function otherNames(email: string): string[] {
  const mailbox = canonicalMailbox(email)
  const [first, ...others] = sameMailbox.find(([domain]) => domain === domainOf(mailbox)) ?? ['']
  return others.map((domain) => mailbox.slice(0, -first.length) + domain)
}

/** The hash by which a client's mailbox is known from now on. Who stopped mails to another of its names gets none under this one. */
export async function knownMailbox(
  parts: Pick<Parts, 'secrets'>,
  query: RunQuery,
  organizationId: string,
  email: string | null | undefined,
): Promise<Buffer | null> {
  if (!email) return null
  const { hash, token, shown } = mailboxOf(parts, organizationId, email)
  const others = otherNames(email).map((name) => mailboxOf(parts, organizationId, email, name).hash)
  if (others.length)
    await query(sql`insert into client_mails as m (organization_id, mailbox_hash, token_hash, shown, stopped_at)
      select organization_id, ${hash}, ${stopTokenHash(parts, token)}, ${shown}, min(stopped_at) from client_mails
      where organization_id = ${organizationId} and mailbox_hash = any(${others}::bytea[]) and stopped_at is not null group by organization_id
      on conflict (organization_id, mailbox_hash) do update set stopped_at = coalesce(m.stopped_at, excluded.stopped_at)`)
  return hash
}

/** The token that stops mails to this mailbox, the same in every mail; null: they are stopped already. */
export async function openMailbox(
  parts: Pick<Parts, 'secrets' | 'db'>,
  query: RunQuery,
  organizationId: string,
  email: string,
): Promise<string | null> {
  const { hash: mailbox, token, shown } = mailboxOf(parts, organizationId, email)
  const hash = stopTokenHash(parts, token)
  await enterInDirectory(parts.db, query, organizationId, hash)
  const [row] = await query<{ stopped: boolean }>(sql`insert into client_mails as m (organization_id, mailbox_hash, token_hash, shown)
    values (${organizationId}, ${mailbox}, ${hash}, ${shown})
    on conflict (organization_id, mailbox_hash) do update set shown = excluded.shown returning stopped_at is not null as stopped`)
  return row!.stopped ? null : token
}

/** Asked again when a mail is about to leave: it may have waited for hours. */
export async function isStopped({ db }: Pick<Parts, 'db'>, client: { organizationId: string; mailbox: string }): Promise<boolean> {
  const [stopped] = await db.query(sql`select from client_mails where organization_id = ${client.organizationId}
    and mailbox_hash = ${Buffer.from(client.mailbox, 'base64url')} and stopped_at is not null`)
  return stopped !== undefined
}
