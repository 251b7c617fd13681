// Asked of every mail as it leaves, in one statement: is its reader still who it was written for?
import type { Parts } from '../../call.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import type { MailReader, MailReaders } from '../../jobs/queue.ts'
import { sees } from '../integrations/owner.ts'

const bytes = (base64url: string) => Buffer.from(base64url, 'base64url')

const targets = { integration: sql`integrations`, request: sql`connect_requests` }

/** A row for each reader who may; none for everybody else. */
const holders: { [Power in Exclude<keyof MailReaders, 'mailbox'>]: (reader: MailReaders[Power]) => Fragment } = {
  invitee: ({ organizationId, invitationId }) =>
    sql`select from invitations where organization_id = ${organizationId} and id = ${invitationId} and status = 'pending'`,
  admin: ({ organizationId, userId }) =>
    sql`select from members where organization_id = ${organizationId} and user_id = ${userId} and role = 'admin'`,
  workspace: ({
    organizationId,
    userId,
    of,
    id,
  }) => sql`select from ${targets[of]} t where t.organization_id = ${organizationId} and t.id = ${id}
    and ${sees(sql`${userId}::uuid`, sql`${organizationId}::uuid`, sql`t.workspace_id`)}`,
  notices: ({ organizationId, userId, notices }) => {
    const ids = [...new Set(notices.map(({ integrationId }) => integrationId))]
    return sql`select from integrations i where i.organization_id = ${organizationId} and i.id = any(${ids}::uuid[])
      and ${sees(sql`${userId}::uuid`, sql`${organizationId}::uuid`, sql`i.workspace_id`)} having count(*) = ${ids.length}::int`
  },
  client: ({ organizationId, requestId, mailbox, link }) => sql`select from connect_requests r
    left join client_mails m on m.organization_id = ${organizationId} and m.mailbox_hash = r.mailbox_hash
    where r.organization_id = ${organizationId} and r.id = ${requestId} and r.mailbox_hash = ${bytes(mailbox)} and m.stopped_at is null
      and ${link === null ? sql`true` : sql`r.token_hash = ${bytes(link)} and r.completed_at is null and r.canceled_at is null`}`,
}

export async function mayRead({ db }: Pick<Parts, 'db'>, reader: MailReader): Promise<boolean> {
  if (reader.power === 'mailbox') return true
  const [holder] = await db.query((holders[reader.power] as (reader: MailReader) => Fragment)(reader))
  return holder !== undefined
}
