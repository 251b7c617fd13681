import { randomUUID } from 'node:crypto'
import { type Body, quotas } from '@adjoin/contract'
import { type Recorder, transact } from '../../audit/transact.ts'
import type { Call, Handler } from '../../call.ts'
import { enterInDirectory } from '../../db/directory.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { acceptableAccessUntil } from '../../domain/connect-request.ts'
import { findProvider } from '../../providers/index.ts'
import { refuse, refuseField } from '../../refusal.ts'
import { newToken } from '../../vault/tokens.ts'
import { policyFor } from '../gateway/call-policy.ts'
import { checkedReturnUrl, checkedSettings } from '../integrations/checked-input.ts'
import { refuseUnconnectable } from '../integrations/connectable.ts'
import { findIntegration, ownColumns, type VisibleRow } from '../integrations/integration-row.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'
import { refuseBeyondQuota } from '../organizations/quota.ts'
import { knownMailbox } from './client-mailbox.ts'
import { aboutRequest, readRequest, requestBinding } from './request-row.ts'

type CreateCall = Call<'createConnectRequest'>
type Item = Body<'createConnectRequest'>['items'][number]

export const createConnectRequest: Handler<'createConnectRequest'> = (call) =>
  transact(call, async (query, record) => {
    const { parts, organization, workspace, body, caller } = call
    const returnUrl = body.returnUrl === undefined ? null : checkedReturnUrl(call, body.returnUrl)
    const drafts = body.items.map((item, at) => checkedItem(call, item, `items.${at}`))
    const again = drafts.flatMap(({ item }) => item.integrationId ?? [])
    if (new Set(again).size < again.length) refuseField('items', 'names an integration twice')
    // The workspace's row is held: at the quotas' edges exactly as many get in as there is room.
    const [there] = await query(sql`select from workspaces where organization_id = ${organization.id} and id = ${workspace.id} for update`)
    if (!there) return refuse('not_found') // deleted since the request was let in
    await refuseBeyondQuotas(query, call, drafts.length - again.length)

    const id = randomUUID()
    const token = newToken()
    const hash = parts.secrets.lookup('connect-request', token)
    const mailbox = await knownMailbox(parts, query, organization.id, body.clientEmail)
    await enterInDirectory(parts.db, query, organization.id, hash)
    await query(sql`insert into connect_requests (organization_id, id, workspace_id, title, message, language, client_email, client_name,
        mailbox_hash, return_url, reminders, token_hash, token_sealed, expires_at, created_by)
      values (${organization.id}, ${id}, ${workspace.id}, ${body.title}, ${body.message || null}, ${body.language ?? null},
        ${body.clientEmail ?? null}, ${body.clientName ?? null}, ${mailbox}, ${returnUrl},
        ${body.reminders}, ${hash}, ${parts.vault.seal(token, requestBinding(organization.id, id))},
        now() + make_interval(days => ${body.expiresInDays}), ${caller.user.id})`)
    record('connect_request.created', {
      ...aboutRequest({ id, title: body.title }),
      metadata: { expiresInDays: body.expiresInDays, items: drafts.length },
    })
    const integrationIds = await takeIntegrations(query, record, call, drafts)
    await query(sql`insert into connect_items (organization_id, id, request_id, integration_id, position, optional, access_until)
      select ${organization.id}, gen_random_uuid(), ${id}, u.integration, u.position, u.optional, u.until
      from unnest(${integrationIds}::uuid[], ${drafts.map(({ item }) => item.optional)}::boolean[],
        ${drafts.map(({ item }) => item.accessUntil ?? null)}::date[]) with ordinality as u (integration, optional, until, position)`)
    call.headers.location = `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/connect-requests/${id}`
    return readRequest({ ...call, params: { requestId: id } }, query)
  })

