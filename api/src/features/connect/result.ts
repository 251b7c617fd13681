import type { Handler, Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { withOutcome } from '../../domain/integration.ts'
import { findProvider } from '../../providers/index.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { refuse } from '../../refusal.ts'
import { itemBinding } from '../connect-requests/request-row.ts'
import { connectUrl, findIntegration, type IntegrationRow, linkToken } from '../integrations/integration-row.ts'
import { openReceiptUrl, type SealedReceipt } from '../integrations/receipt-row.ts'
import { choiceOf } from './account-choice.ts'
import { othersOf, toOther } from './others.ts'

export type ConnectOutcome = 'connected' | 'failed' | 'canceled'

const BINDING = ['connect', 'result']
const HOUR_MS = 3_600_000

/** What the result page may show, sealed into its address: nobody can fake that somebody connected. */
export const sealResult = ({ vault }: Parts, row: IntegrationRow, outcome: ConnectOutcome, linkHash: string, now: Date): string =>
  vault.seal(JSON.stringify([row.organization_id, row.id, outcome, linkHash, now.getTime()]), BINDING)

export interface Visited {
  readonly row: IntegrationRow
  readonly outcome: ConnectOutcome
  readonly linkHash: string
  readonly place: { readonly organization: string; readonly workspace: string; readonly workspace_slug: string; readonly now: Date }
  /** Was it by this very visit? */
  readonly isThen: (moment: Date | null) => boolean
}

/** What a sealed result is about, for an hour. */
export async function readResult(parts: Parts, sealed: string): Promise<Visited> {
  const [organizationId, id, outcome, linkHash, at] = openResult(parts, sealed)
  const row = (await findIntegration(parts.db.query, { organizationId, id })) ?? refuse('not_found')
  const [place] = await parts.db.query<Visited['place'] & { live: boolean }>(sql`
    select o.name as organization, w.name as workspace, w.slug as workspace_slug, now() as now,
      to_timestamp(${(at + HOUR_MS) / 1000}) > now() as live
    from organizations o join workspaces w on w.organization_id = o.id where o.id = ${organizationId} and w.id = ${row.workspace_id}`)
  if (!place?.live) refuse('not_found')
  return { row, outcome, linkHash, place: place!, isThen: (moment) => moment?.getTime() === at }
}

/** A visit that has just given access: nobody else is shown what it reaches. */
export async function readConnected(parts: Parts, sealed: string): Promise<Visited> {
  const visited = await readResult(parts, sealed)
  return visited.outcome === 'connected' && visited.isThen(visited.row.connected_at) ? visited : refuse('not_found')
}

/** The link that the visit came by, while it works. An item of a request is tried again from the list. */
async function linkAgain(parts: Parts, { row, linkHash }: Visited): Promise<string | null> {
  if (row.status === 'disabled') return null
  const token = row.link_expired ? null : linkToken(parts, row)
  if (token !== null && parts.secrets.lookup('connect-link', token).toString('base64url') === linkHash) return connectUrl(parts, token)
  const [item] = await parts.db.query<{ id: string; token_sealed: string }>(sql`select t.id, t.token_sealed from connect_items t
    join connect_requests r on r.organization_id = t.organization_id and r.id = t.request_id and r.canceled_at is null and r.expires_at > now()
    where t.organization_id = ${row.organization_id} and t.integration_id = ${row.id} and t.token_hash = ${Buffer.from(linkHash, 'base64url')}`)
  return item ? connectUrl(parts, parts.vault.open(item.token_sealed, itemBinding(row.organization_id, item.id))) : null
}

/** Where the receipt of this very success is. */
async function receiptOf(parts: Parts, { row, isThen }: Visited): Promise<string | null> {
  const [receipt] = await parts.db.query<
    SealedReceipt & { connected_at: Date }
  >(sql`select organization_id, integration_id, token_sealed, connected_at
    from receipts where organization_id = ${row.organization_id} and integration_id = ${row.id} and ended_at is null`)
  return receipt && isThen(receipt.connected_at) ? openReceiptUrl(parts, receipt) : null
}

export const getConnectResult: Handler<'getConnectResult'> = async ({ parts, params }) => {
  const visited = await readResult(parts, params.result)
  const { row, outcome, place, isThen } = visited
  const failed = outcome !== 'connected'
  // Of this visit alone: a link or an account that came after it is none of this client's business.
  const [detail, reason] = isThen(row.status_checked_at)
    ? [row.status_detail, row.status_reason]
    : isThen(row.last_error_at)
      ? [row.last_error, row.last_error_reason]
      : [null, null]
  return {
    outcome,
    organization: { name: place.organization },
    workspace: { name: place.workspace },
    providerName: findProvider(row.provider)?.name ?? row.provider,
    connectedAccount: !failed && isThen(row.connected_at) ? row.connected_account : null,
    detail,
    reason,
    mustAct: whoMustAct(reason),
    connectUrl: failed ? await linkAgain(parts, visited) : null,
    returnUrl: row.return_url && withOutcome(row.return_url, outcome, row.id),
    receiptUrl: failed ? null : await receiptOf(parts, visited),
    choosesAccount: !failed && isThen(row.connected_at) && choiceOf(row) !== null,
    others: failed || !isThen(row.connected_at) ? [] : (await othersOf(parts, row)).map(toOther),
  }
}

function openResult({ vault }: Parts, sealed: string): [string, string, ConnectOutcome, string, number] {
  try {
    return JSON.parse(vault.open(sealed, BINDING))
  } catch {
    return refuse('not_found')
  }
}
