import type { Language } from '@adjoin/contract'
import type { Parts } from '../../call.ts'
import { organizationOf } from '../../db/directory.ts'
import { exactly } from '../../db/exactly.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { mayReconnect, type SetupRow, setupColumns } from '../connect-requests/unfinished.ts'
import type { ConsentVisit, Way } from './visit.ts'

export interface LinkRow {
  way: Way
  /** Of the token that was shown: the link's, the request's or the passed-on item's. */
  hash: Buffer
  organization_id: string
  integration_id: string
  /** Of an item. */
  request_id: string | null
  item_id: string | null
  expires_at: Date
  expired: boolean
  /** Somebody has submitted something through it. */
  started: boolean
  language: Language | null
  /** What the client agrees to by connecting. */
  access_until: string | null
  /** Of an unfinished item that may be connected again: when it was connected last, to the microsecond. */
  reconnects?: string | null
  now: Date
  organization_name: string
  workspace_id: string
  workspace_name: string
  workspace_slug: string
}

/** The one answer for unknown, used, replaced and revoked links. */
export const refuseLink = (): never =>
  refuse('not_found', {
    detail: 'This connect link is not valid. It may have been used, replaced or canceled. Ask the person who sent it for a new one.',
  })

/** An integration `i` that is not disabled, in an organization that is not frozen; the day on which access ends, unless that is over. */
const withPlace = sql`join integrations i on i.organization_id = l.organization_id and i.id = l.integration_id and i.status <> 'disabled'
  join organizations o on o.id = l.organization_id and o.frozen_at is null
  join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id`
const placeColumns = sql`now() as now, o.name as organization_name, w.id as workspace_id, w.name as workspace_name, w.slug as workspace_slug`
const comingDay = sql`case when i.access_until > (now() at time zone 'utc')::date then i.access_until end`

/** Links `l`, live or expired. */
const links = (where: Fragment): Fragment => sql`
  select 'link' as way, l.token_hash as hash, l.organization_id, l.integration_id, null::uuid as request_id, null::uuid as item_id, l.expires_at,
    l.expires_at <= now() as expired, l.started_at is not null as started, null as language, (${comingDay})::text as access_until, ${placeColumns}
  from connect_links l ${withPlace} where ${where}`

/** Items `l` of requests `r` that are not canceled. One that is connected, or that was declined after it was passed on, has no link. */
const items = (way: Way, where: Fragment): Fragment => sql`
  select ${way} as way, ${way === 'item' ? sql`r.token_hash` : sql`l.token_hash`} as hash, l.organization_id, l.integration_id, l.request_id,
    l.id as item_id, r.expires_at, r.expires_at <= now() as expired, l.started_at is not null as started, r.language,
    coalesce(l.access_until, ${comingDay})::text as access_until, ${placeColumns}
  from connect_items l join connect_requests r on r.organization_id = l.organization_id and r.id = l.request_id and r.canceled_at is null
  ${withPlace} where ${where}`

const tokenHash = ({ secrets }: Pick<Parts, 'secrets'>, token: string) => secrets.lookup('connect-link', token)

/** Unknown, used, replaced and revoked ones cannot be told apart. */
export async function findLink(parts: Parts, token: string): Promise<LinkRow> {
  const hash = tokenHash(parts, token)
  const here = sql`l.organization_id = ${await organizationOf(parts.db, hash)} and l.token_hash = ${hash}`
  const [row] = await parts.db.query<LinkRow>(sql`${links(here)} union all ${items('passed_on', here)}`)
  return row ?? refuseLink()
}

/** For submissions: an expired link says so. */
export async function findLiveLink(parts: Parts, token: string): Promise<LinkRow> {
  const link = await findLink(parts, token)
  return link.expired ? refuse('link_expired') : link
}

export const requestHash = ({ secrets }: Pick<Parts, 'secrets'>, token: string): Buffer => secrets.lookup('connect-request', token)

interface ItemLink extends LinkRow, SetupRow {
  provider: string
  failed_reason: string | null
  connected: string | null
}

/** With how far its connection is: what is connected is closed, unless only giving access again helps. */
async function findItem(parts: Parts, way: 'item' | 'passed_on', where: Fragment): Promise<ItemLink | undefined> {
  const [row] = await parts.db.query<ItemLink>(sql`select f.*, i.provider, t.failed_reason, ${exactly(sql`t.connected_at`)} as connected,
      ${setupColumns} from (${items(way, where)}) f
    join connect_items t on t.organization_id = f.organization_id and t.id = f.item_id
    join integrations i on i.organization_id = f.organization_id and i.id = f.integration_id`)
  return row && { ...row, reconnects: mayReconnect(row) ? row.connected : null }
}

/** An item that can still be connected, by the link of its request. */
export async function findLiveItem(parts: Parts, { token, itemId }: { token: string; itemId: string }): Promise<LinkRow> {
  const hash = requestHash(parts, token)
  const organizationId = await organizationOf(parts.db, hash)
  const row = await findItem(parts, 'item', sql`l.organization_id = ${organizationId} and r.token_hash = ${hash} and l.id = ${itemId}`)
  if (!row) return refuseLink()
  if (row.connected && !row.reconnects) refuse('item_closed')
  return row.expired ? refuse('link_expired') : row
}

/** The link that a visit to a consent screen began with, if it still is the live one. */
export async function linkOfVisit(parts: Parts, visit: ConsentVisit): Promise<LinkRow | undefined> {
  const { organizationId, integrationId, linkHash, provider, way = 'link', itemId } = visit
  const hash = Buffer.from(linkHash, 'base64url')
  const here = sql`l.organization_id = ${organizationId} and l.integration_id = ${integrationId} and i.provider = ${provider}`
  if (way !== 'link')
    return findItem(
      parts,
      way,
      sql`${here} and l.id = ${itemId} and ${way === 'item' ? sql`r` : sql`l`}.token_hash = ${hash} and r.expires_at > now()`,
    )
  const [row] = await parts.db.query<LinkRow>(links(sql`${here} and l.token_hash = ${hash} and l.expires_at > now()`))
  return row
}

/** Inside the transaction, with the integration's row held: is this very way still open? */
export async function isStillLive(query: RunQuery, link: LinkRow): Promise<boolean> {
  const { organization_id, integration_id, item_id, hash, way, reconnects = null } = link
  const [row] = await query(
    way === 'link'
      ? sql`select from connect_links where organization_id = ${organization_id} and integration_id = ${integration_id}
          and token_hash = ${hash} and expires_at > now()`
      : sql`select from connect_items l join connect_requests r on r.organization_id = l.organization_id and r.id = l.request_id
          where l.organization_id = ${organization_id} and l.id = ${item_id} and r.canceled_at is null
            and (l.connected_at is null or ${exactly(sql`l.connected_at`)} = ${reconnects})
            and r.expires_at > now() and ${way === 'item' ? sql`r` : sql`l`}.token_hash = ${hash}`,
  )
  return row !== undefined
}
