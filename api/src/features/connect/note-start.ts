import { type Actor, transact } from '../../audit/transact.ts'
import type { Call } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { findIntegration } from '../integrations/integration-row.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'
import type { LinkRow } from './find-link.ts'

/** Nobody we know by name: whoever held the link. */
export const client: Actor = { type: 'client', id: null, email: null, name: 'Connect link', keyPrefix: null }

export const auditContextOf = (call: Pick<Call, 'parts' | 'origin'>, link: LinkRow) => ({
  ...call,
  organization: { id: link.organization_id },
  workspace: { id: link.workspace_id, slug: link.workspace_slug, name: link.workspace_name },
  via: 'connect' as const,
})

/** The first time that somebody submits something through a link. Looking at it is not told of: previews and scanners look, too. */
export async function noteStart(call: Pick<Call, 'parts' | 'origin'>, link: LinkRow): Promise<void> {
  if (link.started) return
  await transact(auditContextOf(call, link), async (query, record) => {
    const row = await findIntegration(query, { organizationId: link.organization_id, id: link.integration_id }, 'lock')
    if (row && (await isFirst(query, link))) record('connect_link.started', { actor: client, ...aboutIntegration(row) })
  })
}

async function isFirst(query: RunQuery, { way, hash, organization_id, integration_id, request_id, item_id }: LinkRow): Promise<boolean> {
  const first =
    way === 'link'
      ? await query(sql`update connect_links set started_at = now() where organization_id = ${organization_id}
          and integration_id = ${integration_id} and token_hash = ${hash} and started_at is null returning integration_id`)
      : await query(sql`update connect_items set started_at = now() where organization_id = ${organization_id} and id = ${item_id}
          and started_at is null returning id`)
  if (first.length && request_id)
    await query(sql`update connect_requests set started_at = now() where organization_id = ${organization_id} and id = ${request_id}
      and started_at is null`)
  return first.length > 0
}
