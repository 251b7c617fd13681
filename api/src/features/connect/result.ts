import type { Handler, Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { withOutcome } from '../../domain/integration.ts'
import { findProvider } from '../../providers/index.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { refuse } from '../../refusal.ts'
import { connectUrl, findIntegration, type IntegrationRow, linkToken } from '../integrations/integration-row.ts'

export type ConnectOutcome = 'connected' | 'failed' | 'canceled'

const BINDING = ['connect', 'result']
const HOUR_MS = 3_600_000

/** What the result page may show, sealed into its address: nobody can fake that somebody connected. */
export const sealResult = ({ vault }: Parts, row: IntegrationRow, outcome: ConnectOutcome, linkHash: string, now: Date): string =>
  vault.seal(JSON.stringify([row.organization_id, row.id, outcome, linkHash, now.getTime()]), BINDING)

export const getConnectResult: Handler<'getConnectResult'> = async ({ parts, params }) => {
  const [organizationId, id, outcome, linkHash, at] = openResult(parts, params.result)
  const row = (await findIntegration(parts.db.query, { organizationId, id })) ?? refuse('not_found')
  const [place] = await parts.db.query<{ organization: string; workspace: string; live: boolean }>(sql`
    select o.name as organization, w.name as workspace, to_timestamp(${(at + HOUR_MS) / 1000}) > now() as live
    from organizations o join workspaces w on w.organization_id = o.id where o.id = ${organizationId} and w.id = ${row.workspace_id}`)
  if (!place?.live) refuse('not_found')
  const failed = outcome !== 'connected'
  // Of this visit alone: a link or an account that came after it is none of this client's business.
  const token = failed && !row.link_expired && row.status !== 'disabled' ? linkToken(parts, row) : null
  const same = token !== null && parts.secrets.lookup('connect-link', token).toString('base64url') === linkHash
  const then = (moment: Date | null) => moment?.getTime() === at
  const [detail, reason] = then(row.status_checked_at)
    ? [row.status_detail, row.status_reason]
    : then(row.last_error_at)
      ? [row.last_error, row.last_error_reason]
      : [null, null]
  return {
    outcome,
    organization: { name: place.organization },
    workspace: { name: place.workspace },
    providerName: findProvider(row.provider)?.name ?? row.provider,
    connectedAccount: !failed && then(row.connected_at) ? row.connected_account : null,
    detail,
    reason,
    mustAct: whoMustAct(reason),
    connectUrl: same ? connectUrl(parts, token) : null,
    returnUrl: failed && row.return_url ? withOutcome(row.return_url, outcome, row.id) : null,
  }
}

function openResult({ vault }: Parts, sealed: string): [string, string, ConnectOutcome, string, number] {
  try {
    return JSON.parse(vault.open(sealed, BINDING))
  } catch {
    return refuse('not_found')
  }
}
