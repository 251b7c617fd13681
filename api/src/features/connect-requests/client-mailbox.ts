// The mailboxes of clients, known by keyed hashes: whether one wants no more mail is remembered for good, its address is not.
import { canonicalMailbox, maskEmail } from '@adjoin/contract'
import type { Parts } from '../../call.ts'
import { enterInDirectory } from '../../db/directory.ts'
import { type RunQuery, sql } from '../../db/sql.ts'

const mailboxOf = (organizationId: string, email: string) => `${organizationId}|${canonicalMailbox(email)}`

export const mailboxHash = (
  { secrets }: Pick<Parts, 'secrets'>,
  organizationId: string,
  email: string | null | undefined,
): Buffer | null => (email ? secrets.lookup('client-mailbox', mailboxOf(organizationId, email)) : null)

export const stopTokenHash = ({ secrets }: Pick<Parts, 'secrets'>, token: string): Buffer => secrets.lookup('client-mails', token)

/** The token that stops mails to this mailbox, the same in every mail; null: they are stopped already. */
export async function openMailbox(
  parts: Pick<Parts, 'secrets' | 'db'>,
  query: RunQuery,
  organizationId: string,
  email: string,
): Promise<string | null> {
  const token = parts.secrets.lookup('client-mails-token', mailboxOf(organizationId, email)).toString('base64url')
  const hash = stopTokenHash(parts, token)
  await enterInDirectory(parts.db, query, organizationId, hash)
  const [row] = await query<{ stopped: boolean }>(sql`insert into client_mails as m (organization_id, mailbox_hash, token_hash, shown)
    values (${organizationId}, ${mailboxHash(parts, organizationId, email)}, ${hash}, ${maskEmail(email)})
    on conflict (organization_id, mailbox_hash) do update set shown = excluded.shown returning stopped_at is not null as stopped`)
  return row!.stopped ? null : token
}

/** Asked again when a mail is about to leave: it may have waited for hours. */
export async function isStopped({ db }: Pick<Parts, 'db'>, client: { organizationId: string; mailbox: string }): Promise<boolean> {
  const [stopped] = await db.query(sql`select from client_mails where organization_id = ${client.organizationId}
    and mailbox_hash = ${Buffer.from(client.mailbox, 'base64url')} and stopped_at is not null`)
  return stopped !== undefined
}
