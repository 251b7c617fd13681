import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import type { Mail } from '../../mail/messages.ts'

/** The same mail to everyone who is an admin now, with a link to a page of the organization. */
export async function mailAdmins(
  { jobs, config }: Pick<Parts, 'jobs' | 'config'>,
  query: RunQuery,
  organization: { readonly id: string; readonly slug: string },
  page: 'members' | 'settings' | 'webhooks',
  write: (link: string) => Mail,
): Promise<void> {
  const mail = write(`${config.publicUrl}/organizations/${organization.slug}/${page}`)
  const admins = await query<{ email: string }>(sql`select u.email from members m join users u on u.id = m.user_id
    where m.organization_id = ${organization.id} and m.role = 'admin' order by u.email`)
  for (const { email } of admins) await jobs.enqueue(query, 'mail.send', { to: email, ...mail }, { organizationId: organization.id })
}
