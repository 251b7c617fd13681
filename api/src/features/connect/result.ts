import type { Handler, Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { withOutcome } from '../../domain/integration.ts'
import { findProvider, shownFields } from '../../providers/index.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { refuse } from '../../refusal.ts'
import { itemBinding } from '../connect-requests/request-row.ts'
import { missingOf, neededSettings, setupOf } from '../connect-requests/unfinished.ts'
import { connectUrl, findIntegration, type IntegrationRow, linkToken } from '../integrations/integration-row.ts'
import { openReceiptUrl, type SealedReceipt } from '../integrations/receipt-row.ts'
import { choiceOf } from './account-choice.ts'
import type { LinkRow } from './find-link.ts'
import { othersOf, toOther } from './others.ts'
import { oneTime } from './visit.ts'

export type ConnectOutcome = 'connected' | 'failed' | 'canceled'
/** `unfinished`: not of a visit, but read from the list of a request, where its client goes on with what is missing. */
type SealedOutcome = ConnectOutcome | 'unfinished'

const BINDING = ['connect', 'result']
const HOUR_MS = 3_600_000

/** Of an item, by the list of its request or by a link that was passed on from it. */
interface InRequest {
  readonly requestId: string
  readonly passedOn: boolean
  /** After a proven consent: what the way back to the agency is handed out for, once. */
  readonly once: string | null
}

/** What the result page may show, sealed into its address: nobody can fake that somebody connected. */
export const sealResult = (
  { vault }: Pick<Parts, 'vault'>,
  row: Pick<IntegrationRow, 'organization_id' | 'id'>,
  { outcome, linkHash, at, request = null, read = at }: SealedParts,
): string =>
  vault.seal(
    JSON.stringify([
      row.organization_id,
      row.id,
      outcome,
      linkHash,
      at.getTime(),
      request?.requestId,
      request?.once,
      read.getTime(),
      request?.passedOn,
    ]),
    BINDING,
  )

interface SealedParts {
  readonly outcome: SealedOutcome
  readonly linkHash: string
  /** Of the visit, which is also when it was connected. */
  readonly at: Date
  readonly request?: InRequest | null
  /** When it was given out: its hour begins then. */
  readonly read?: Date
}

/** The result of a visit, for the page that its client comes back to. */
export async function resultOf(
  parts: Parts,
  row: IntegrationRow,
  { way, request_id, hash, now }: LinkRow,
  { outcome, consented }: { outcome: ConnectOutcome; consented: boolean },
): Promise<string> {
  const passedOn = way === 'passed_on'
  // What was connected stays so: without the way back, its client closes the page.
  const without = (error: unknown) => {
    parts.log.warn({ err: error, integration: row.id }, 'connected, but its client is not offered the way back to the agency')
    return null
  }
  const once = way === 'item' && consented ? await oneTime(parts, HOUR_MS / 60_000).catch(without) : null
  const request = request_id ? { requestId: request_id, passedOn, once } : null
  return sealResult(parts, row, { outcome, linkHash: hash.toString('base64url'), at: now, request })
}

export interface Visited {
  readonly request: InRequest | null
  readonly row: IntegrationRow
  readonly outcome: SealedOutcome
  readonly linkHash: string
  readonly place: { readonly organization: string; readonly workspace: string; readonly workspace_slug: string; readonly now: Date }
  /** Was it by this very visit? */
  readonly isThen: (moment: Date | null) => boolean
}

/** What a sealed result is about, for an hour. */
export async function readResult(parts: Parts, sealed: string): Promise<Visited> {
  const [organizationId, id, outcome, linkHash, at, requestId, once = null, read = at, passedOn = false] = openResult(parts, sealed)
  const row = (await findIntegration(parts.db.query, { organizationId, id })) ?? refuse('not_found')
  const [place] = await parts.db.query<Visited['place'] & { live: boolean }>(sql`
    select o.name as organization, w.name as workspace, w.slug as workspace_slug, now() as now,
      to_timestamp(${(read + HOUR_MS) / 1000}) > now() as live
    from organizations o join workspaces w on w.organization_id = o.id where o.id = ${organizationId} and w.id = ${row.workspace_id}`)
  if (!place?.live) refuse('not_found')
  const request = requestId ? { requestId, once, passedOn } : null
  return { row, outcome, linkHash, place, request, isThen: (moment) => moment?.getTime() === at }
}

/** A visit that has just given access: nobody else is shown what it reaches. */
export async function readConnected(parts: Parts, sealed: string): Promise<Visited> {
  const visited = await readResult(parts, sealed)
  if (!isConnected(visited.outcome) || !visited.isThen(visited.row.connected_at)) return refuse('not_found')
  return (await isStillOpen(parts.db.query, visited)) ? visited : refuse('not_found')
}

const isConnected = (outcome: SealedOutcome) => outcome === 'connected' || outcome === 'unfinished'

/**
 * What a link of a request opened ends with it, whether it was renewed, canceled or has expired; and while the organization is frozen,
 * no way leads to its integrations.
 */
export async function isStillOpen(query: RunQuery, { row, request, linkHash }: Visited): Promise<boolean> {
  // The link of an item is gone once it is connected; that it was passed on is noted until the renewal.
  const link = request?.passedOn
    ? sql`exists (select from connect_items t where t.organization_id = r.organization_id and t.request_id = r.id
        and t.integration_id = ${row.id} and t.passed_on_at is not null)`
    : sql`r.token_hash = ${Buffer.from(linkHash, 'base64url')}`
  const live = sql`exists (select from connect_requests r where r.organization_id = ${row.organization_id} and r.id = ${request?.requestId}
    and ${link} and r.canceled_at is null and r.expires_at > now())`
  const found = await query(sql`select from organizations where id = ${row.organization_id} and frozen_at is null
    ${request ? sql`and ${live}` : sql``}`)
  return found.length > 0
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
  const { row, place, isThen } = visited
  if (visited.outcome === 'unfinished') await readConnected(parts, params.result)
  const outcome = visited.outcome === 'unfinished' ? 'connected' : visited.outcome
  const failed = outcome !== 'connected'
  const now = !failed && isThen(row.connected_at)
  // Who came by the list is shown what is missing; the rest is for who has just given access.
  const own = now && visited.outcome === 'connected'
  const missing = now && row.unfinished_since ? missingOf(setupOf(row)) : null
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
    provider: row.provider,
    providerName: findProvider(row.provider)?.name ?? row.provider,
    connectedAccount: now ? row.connected_account : null,
    detail,
    reason,
    mustAct: whoMustAct(reason),
    connectUrl: failed ? await linkAgain(parts, visited) : null,
    // The way back from a request is handed out once: see `takeConnectReturn`.
    returnUrl: visited.request && !visited.request.passedOn ? null : row.return_url && withOutcome(row.return_url, outcome, row.id),
    receiptUrl: own ? await receiptOf(parts, visited) : null,
    choosesAccount: now && choiceOf(row) !== null,
    missing,
    missingSettings: missing === 'settings' ? shownFields(neededSettings(row.provider, row.settings)) : [],
    others: own ? (await othersOf(parts, row)).map(toOther) : [],
  }
}

type Sealed = [string, string, SealedOutcome, string, number, (string | null)?, (string | null)?, number?, boolean?]

function openResult({ vault }: Parts, sealed: string): Sealed {
  try {
    return JSON.parse(vault.open(sealed, BINDING))
  } catch {
    return refuse('not_found')
  }
}
