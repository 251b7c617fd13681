import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import type { Mail } from '../../mail/messages.ts'
import type { KindFor } from '../mails/kinds.ts'
import { queueMail } from '../mails/queue-mail.ts'

/** Where its admins see to it. */
const pages: Record<KindFor<'admin'>, 'members' | 'settings' | 'webhooks'> = {
  frozenMail: 'settings',
  thawedMail: 'settings',
  joinsMail: 'members',
  autoJoinOffMail: 'members',
  webhookFailingMail: 'webhooks',
  webhookDisabledMail: 'webhooks',
}

/** The same mail to everyone who is an admin now, with a link to a page of the organization. */
export async function mailAdmins(
  parts: Pick<Parts, 'jobs' | 'config'>,
  query: RunQuery,
  organization: { readonly id: string; readonly slug: string },
  kind: KindFor<'admin'>,
  write: (link: string) => Mail,
): Promise<void> {
  const mail = write(`${parts.config.publicUrl}/organizations/${organization.slug}/${pages[kind]}`)
  const admins = await query<{ id: string; email: string }>(sql`select u.id, u.email from members m join users u on u.id = m.user_id
    where m.organization_id = ${organization.id} and m.role = 'admin' order by u.email`)
  for (const { id: userId, email } of admins) {
    const reader = { power: 'admin', organizationId: organization.id, userId } as const
    await queueMail(parts, query, kind, { to: email, mail, reader }, { organizationId: organization.id })
  }
}
