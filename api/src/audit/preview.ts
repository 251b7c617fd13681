// What a change would end. It is made as always, looked at, and rolled back: a preview cannot say anything else than what would happen.
import type { Impact } from '@adjoin/contract'
import { type RunQuery, sql } from '../db/sql.ts'
import { Previewed } from '../refusal.ts'

type Kind = Exclude<keyof Impact['wouldEnd'], 'providerAccess'>

interface LiveRow {
  kind: Kind
  id: string
  name: string
  used: Date | null
  /** Disabling an integration ends it as much as deleting it does, and a disabled one can still be deleted. */
  state: string
}

const live = (organizationId: string) => sql`
  select 'apiKeys' as kind, id, name, last_request_at as used, '' as state from api_keys
    where organization_id = ${organizationId} and revoked_at is null and (expires_at is null or expires_at > now())
  union all select 'integrations', i.id, i.name, null, case when i.status = 'disabled' then 'disabled' else '' end from integrations i
    where i.organization_id = ${organizationId}
  union all select 'connectLinks', i.id, i.name, null, '' from connect_links l
    join integrations i on i.organization_id = l.organization_id and i.id = l.integration_id
    where l.organization_id = ${organizationId} and l.expires_at > now() and i.status <> 'disabled'
  union all select 'connectLinks', i.id, i.name, null, '' from integrations i
    where i.organization_id = ${organizationId} and i.requested_until > now() and i.status <> 'disabled'
      and not exists (select 1 from connect_links l where l.organization_id = ${organizationId} and l.integration_id = i.id and l.expires_at > now())
  union all select 'invitations', id, email, null, '' from invitations
    where organization_id = ${organizationId} and status = 'pending' and expires_at > now()
  union all select 'webhooks', h.id, coalesce(h.description, h.url_shown), h.last_success_at, '' from webhooks h
    join members m on m.organization_id = h.organization_id and m.user_id = h.owner_id and m.role = 'admin'
    where h.organization_id = ${organizationId} and h.status <> 'disabled' and (h.workspace_id is null
      or exists (select 1 from workspaces w where w.organization_id = ${organizationId} and w.id = h.workspace_id))
  order by 1, 3, 2`

const lastCalls = (organizationId: string, ids: readonly string[]) => sql`select integration_id as id, max(hour) as used from call_usage
  where organization_id = ${organizationId} and integration_id = any(${ids}::uuid[]) group by integration_id`

/** Access to be ended at ad systems, by the id of the integration that it is of. */
const revocations = (organizationId: string) => sql`select id from revocations where organization_id = ${organizationId}`

/** Within a transaction, which it ends by throwing. */
export async function preview(query: RunQuery, organizationId: string, work: () => Promise<unknown>): Promise<never> {
  const before = await query<LiveRow>(live(organizationId))
  const used = await query<{ id: string; used: Date }>(
    lastCalls(
      organizationId,
      before.flatMap(({ kind, id }) => (kind === 'integrations' ? [id] : [])),
    ),
  )
  const waiting = new Set((await query<{ id: string }>(revocations(organizationId))).map(({ id }) => id))
  const lastCall = new Map(used.map((row) => [row.id, row.used]))
  await work()
  const after = new Set((await query<LiveRow>(live(organizationId))).map(keyOf))
  const queued = new Set((await query<{ id: string }>(revocations(organizationId))).map(({ id }) => id).filter((id) => !waiting.has(id)))
  const endings = (kind: Kind, ends: (row: LiveRow) => boolean) =>
    before
      .filter((row) => row.kind === kind && ends(row))
      .map(({ id, name, used }) => ({ id, name, lastUsedAt: used ?? (kind === 'integrations' ? (lastCall.get(id) ?? null) : null) }))
  const ended = (kind: Kind) => endings(kind, (row) => !after.has(keyOf(row)))
  throw new Previewed({
    wouldEnd: {
      apiKeys: ended('apiKeys'),
      integrations: ended('integrations'),
      connectLinks: ended('connectLinks'),
      invitations: ended('invitations'),
      webhooks: ended('webhooks'),
      providerAccess: endings('integrations', ({ id }) => queued.has(id)),
    },
  })
}

const keyOf = ({ kind, id, state }: LiveRow) => `${kind}|${id}|${state}`
