import { system, transact } from '../../audit/transact.ts'
import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { webhookDisabledMail, webhookFailingMail } from '../../mail/messages.ts'
import { mailAdmins } from '../organizations/mail-admins.ts'
import { entryOf, findWebhook, type LeasedWebhook } from './webhook-row.ts'

type Where = Pick<LeasedWebhook, 'organization_id' | 'organization_slug' | 'id'>

const organizationOf = async (query: RunQuery, { organization_id: id, organization_slug: slug }: Where) => {
  const [row] = await query<{ name: string }>(sql`select name from organizations where id = ${id}`)
  return { id, slug, name: row!.name }
}

/** The admins hear of it; its owner is one of them, or was. */
export async function disableBySystem(parts: Parts, at: Where, why: string): Promise<void> {
  const { organization_id: organizationId, id } = at
  await transact({ parts, organization: { id: organizationId }, via: 'job' }, async (query, record) => {
    const [disabled] = await query(sql`update webhooks set status = 'disabled', status_detail = ${why}, leased_until = null
      where organization_id = ${organizationId} and id = ${id} and status <> 'disabled' returning id`)
    if (!disabled) return
    const row = await findWebhook(query, organizationId, id)
    record('webhook.disabled', { actor: system, ...entryOf(row), metadata: { reason: why } })
    const organization = await organizationOf(query, at)
    await mailAdmins(parts, query, organization, 'webhookDisabledMail', (link) =>
      webhookDisabledMail({ organization: organization.name, webhook: row.description || row.url_shown, why, link }),
    )
  })
}

/** After the first day without a success, once. */
export async function warnAdmins(parts: Parts, at: Where): Promise<void> {
  await parts.db.transaction(async (query) => {
    const row = await findWebhook(query, at.organization_id, at.id)
    const organization = await organizationOf(query, at)
    await mailAdmins(parts, query, organization, 'webhookFailingMail', (link) =>
      webhookFailingMail({
        organization: organization.name,
        webhook: row.description || row.url_shown,
        detail: row.status_detail ?? '',
        link,
      }),
    )
  })
  parts.jobs.wake()
}
