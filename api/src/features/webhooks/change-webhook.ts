import { transact } from '../../audit/transact.ts'
import { type Handler, person } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { shownUrl } from '../../domain/webhook.ts'
import { lockOrganization } from '../organizations/lock.ts'
import { checkedUrl, checkedWorkspace } from './checked-input.ts'
import { fresh } from './start-over.ts'
import { entryOf, findWebhook, newSecret, sealUrl, toWebhook, type WebhookRow } from './webhook-row.ts'

const isWebhook = (row: Pick<WebhookRow, 'organization_id' | 'id'>) => sql`organization_id = ${row.organization_id} and id = ${row.id}`

/** The person who decides where events go, or what signs them, is the owner from then on: the webhook ends with their power. */
function handedOver(call: Parameters<typeof person>[0], row: WebhookRow) {
  const { user } = person(call)
  const changes = user.id === row.owner_id ? [] : [{ field: 'owner', from: row.owner_email, to: user.email }]
  return { owner: sql`owner_id = ${user.id}`, changes }
}

export const updateWebhook: Handler<'updateWebhook'> = async (call) => {
  const { parts, organization, params, body } = call
  await findWebhook(parts.db.query, organization.id, params.id)
  const url = body.url === undefined ? undefined : await checkedUrl(call, body.url)
  return transact(call, async (query, record) => {
    const row = await findWebhook(query, organization.id, params.id, 'lock')
    const workspaceSlug = body.workspaceSlug === undefined ? row.workspace_slug : body.workspaceSlug
    const moved = workspaceSlug !== row.workspace_slug
    const workspaceId = moved ? ((await checkedWorkspace(query, organization.id, workspaceSlug))?.id ?? null) : row.workspace_id
    const after = {
      url: url ? shownUrl(url) : row.url_shown,
      description: body.description === undefined ? row.description : body.description || null,
      types: body.types ?? row.types,
      workspaceSlug,
    }
    const before = { url: row.url_shown, description: row.description, types: row.types, workspaceSlug: row.workspace_slug }
    const changes = (Object.keys(after) as (keyof typeof after)[])
      .filter((field) => (field === 'url' && url) || JSON.stringify(after[field]) !== JSON.stringify(before[field]))
      .map((field) => ({ field, from: before[field], to: after[field] }))
    if (!changes.length) return toWebhook(row)
    const sealed = url ? sealUrl(parts, organization.id, row.id, url) : row.url_sealed
    const hands = url && handedOver(call, row)
    await query(sql`update webhooks set url_sealed = ${sealed}, url_shown = ${after.url}, description = ${after.description}, types = ${after.types},
        workspace_id = ${workspaceId}, workspace_slug = ${workspaceSlug} ${hands ? sql`, ${hands.owner}, ${fresh}` : sql``} where ${isWebhook(row)}`)
    const changed = await findWebhook(query, organization.id, row.id)
    record('webhook.updated', { ...entryOf(changed), changes: [...changes, ...(hands?.changes ?? [])] })
    return toWebhook(changed)
  })
}

export const deleteWebhook: Handler<'deleteWebhook'> = (call) =>
  transact(call, async (query, record) => {
    const row = await findWebhook(query, call.organization.id, call.params.id, 'lock')
    await query(sql`delete from webhooks where ${isWebhook(row)}`)
    record('webhook.deleted', entryOf(row))
    return undefined
  })

/** The old secret signs as well for a day: time to bring the new one to where deliveries are verified. */
export const rotateWebhookSecret: Handler<'rotateWebhookSecret'> = (call) =>
  transact(call, async (query, record) => {
    const row = await findWebhook(query, call.organization.id, call.params.id, 'lock')
    const { secret, sealed } = newSecret(call.parts, row.organization_id, row.id)
    const { owner, changes } = handedOver(call, row)
    await query(sql`update webhooks set secret_sealed = ${sealed}, old_secret_sealed = secret_sealed,
        old_secret_until = now() + interval '24 hours', ${owner} where ${isWebhook(row)}`)
    record('webhook.secret_rotated', { ...entryOf(row), changes })
    return { ...toWebhook(await findWebhook(query, row.organization_id, row.id)), secret }
  })

/** Takes up where it stopped. Enabled again: the same answer, and nothing to record. */
export const enableWebhook: Handler<'enableWebhook'> = (call) =>
  transact(call, async (query, record) => {
    const { organization, params } = call
    await lockOrganization(query, organization.id)
    const row = await findWebhook(query, organization.id, params.id, 'lock')
    if (row.status === 'active') return toWebhook(row)
    const { owner, changes } = handedOver(call, row)
    await query(sql`update webhooks set status = 'active', status_detail = null, ${owner}, ${fresh} where ${isWebhook(row)}`)
    record('webhook.enabled', { ...entryOf(row), changes: [{ field: 'status', from: row.status, to: 'active' }, ...changes] })
    return toWebhook(await findWebhook(query, organization.id, row.id))
  })

export const disableWebhook: Handler<'disableWebhook'> = (call) =>
  transact(call, async (query, record) => {
    const row = await findWebhook(query, call.organization.id, call.params.id, 'lock')
    if (row.status === 'disabled') return toWebhook(row)
    await query(sql`update webhooks set status = 'disabled', status_detail = null where ${isWebhook(row)}`)
    record('webhook.disabled', { ...entryOf(row), changes: [{ field: 'status', from: row.status, to: 'disabled' }] })
    return toWebhook(await findWebhook(query, call.organization.id, row.id))
  })
