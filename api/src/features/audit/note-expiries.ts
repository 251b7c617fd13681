// What ends by time alone is told of in the trail, each once: links that have ended, keys that are about to.
import { type EntryWorkspace, system, transact } from '../../audit/transact.ts'
import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { entryOf, type KeyRow, selectKeys } from '../api-keys/key-row.ts'
import { findIntegration } from '../integrations/integration-row.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'

const BATCH = 100
/** Days before its end that a key is told of. One that was made for a shorter time is not told of as long before. */
const KEY_DAYS = [14, 3, 1]
/** The same for what a client gave us access to. */
const ACCESS_DAYS = [14, 7, 3, 1]

export async function noteExpiries(parts: Parts): Promise<void> {
  for (const { due, note } of [
    { due: expiredLinks, note: noteLink },
    { due: expiringKeys, note: noteKey },
    { due: expiringAccess, note: noteAccess },
  ] as { due: (parts: Parts) => Promise<unknown[]>; note: (parts: Parts, one: unknown) => Promise<void> }[])
    for (let count = BATCH; count === BATCH; ) {
      const found = await due(parts)
      for (const one of found) await note(parts, one)
      count = found.length
    }
}

interface ExpiredLink extends EntryWorkspace {
  organization_id: string
  integration_id: string
}

const expiredLinks = ({ db }: Parts): Promise<ExpiredLink[]> =>
  db.query<ExpiredLink>(sql`select l.organization_id, l.integration_id, w.id, w.slug, w.name from connect_links l
    join integrations i on i.organization_id = l.organization_id and i.id = l.integration_id
    join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id
    where l.expired_noted_at is null and l.expires_at <= now() order by l.expires_at limit ${BATCH}`)

async function noteLink(parts: Parts, { organization_id, integration_id, id, slug, name }: ExpiredLink): Promise<void> {
  await transact({ parts, organization: { id: organization_id }, workspace: { id, slug, name }, via: 'job' }, async (query, record) => {
    const row = await findIntegration(query, { organizationId: organization_id, id: integration_id }, 'lock')
    const [noted] = await query<{ expires_at: Date }>(sql`update connect_links set expired_noted_at = now()
      where organization_id = ${organization_id} and integration_id = ${integration_id} and expired_noted_at is null and expires_at <= now()
      returning expires_at`)
    if (row && noted)
      record('connect_link.expired', {
        actor: system,
        ...aboutIntegration(row, { linkLives: false }),
        metadata: { expiresAt: noted.expires_at },
      })
  })
}

interface ExpiringKey {
  organization_id: string
  id: string
  days: number
}

const expiringKeys = ({ db }: Parts): Promise<ExpiringKey[]> =>
  db.query<ExpiringKey>(sql`select k.organization_id, k.id, t.days from api_keys k
    cross join lateral (select min(d) as days from unnest(${KEY_DAYS}::int[]) as d where k.expires_at <= now() + make_interval(days => d)) as t
    where k.expires_at > now() and k.expires_at <= now() + make_interval(days => ${KEY_DAYS[0]!})
      and k.revoked_at is null and k.disabled_at is null and k.replaced_by is null
      and k.created_at < k.expires_at - make_interval(days => t.days) and (k.expiring_noted is null or k.expiring_noted > t.days)
    order by k.expires_at limit ${BATCH}`)

async function noteKey(parts: Parts, { organization_id, id, days }: ExpiringKey): Promise<void> {
  await transact({ parts, organization: { id: organization_id }, via: 'job' }, async (query, record) => {
    const [noted] = await query(sql`update api_keys set expiring_noted = ${days} where organization_id = ${organization_id} and id = ${id}
      and revoked_at is null and (expiring_noted is null or expiring_noted > ${days}) returning id`)
    const [row] = await query<KeyRow>(sql`${selectKeys(organization_id, null)} and k.id = ${id}`)
    if (!row || !noted) return
    const { metadata, ...entry } = entryOf(row)
    record('api_key.expiring', { actor: system, ...entry, metadata: { ...metadata, days, expiresAt: row.expiresAt } })
  })
}

interface ExpiringAccess extends EntryWorkspace {
  organization_id: string
  integration_id: string
  days: number
}

const expiringAccess = ({ db }: Parts): Promise<ExpiringAccess[]> =>
  db.query<ExpiringAccess>(sql`select i.organization_id, i.id as integration_id, t.days, w.id, w.slug, w.name from integrations i
    join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id
    cross join lateral (select min(d) as days from unnest(${ACCESS_DAYS}::int[]) as d where i.grant_ends_at <= now() + make_interval(days => d)) as t
    where i.grant_ends_at > now() and i.grant_ends_at <= now() + make_interval(days => ${ACCESS_DAYS[0]!})
      and i.credential is not null and i.status in ('active', 'error')
      and i.connected_at < i.grant_ends_at - make_interval(days => t.days) and (i.expiring_noted is null or i.expiring_noted > t.days)
    order by i.grant_ends_at limit ${BATCH}`)

async function noteAccess(parts: Parts, { organization_id, integration_id, days, id, slug, name }: ExpiringAccess): Promise<void> {
  await transact({ parts, organization: { id: organization_id }, workspace: { id, slug, name }, via: 'job' }, async (query, record) => {
    const row = await findIntegration(query, { organizationId: organization_id, id: integration_id }, 'lock')
    const [noted] = await query<{ grant_ends_at: Date }>(sql`update integrations set expiring_noted = ${days}
      where organization_id = ${organization_id} and id = ${integration_id} and grant_ends_at <= now() + make_interval(days => ${days})
        and (expiring_noted is null or expiring_noted > ${days}) returning grant_ends_at`)
    if (row && noted)
      record('integration.expiring', { actor: system, ...aboutIntegration(row), metadata: { days, expiresAt: noted.grant_ends_at } })
  })
}
