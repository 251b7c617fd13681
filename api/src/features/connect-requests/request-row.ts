import type { Answer, ConnectItemStatus, Language } from '@adjoin/contract'
import { atLeast } from '@adjoin/contract'
import type { Caller, Parts, WorkspaceScope } from '../../call.ts'
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { itemStatus, requestStatus } from '../../domain/connect-request.ts'
import { clientSentence } from '../../providers/client-sentences.ts'
import { findProvider } from '../../providers/index.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { refuse } from '../../refusal.ts'
import { isSealBroken } from '../../vault/seal.ts'
import { requesterOf } from './requester.ts'
import { isOpenItem, missingOf, type SetupRow, setupColumns } from './unfinished.ts'

type RequestAnswer = Answer<'getConnectRequest'>

export interface RequestRow {
  organization_id: string
  id: string
  workspace_id: string
  title: string
  message: string | null
  language: Language | null
  client_email: string | null
  client_name: string | null
  mailbox_hash: Buffer | null
  return_url: string | null
  reminders: boolean
  token_hash: Buffer | null
  token_sealed: string | null
  expires_at: Date
  expired: boolean
  created_by: string | null
  created_by_email: string | null
  /** Null once they were removed. */
  requester: string | null
  created_at: Date
  updated_at: Date
  sent_at: Date | null
  started_at: Date | null
  completed_at: Date | null
  canceled_at: Date | null
  remind_from: Date | null
  remind_step: number | null
  mails_stopped: boolean
  now: Date
}

export interface ItemRow extends SetupRow {
  id: string
  request_id: string
  integration_id: string
  optional: boolean
  provider: string
  name: string
  connected_account: string | null
  access_until: string | null
  passed_on: boolean
  started_at: Date | null
  connected_at: Date | null
  declined_at: Date | null
  failed_reason: string | null
}

/** Requests `r`, with who made them and whether their clients want mail. */
export const requestRows = (where: Fragment): Fragment => sql`
  select r.organization_id, r.id, r.workspace_id, r.title, r.message, r.language, r.client_email, r.client_name, r.mailbox_hash, r.return_url,
    r.reminders, r.token_hash, r.token_sealed, r.expires_at, r.expires_at <= now() as expired, r.created_by, u.email as created_by_email,
    ${requesterOf(sql`r`)} as requester, r.created_at, r.updated_at, r.sent_at, r.started_at, r.completed_at, r.canceled_at, r.remind_from, r.remind_step,
    m.stopped_at is not null as mails_stopped, now() as now
  from connect_requests r left join users u on u.id = r.created_by
  left join client_mails m on m.organization_id = r.organization_id and m.mailbox_hash = r.mailbox_hash
  where ${where}`

export const itemsOf = (query: RunQuery, organizationId: string, requestIds: readonly string[]): Promise<ItemRow[]> =>
  query<ItemRow>(sql`select t.id, t.request_id, t.integration_id, t.optional, i.provider, i.name,
      case when t.connected_at is not null then i.connected_account end as connected_account,
      coalesce(t.access_until, i.access_until)::text as access_until, t.token_hash is not null as passed_on,
      t.started_at, t.connected_at, t.declined_at, t.failed_reason, ${setupColumns}
    from connect_items t join integrations i on i.organization_id = t.organization_id and i.id = t.integration_id
    where t.organization_id = ${organizationId} and t.request_id = any(${requestIds}::uuid[]) order by t.request_id, t.position`)

/** The open request that asks for an integration `i`. Only where one does, which its row knows, is it looked for. */
export const openRequestOf = (
  organizationId: string,
  more: Fragment = sql`true`,
): Fragment => sql`case when i.requested_until > now() then (
  select t.request_id from connect_items t join connect_requests r on r.organization_id = t.organization_id and r.id = t.request_id
  where t.organization_id = ${organizationId} and t.integration_id = i.id and ${isOpenItem}
    and r.canceled_at is null and r.expires_at > now() and ${more} limit 1) end`

export const stateOfItem = (item: ItemRow) => ({
  optional: item.optional,
  connectedAt: item.connected_at,
  unfinished: item.unfinished,
  declinedAt: item.declined_at,
  failedReason: item.failed_reason,
})

export const statusOf = (row: Pick<RequestRow, 'canceled_at' | 'expired'>, items: readonly ItemRow[]) =>
  requestStatus({ canceledAt: row.canceled_at, expired: row.expired }, items.map(stateOfItem))

export const requestBinding = (organizationId: string, id: string) => ['connect_requests', organizationId, id, 'token']
export const itemBinding = (organizationId: string, id: string) => ['connect_items', organizationId, id, 'token']
export const requestUrl = ({ config }: Pick<Parts, 'config'>, token: string): string => `${config.publicUrl}/connect/r/${token}`

