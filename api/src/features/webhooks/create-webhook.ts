import { randomUUID } from 'node:crypto'
import { quotas } from '@adjoin/contract'
import { headOf } from '../../audit/events.ts'
import { transact } from '../../audit/transact.ts'
import { type Handler, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { shownUrl } from '../../domain/webhook.ts'
import { refuse } from '../../refusal.ts'
import { lockOrganization } from '../organizations/lock.ts'
import { checkedUrl, checkedWorkspace } from './checked-input.ts'
import { entryOf, findWebhook, newSecret, sealUrl, toWebhook } from './webhook-row.ts'

/** Sends what comes from now on, its own creation first. */
export const createWebhook: Handler<'createWebhook'> = async (call) => {
  const { parts, organization, body } = call
  const url = await checkedUrl(call, body.url)
  return transact(call, async (query, record) => {
    await lockOrganization(query, organization.id)
    const [all] = await query<{ n: number }>(sql`select count(*)::int as n from webhooks where organization_id = ${organization.id}`)
    if (all!.n >= quotas.webhooks)
      refuse('quota_reached', { detail: `An organization can have at most ${quotas.webhooks} webhooks. Delete one first.` })
    const workspace = await checkedWorkspace(query, organization.id, body.workspaceSlug)
    const id = randomUUID()
    const { secret, sealed } = newSecret(parts, organization.id, id)
    const head = await headOf(query, organization.id)
    await query(sql`insert into webhooks (organization_id, id, url_sealed, url_shown, description, types, workspace_id, workspace_slug, secret_sealed,
        owner_id, position)
      values (${organization.id}, ${id}, ${sealUrl(parts, organization.id, id, url)}, ${shownUrl(url)}, ${body.description || null}, ${body.types},
        ${workspace?.id ?? null}, ${body.workspaceSlug}, ${sealed}, ${person(call).user.id}, ${head})`)
    const row = await findWebhook(query, organization.id, id)
    record('webhook.created', { ...entryOf(row), metadata: { url: row.url_shown, types: body.types, workspaceSlug: body.workspaceSlug } })
    call.headers.location = `/v1/organizations/${organization.slug}/webhooks/${id}`
    return { ...toWebhook(row), secret }
  })
}
