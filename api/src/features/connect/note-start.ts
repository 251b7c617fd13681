import { type Actor, transact } from '../../audit/transact.ts'
import type { Call } from '../../call.ts'
import { sql } from '../../db/sql.ts'
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
export async function noteStart(call: Pick<Call, 'parts' | 'origin'>, link: LinkRow, tokenHash: Buffer): Promise<void> {
  if (link.started) return
  await transact(auditContextOf(call, link), async (query, record) => {
    const row = await findIntegration(query, { organizationId: link.organization_id, id: link.integration_id }, 'lock')
    const [first] = await query(sql`update connect_links set started_at = now() where organization_id = ${link.organization_id}
      and integration_id = ${link.integration_id} and token_hash = ${tokenHash} and started_at is null returning integration_id`)
    if (row && first) record('connect_link.started', { actor: client, ...aboutIntegration(row) })
  })
}
