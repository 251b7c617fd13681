import { system, transact } from '../../audit/transact.ts'
import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { isPublicMailbox } from '../../domain/mailbox-domain.ts'
import { autoJoinOffMail } from '../../mail/messages.ts'
import { lockOrganization } from './lock.ts'
import { mailAdmins } from './mail-admins.ts'
import { type OrganizationRow, organizationColumns } from './organization-row.ts'

const FIRST = '00000000-0000-0000-0000-000000000000'

/**
 * The lists grow: where an organization's domain turns out to give mailboxes to anyone,
 * its people no longer join. Members stay, admins are mailed once. Done after an upgrade and once a day;
 * provisioning asks the lists by itself, so that nobody slips in before.
 */
export async function closePublicDomains(parts: Parts, batch = 1000): Promise<void> {
  for (let after: string | undefined = FIRST; after; ) {
    const rows: { id: string; domain: string }[] = await parts.db.query(sql`select id, domain from organizations
      where domain is not null and auto_join and id > ${after} order by id limit ${batch}`)
    for (const { id, domain } of rows) if (isPublicMailbox(domain)) await turnOffAutoJoin(parts, id)
    after = rows.length === batch ? rows.at(-1)!.id : undefined
  }
}

const turnOffAutoJoin = (parts: Parts, id: string): Promise<void> =>
  transact({ parts, organization: { id } }, async (query, record) => {
    await lockOrganization(query, id)
    const [row] = await query<OrganizationRow>(sql`update organizations o set auto_join = false, updated_at = now()
      where o.id = ${id} and o.auto_join returning ${organizationColumns}`)
    if (!row) return
    const { name, domain } = row
    record('organization.updated', {
      actor: system,
      target: { type: 'organization', id, name },
      changes: [{ field: 'autoJoin', from: true, to: false }],
      metadata: { reason: 'public_mailbox', domain },
    })
    await mailAdmins(parts, query, row, 'autoJoinOffMail', (link) => autoJoinOffMail({ organization: name, domain: domain!, link }))
  })
