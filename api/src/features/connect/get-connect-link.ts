import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { findProvider } from '../../providers/index.ts'
import { requesterOf } from '../connect-requests/requester.ts'
import { findIntegration } from '../integrations/integration-row.ts'
import { describeProvider } from '../integrations/provider-description.ts'
import { findLink, refuseLink } from './find-link.ts'

/** Who asks, for what, and what will be possible. It consumes nothing and names no other tenant. */
export const getConnectLink: Handler<'getConnectLink'> = async ({ parts, params }) => {
  const link = await findLink(parts, params.token)
  const row = (await findIntegration(parts.db.query, { organizationId: link.organization_id, id: link.integration_id })) ?? refuseLink()
  const provider = findProvider(row.provider) ?? refuseLink()
  const [requester] = await parts.db.query<{ name: string | null }>(sql`select ${requesterOf(sql`i`)} as name from integrations i
    where i.organization_id = ${row.organization_id} and i.id = ${row.id}`)
  return {
    state: link.expired ? 'expired' : 'ready',
    organization: { name: link.organization_name },
    workspace: { name: link.workspace_name },
    requester: requester?.name ? { name: requester.name } : null,
    name: row.name,
    provider: describeProvider(parts, provider),
    expectedAccount: row.expected_account,
    callPolicy: { mode: row.call_mode, accounts: row.call_accounts },
    accessUntil: link.access_until,
    language: link.language,
    expiresAt: link.expires_at,
  }
}
