import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import type { JobContext, JobHandlers, JobPayloads, MailReader, MailReaders } from '../../jobs/queue.ts'
import type { Transport } from '../../mail/transport.ts'
import { isStopped } from '../connect-requests/client-mailbox.ts'
import { addNotice, type Responsibility, recipientsOf } from '../integrations/recipients.ts'
import { lacksSetting } from '../integrations/tell-owner.ts'
import { mayRead } from './may-read.ts'

type Payload = JobPayloads['mail.send']

/** Whether its reader may still see what it tells is asked now: the mail may have waited for hours. */
export const sendMail =
  (parts: Parts, transport: Transport): JobHandlers['mail.send'] =>
  async (payload, job) => {
    const { to, until, client, choosing, kind, reader, ...mail } = payload
    if (!reader && client && (await isStopped(parts, client))) return
    if (choosing && !(await lacksSetting(parts, choosing))) return
    if (until && new Date(until) <= job.now) parts.log.warn({ job: job.id }, 'email not sent: its link has expired')
    else if (!reader || (await mayRead(parts, reader))) await transport.deliver(to, mail, job.id)
    else {
      parts.log.info({ job: job.id, mail: kind }, 'email not sent: its reader can no longer see what it tells')
      await tellOthers(parts, payload, reader, job)
    }
  }

/** Those who look after it now hear of it instead. In one transaction with the end of this job, so that each hears once. */
async function tellOthers(parts: Parts, payload: Payload, reader: MailReader, { id, attempt }: JobContext): Promise<void> {
  if (reader.power !== 'notices' && reader.power !== 'workspace') return
  await parts.db.transaction(async (query) => {
    const [held] = await query(sql`delete from jobs where id = ${id} and attempts = ${attempt} returning id`)
    if (!held) return
    if (reader.power === 'workspace') await mailOthers(parts, query, payload, reader)
    // Back to where they were taken from: the next mail of the day asks of each whether its reader sees it.
    else for (const notice of reader.notices) await returnNotice(query, reader, notice)
  })
  parts.jobs.wake()
}

async function mailOthers({ jobs }: Parts, query: RunQuery, payload: Payload, reader: MailReaders['workspace']): Promise<void> {
  const { organizationId, of, id, alone, notice } = reader
  if (!alone) return
  const [row] = await query<Responsibility>(
    of === 'integration'
      ? sql`select organization_id, workspace_id, owner_id, created_by from integrations where organization_id = ${organizationId} and id = ${id}`
      : sql`select organization_id, workspace_id, null as owner_id, created_by from connect_requests
          where organization_id = ${organizationId} and id = ${id}`,
  )
  for (const person of row ? await recipientsOf(query, row) : []) {
    if (notice && person.notifications === 'off') continue
    if (notice && person.notifications === 'daily')
      await addNotice(query, organizationId, person.id, { integrationId: id, kind: notice, alone: person.alone })
    else {
      const another = {
        ...payload,
        to: person.email,
        reader: { ...reader, power: 'workspace' as const, userId: person.id, alone: person.alone },
      }
      await jobs.enqueue(query, 'mail.send', another, { organizationId })
    }
  }
}

/** The integration may be gone meanwhile, and then there is nothing to tell. */
const returnNotice = async (
  query: RunQuery,
  { organizationId, userId }: MailReaders['notices'],
  { integrationId, kind, alone, at }: MailReaders['notices']['notices'][number],
) =>
  query(sql`insert into notices (user_id, organization_id, integration_id, kind, alone, at)
    select ${userId}, organization_id, id, ${kind}, ${alone}, ${at}::timestamptz from integrations
    where organization_id = ${organizationId} and id = ${integrationId}`)