/** Null where the link was ended, and for one whose envelope does not open: it must not hide the others. */
export function urlOf(parts: Pick<Parts, 'vault' | 'config'>, row: RequestRow): string | null {
  try {
    return row.token_sealed && requestUrl(parts, parts.vault.open(row.token_sealed, requestBinding(row.organization_id, row.id)))
  } catch (error) {
    if (isSealBroken(error)) return null
    throw error
  }
}

/** The page that a client came from; null where the request is gone. */
export async function requestUrlOf(parts: Parts, organizationId: string, id: string): Promise<string | null> {
  const [row] = await parts.db.query<RequestRow>(requestRows(sql`r.organization_id = ${organizationId} and r.id = ${id}`))
  return row ? urlOf(parts, row) : null
}

/** Where a request's path says it is. */
export interface RequestPlace {
  readonly organization: { readonly id: string }
  readonly workspace: WorkspaceScope
  readonly params: { readonly requestId: string }
}

const inPlace = ({ organization, workspace, params }: RequestPlace): Fragment =>
  sql`r.organization_id = ${organization.id} and r.workspace_id = ${workspace.id} and r.id = ${params.requestId}`

export async function findRequest(query: RunQuery, at: RequestPlace): Promise<RequestRow> {
  const [row] = await query<RequestRow>(requestRows(inPlace(at)))
  return row ?? refuse('not_found')
}

/** Held until the transaction ends, its integrations first: connecting one also takes that lock before the request’s. */
export async function lockRequest(query: RunQuery, organizationId: string, requestId: string): Promise<void> {
  await query(sql`select from integrations i where i.organization_id = ${organizationId} and i.id in (select t.integration_id
    from connect_items t where t.organization_id = ${organizationId} and t.request_id = ${requestId}) order by i.id for update of i`)
  await query(sql`select from connect_requests where organization_id = ${organizationId} and id = ${requestId} for update`)
}

/** What only people who work here may know: how the client gets in, and where they read mail. */
export const seesClient = (caller: Caller, workspace: WorkspaceScope): boolean =>
  caller.class === 'session' && atLeast(workspace.role, 'member')

export function toRequest(
  parts: Pick<Parts, 'vault' | 'config'>,
  { caller, workspace }: { caller: Caller; workspace: WorkspaceScope },
  row: RequestRow,
  items: readonly ItemRow[],
): RequestAnswer {
  const open = seesClient(caller, workspace)
  const status = statusOf(row, items)
  return {
    id: row.id,
    workspaceId: row.workspace_id,
    title: row.title,
    message: row.message,
    language: row.language,
    clientName: row.client_name,
    clientEmail: open ? row.client_email : null,
    mailsStopped: row.mails_stopped,
    status,
    reminders: row.reminders,
    returnUrl: row.return_url,
    connectUrl: open && !(status === 'complete' && row.expired) ? urlOf(parts, row) : null,
    expiresAt: row.expires_at,
    items: items.map((item) => toItem(item, row.sent_at)),
    sentAt: row.sent_at,
    startedAt: row.started_at,
    completedAt: row.completed_at,
    canceledAt: row.canceled_at,
    createdByEmail: row.created_by_email,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

function toItem(item: ItemRow, sentAt: Date | null): RequestAnswer['items'][number] {
  const status = itemStatus(stateOfItem(item))
  const providerName = findProvider(item.provider)?.name ?? item.provider
  return {
    id: item.id,
    integrationId: item.integration_id,
    provider: item.provider,
    providerName,
    name: item.name,
    optional: item.optional,
    status,
    connectedAccount: item.connected_account,
    ...failureOf(providerName, reasonOfItem(item, status)),
    missing: status === 'unfinished' ? missingOf(item) : null,
    accessUntil: item.access_until,
    passedOn: item.passed_on,
    sentAt,
    startedAt: item.started_at,
    completedAt: status === 'unfinished' ? null : (item.connected_at ?? item.declined_at),
  }
}

/** Of the last attempt, or of what is missing. */
export const reasonOfItem = (item: SetupRow & { failed_reason: string | null }, status: ConnectItemStatus): string | null =>
  status === 'unfinished' ? (item.failed_reason ?? item.status_reason) : status === 'failed' ? item.failed_reason : null

export const failureOf = (system: string, reason: string | null) => ({
  reason,
  mustAct: whoMustAct(reason),
  detail: reason && clientSentence(system, reason),
})

/** As it is now, for the answer. */
export async function readRequest(
  call: { parts: Pick<Parts, 'vault' | 'config'>; caller: Caller } & RequestPlace,
  query: RunQuery,
): Promise<RequestAnswer> {
  const row = await findRequest(query, call)
  return toRequest(call.parts, call, row, await itemsOf(query, row.organization_id, [row.id]))
}

/** How an audit entry names it. */
export const aboutRequest = ({ id, title }: Pick<RequestRow, 'id' | 'title'>) => ({
  target: { type: 'connect_request' as const, id, name: title },
})
