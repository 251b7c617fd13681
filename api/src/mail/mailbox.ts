// The development mailbox: mails that no SMTP server takes,
// readable at /dev/mailbox. Sealed at rest, since they hold links.
import type { Parts } from '../call.ts'
import { sql } from '../db/sql.ts'
import type { Mail } from './messages.ts'

const BINDING = ['mailbox']
const KEPT = 200

type Needs = Pick<Parts, 'db' | 'vault'>

export async function putInMailbox({ db, vault }: Needs, to: string, mail: Mail): Promise<void> {
  await db.query(sql`insert into mailbox (sealed) values (${vault.seal(JSON.stringify({ to, ...mail }), BINDING)})`)
  await db.query(sql`delete from mailbox where id <= (select max(id) from mailbox) - ${KEPT}`)
}

/** Newest first. */
export async function readMailbox({ db, vault }: Needs): Promise<(Mail & { to: string; sentAt: string })[]> {
  const rows = await db.query<{ sealed: string; sent_at: Date }>(sql`select sealed, sent_at from mailbox order by id desc limit ${KEPT}`)
  return rows.map(({ sealed, sent_at }) => ({ ...JSON.parse(vault.open(sealed, BINDING)), sentAt: sent_at.toISOString() }))
}
