import type { OperationId } from '@adjoin/contract'
import { type EntryWorkspace, system, transact } from '../../audit/transact.ts'
import type { LimitSubject, Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { CLOSING, nextMail, REMINDERS } from '../../domain/connect-request.ts'
import { Refusal } from '../../refusal.ts'
import { confirm } from './close-items.ts'
import { clientTasks, mailRequest } from './mail-client.ts'
import { aboutRequest, itemsOf, lockRequest, type RequestRow, requestRows, statusOf } from './request-row.ts'

const BATCH = 100

interface Due extends EntryWorkspace {
  organization_id: string
  request_id: string
}

/** Those whose reminder is due. While an organization is frozen its links do not work, so nobody is sent to one. */
const dueReminders = ({ db }: Parts): Promise<Due[]> =>
  db.query<Due>(sql`select r.organization_id, r.id as request_id, w.id, w.slug, w.name from connect_requests r
    join workspaces w on w.organization_id = r.organization_id and w.id = r.workspace_id
    join organizations o on o.id = r.organization_id and o.frozen_at is null
    where r.remind_at <= now() order by r.remind_at limit ${BATCH}`)

export async function remindClients(parts: Parts): Promise<void> {
  for (let count = BATCH; count === BATCH; ) {
    const due = await dueReminders(parts)
    for (const one of due) await remind(parts, one).catch((error) => postpone(parts, one, error))
    count = due.length
  }
}

/** With its entry, in one transaction: told once, whatever dies. */
async function remind(parts: Parts, { organization_id, request_id, id, slug, name }: Due): Promise<void> {
  await transact({ parts, organization: { id: organization_id }, workspace: { id, slug, name }, via: 'job' }, async (query, record) => {
    await lockRequest(query, organization_id, request_id)
    const [row] = await query<RequestRow>(
      requestRows(sql`r.organization_id = ${organization_id} and r.id = ${request_id} and r.remind_at <= now()`),
    )
    if (!row?.remind_from || row.remind_step === null) return
    const next = nextMail(row.remind_step, row.remind_from, row.expires_at)
    await query(sql`update connect_requests set remind_step = ${next?.step ?? null}, remind_at = ${next?.at ?? null}::timestamptz
      where organization_id = ${organization_id} and id = ${request_id}`)
    if (row.remind_step === CLOSING) {
      const status = statusOf(row, await itemsOf(query, organization_id, [request_id]))
      if (status === 'expired') await confirm(parts, query, row)
      return
    }
    const last = row.remind_step === REMINDERS
    const subject = { ip: '', at: { organization: { id: organization_id } } }
    if (row.reminders && (await mailReminder(parts, query, row, { last, counted: ['sendConnectRequest', subject] })))
      record('connect_request.sent', { actor: system, ...aboutRequest(row), metadata: { reminder: row.remind_step } })
  })
}

/** Only of what is still open. Counted as an invitation by the organization and the mailbox. */
export async function mailReminder(
  parts: Parts,
  query: RunQuery,
  row: RequestRow,
  { last, counted: [id, subject] }: { last: boolean; counted: [OperationId, LimitSubject] },
): Promise<boolean> {
  const items = await itemsOf(query, row.organization_id, [row.id])
  if (!['open', 'partial'].includes(statusOf(row, items)) || !row.client_email || row.mails_stopped || !clientTasks(items).length)
    return false
  await parts.limitDone(query, id, { ...subject, body: { email: row.client_email } })
  return mailRequest(parts, query, row, items, last ? 'lastReminder' : 'reminder')
}

/** Past a limit: later, when there is room again. */
async function postpone({ db, log }: Parts, { organization_id, request_id }: Due, error: unknown): Promise<void> {
  if (!(error instanceof Refusal)) log.error({ err: error, request: request_id }, 'a reminder could not be sent; trying again in an hour')
  await db.query(sql`update connect_requests set remind_at = now() + interval '1 hour'
    where organization_id = ${organization_id} and id = ${request_id} and remind_at is not null`)
}
