import type { Parts } from '../../call.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import type { ConsentVisit } from './visit.ts'

export interface LinkRow {
  organization_id: string
  integration_id: string
  expires_at: Date
  expired: boolean
  /** Somebody has submitted something through it. */
  started: boolean
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

/**
 * Links `l`, live or expired, of integrations `i` that
 * are not disabled, in organizations that are not frozen.
 */
const links = (where: Fragment): Fragment => sql`
  select l.organization_id, l.integration_id, l.expires_at, l.expires_at <= now() as expired, l.started_at is not null as started, now() as now,
    o.name as organization_name, w.id as workspace_id, w.name as workspace_name, w.slug as workspace_slug
  from connect_links l
  join integrations i on i.organization_id = l.organization_id and i.id = l.integration_id and i.status <> 'disabled'
  join organizations o on o.id = l.organization_id and o.frozen_at is null
  join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id
  where ${where}`

/** Unknown, used, replaced and revoked ones cannot be told apart. */
export async function findLink(parts: Parts, token: string): Promise<LinkRow> {
  const [row] = await parts.db.query<LinkRow>(links(sql`l.token_hash = ${parts.secrets.lookup('connect-link', token)}`))
  return row ?? refuseLink()
}

/** For submissions: an expired link says so. */
export async function findLiveLink(parts: Parts, token: string): Promise<LinkRow> {
  const link = await findLink(parts, token)
  return link.expired ? refuse('link_expired') : link
}

/** The link that a visit to a consent screen began with, if it still is the live one. */
export async function linkOfVisit(parts: Parts, visit: ConsentVisit): Promise<LinkRow | undefined> {
  const { organizationId, integrationId, linkHash, provider } = visit
  const [row] = await parts.db.query<LinkRow>(
    links(sql`l.organization_id = ${organizationId} and l.integration_id = ${integrationId}
      and l.token_hash = ${Buffer.from(linkHash, 'base64url')} and l.expires_at > now() and i.provider = ${provider}`),
  )
  return row
}

/** Inside the transaction, with the integration's row held: is this very link still the live one? */
export async function isStillLive(
  query: RunQuery,
  link: Pick<LinkRow, 'organization_id' | 'integration_id'>,
  tokenHash: Buffer,
): Promise<boolean> {
  const [row] =
    await query(sql`select from connect_links where organization_id = ${link.organization_id} and integration_id = ${link.integration_id}
    and token_hash = ${tokenHash} and expires_at > now()`)
  return row !== undefined
}
