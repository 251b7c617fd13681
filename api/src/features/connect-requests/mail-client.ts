import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { itemStatus } from '../../domain/connect-request.ts'
import { type ClientMail, confirmationMail, requestMail } from '../../mail/client-messages/index.ts'
import type { Mail } from '../../mail/compose.ts'
import { findProvider } from '../../providers/index.ts'
import { mailboxHash, openMailbox } from './client-mailbox.ts'
import { type ItemRow, type RequestRow, stateOfItem, urlOf } from './request-row.ts'

type Kind = Parameters<typeof requestMail>[0]['kind']
const systemOf = ({ provider }: Pick<ItemRow, 'provider'>) => findProvider(provider)?.name ?? provider

/** What is still to be done, and the link to do it. False: the client wants no mail, or there is no link to send. */
export async function mailRequest(parts: Parts, query: RunQuery, row: RequestRow, items: readonly ItemRow[], kind: Kind): Promise<boolean> {
  const link = urlOf(parts, row)
  if (!link) return false
  const open = items.filter((item) => ['pending', 'failed'].includes(itemStatus(stateOfItem(item))))
  return mail(parts, query, row, row.expires_at, (to) =>
    requestMail({
      ...to,
      kind,
      requester: row.created_by_name ?? to.organization,
      message: row.message,
      systems: open.map(systemOf),
      link,
      expiresAt: row.expires_at,
    }),
  )
}

/** What was connected, each with its receipt. */
export const mailConfirmation = (
  parts: Parts,
  query: RunQuery,
  row: RequestRow,
  receipts: readonly { provider: string; link: string }[],
): Promise<boolean> =>
  mail(parts, query, row, null, (to) =>
    confirmationMail({ ...to, receipts: receipts.map(({ provider, link }) => ({ system: systemOf({ provider }), link })) }),
  )

/** The verb that sends one counts it: each is as an invitation. */
async function mail(parts: Parts, query: RunQuery, row: RequestRow, until: Date | null, write: (to: ClientMail) => Mail): Promise<boolean> {
  const { organization_id: organizationId, client_email: email } = row
  const stop = email && (await openMailbox(parts, query, organizationId, email))
  if (!email || !stop) return false
  const [organization] = await query<{ name: string }>(sql`select name from organizations where id = ${organizationId}`)
  const { publicUrl } = parts.config
  const to: ClientMail = {
    language: row.language,
    organization: organization!.name,
    clientName: row.client_name,
    stop: { page: `${publicUrl}/connect/stop/${stop}`, oneClick: `${publicUrl}/v1/connect/mails/${stop}/stop` },
  }
  const mailbox = mailboxHash(parts, organizationId, email)!.toString('base64url')
  const payload = { to: email, ...write(to), ...(until && { until: until.toISOString() }), client: { organizationId, mailbox } }
  await parts.jobs.enqueue(query, 'mail.send', payload, { organizationId })
  return true
}