async function refuseBeyondQuotas(query: RunQuery, { organization, workspace }: CreateCall, added: number): Promise<void> {
  const [count] = await query<{ open: number; integrations: number }>(sql`select
    (select count(*)::int from connect_requests where organization_id = ${organization.id} and workspace_id = ${workspace.id}
      and canceled_at is null and completed_at is null and expires_at > now()) as open,
    (select count(*)::int from integrations where organization_id = ${organization.id} and workspace_id = ${workspace.id}) as integrations`)
  if (count!.open >= quotas.openConnectRequests)
    refuse('quota_reached', { detail: `A workspace can have at most ${quotas.openConnectRequests} open connect requests. Cancel one.` })
  if (added) refuseBeyondQuota('integrations', count!.integrations + added, workspace.role === 'admin')
}

interface Draft {
  readonly item: Item
  /** What a new integration begins with. */
  readonly fresh?: {
    readonly provider: string
    readonly name: string
    readonly settings: object
    readonly policy: ReturnType<typeof policyFor>
  }
}

function checkedItem({ parts, now, workspace }: CreateCall, item: Item, path: string): Draft {
  if (item.accessUntil && !acceptableAccessUntil(item.accessUntil, now))
    refuseField(`${path}.accessUntil`, 'must be after today and at most 2 years from now')
  if (item.provider === undefined) return { item }
  const provider = findProvider(item.provider) ?? refuseField(`${path}.provider`, 'is not a supported ad system')
  const settings = checkedSettings(provider, item.settings ?? {}, `${path}.settings.`)
  refuseUnconnectable(parts, provider.id)
  return {
    item,
    fresh: {
      provider: provider.id,
      name: item.name ?? provider.name,
      settings,
      policy: policyFor(workspace.role, provider.id, item.callPolicy),
    },
  }
}

/** In the order of the items: those that exist are held, the others made. Each is part of one open request. */
async function takeIntegrations(query: RunQuery, record: Recorder, call: CreateCall, drafts: readonly Draft[]): Promise<string[]> {
  const { parts, organization, workspace, body, caller } = call
  const until = sql`now() + make_interval(days => ${body.expiresInDays})`
  // In one order over all requests: two that name the same ones never wait for each other in a circle.
  for (const id of drafts.flatMap(({ item }) => item.integrationId ?? []).sort()) {
    const row = await findIntegration(query, { organizationId: organization.id, workspaceId: workspace.id, id }, 'lock')
    if (!row) refuseField(`items.${drafts.findIndex(({ item }) => item.integrationId === id)}.integrationId`, 'is not in this workspace')
    else if (row.status === 'disabled') refuse('integration_disabled')
    else refuseUnconnectable(parts, row.provider)
    const [free] =
      await query(sql`update integrations set requested_until = ${until} where organization_id = ${organization.id} and id = ${id}
      and (requested_until is null or requested_until <= now()) returning id`)
    if (!free) refuse('request_open')
  }
  const ids: string[] = []
  for (const { item, fresh } of drafts) {
    const id = item.integrationId ?? randomUUID()
    ids.push(id)
    if (!fresh) continue
    const { provider, name, settings, policy } = fresh
    const [row] = await query<VisibleRow>(sql`insert into integrations as i (organization_id, id, workspace_id, provider, name, settings,
        expected_account, call_mode, call_accounts, access_until, requested_until, created_by)
      values (${organization.id}, ${id}, ${workspace.id}, ${provider}, ${name}, ${JSON.stringify(settings)}, ${item.expectedAccount ?? null},
        ${policy.mode}, ${policy.accounts}, ${item.accessUntil ?? null}::date, ${until}, ${caller.user.id})
      returning ${ownColumns}, true as requested, null as created_by_email, null as owner_name, null as link_sealed, null as link_expires_at,
        null as link_expired`)
    record('integration.created', {
      ...aboutIntegration({ ...row!, access_until: item.accessUntil ?? null }),
      metadata: { provider, callPolicy: policy },
    })
  }
  return ids
}
