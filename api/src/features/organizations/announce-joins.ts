// Admins are told of everyone who joined without an invitation:
// at once of the first, then of all others in one mail an hour.
import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import type { JobHandlers, Jobs } from '../../jobs/queue.ts'
import { joinsMail } from '../../mail/messages.ts'
import { lockOrganization } from './lock.ts'
import { mailAdmins } from './mail-admins.ts'
import { type OrganizationRow, organizationColumns } from './organization-row.ts'

/**
 * Under the organization's lock, in the transaction of the join.
 * Nothing is enqueued while a mail waits for its hour.
 */
export async function announceJoin(jobs: Jobs, query: RunQuery, organizationId: string, userId: string): Promise<void> {
  await query(sql`insert into unannounced_joins (organization_id, user_id) values (${organizationId}, ${userId}) on conflict do nothing`)
  const [due] = await query<{ join_mail_at: Date }>(sql`update organizations
    set join_mail_at = greatest(now(), (join_mail_at at time zone 'utc' + interval '1 hour') at time zone 'utc')
    where id = ${organizationId} and (join_mail_at is null or join_mail_at <= now()) returning join_mail_at`)
  if (due) await jobs.enqueue(query, 'joins.mail', { organizationId }, { organizationId, at: due.join_mail_at })
}

/**
 * Each join is taken with its mail, in one transaction: told once.
 * Whoever has left again is told of too, since they were in.
 */
export const mailJoins =
  (parts: Parts): JobHandlers['joins.mail'] =>
  ({ organizationId }) =>
    parts.db.transaction(async (query) => {
      await lockOrganization(query, organizationId)
      const joined = await query<{ email: string }>(sql`with taken as (
          delete from unannounced_joins where organization_id = ${organizationId} returning user_id, joined_at)
        select u.email from taken join users u on u.id = taken.user_id order by taken.joined_at, u.email`)
      if (!joined.length) return
      const [organization] = await query<OrganizationRow>(
        sql`select ${organizationColumns} from organizations o where o.id = ${organizationId}`,
      )
      const { name, domain } = organization!
      const emails = joined.map(({ email }) => email)
      await mailAdmins(parts, query, organization!, 'joinsMail', (link) => joinsMail({ organization: name, domain: domain!, emails, link }))
    })
