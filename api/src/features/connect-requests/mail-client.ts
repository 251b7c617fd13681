import type { ConnectItemStatus } from '@adjoin/contract'
import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { itemStatus } from '../../domain/connect-request.ts'
import { type ClientMail, confirmationMail, requestMail } from '../../mail/client-messages/index.ts'
import type { Mail } from '../../mail/compose.ts'
import { findProvider } from '../../providers/index.ts'
import type { KindFor } from '../mails/kinds.ts'
import { queueMail } from '../mails/queue-mail.ts'
import { knownMailbox, openMailbox } from './client-mailbox.ts'
import { type ItemRow, type RequestRow, stateOfItem, urlOf } from './request-row.ts'
import { missingOf } from './unfinished.ts'

type Kind = Parameters<typeof requestMail>[0]['kind']
const systemOf = ({ provider }: Pick<ItemRow, 'provider'>) => findProvider(provider)?.name ?? provider

/** What only its client can go on with: nobody is mailed about what the agency or time must do. */
export const clientTasks = (items: readonly ItemRow[]): ItemRow[] =>
  items.filter((item) => {
    const status = itemStatus(stateOfItem(item))
    return status === 'pending' || status === 'failed' || (status === 'unfinished' && missingOf(item) !== 'verification')
  })

/** What is still to be done, and the link to do it. False: the client wants no mail, or there is no link to send. */
export async function mailRequest(parts: Parts, query: RunQuery, row: RequestRow, items: readonly ItemRow[], kind: Kind): Promise<boolean> {
  const link = urlOf(parts, row)
  if (!link) return false
  const waiting = clientTasks(items)
  const named = (...statuses: ConnectItemStatus[]) =>
    waiting.filter((item) => statuses.includes(itemStatus(stateOfItem(item)))).map(systemOf)
  return mail(parts, query, row, 'requestMail', (to) =>
    requestMail({
      ...to,
      kind,
      requester: row.requester,
      message: row.message,
      systems: named('pending', 'failed'),
      unfinished: named('unfinished'),
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
  receipts: readonly { provider: string; unfinished: boolean; link: string }[],
): Promise<boolean> =>
  mail(parts, query, row, 'confirmationMail', (to) =>
    confirmationMail({ ...to, receipts: receipts.map(({ provider, ...receipt }) => ({ system: systemOf({ provider }), ...receipt })) }),
  )

/** The verb that sends one counts it: each is as an invitation. */
async function mail(
  parts: Parts,
  query: RunQuery,
  row: RequestRow,
  kind: KindFor<'client'>,
  write: (to: ClientMail) => Mail,
): Promise<boolean> {
  const { organization_id: organizationId, client_email: email } = row
  const hash = await knownMailbox(parts, query, organizationId, email)
  if (!email || !hash) return false
  if (row.mailbox_hash?.equals(hash) === false)
    await query(sql`update connect_requests set mailbox_hash = ${hash} where organization_id = ${organizationId} and id = ${row.id}`)
  const stop = await openMailbox(parts, query, organizationId, email)
  if (!stop) return false
  const [organization] = await query<{ name: string }>(sql`select name from organizations where id = ${organizationId}`)
  const { publicUrl } = parts.config
  const to: ClientMail = {
    language: row.language,
    organization: organization!.name,
    clientName: row.client_name,
    stop: { page: `${publicUrl}/connect/stop/${stop}`, oneClick: `${publicUrl}/v1/connect/mails/${stop}/stop` },
  }
  const mailbox = hash.toString('base64url')
  // What asks for access is of use while the request is open, and only with the link that it has now.
  const asks = kind === 'requestMail' && { until: row.expires_at.toISOString() }
  const reader = {
    power: 'client',
    organizationId,
    requestId: row.id,
    mailbox,
    link: asks ? row.token_hash!.toString('base64url') : null,
  } as const
  const queued = { to: email, mail: write(to), reader, client: { organizationId, mailbox }, ...asks }
  await queueMail(parts, query, kind, queued, { organizationId })
  return true
}
