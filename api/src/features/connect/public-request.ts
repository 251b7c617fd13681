import type { Answer, Language } from '@adjoin/contract'
import type { Handler, Parts } from '../../call.ts'
import { organizationOf } from '../../db/directory.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { isComplete, itemStatus } from '../../domain/connect-request.ts'
import { findProvider } from '../../providers/index.ts'
import { failureOf, reasonOfItem } from '../connect-requests/request-row.ts'
import { requesterOf } from '../connect-requests/requester.ts'
import { mayReconnect, missingOf, type SetupRow, setupColumns } from '../connect-requests/unfinished.ts'
import { describeProvider } from '../integrations/provider-description.ts'
import { refuseLink, requestHash } from './find-link.ts'
import { sealResult } from './result.ts'

type PublicItem = Answer<'declineConnectItem'>

export interface PublicRequestRow {
  organization_id: string
  id: string
  title: string
  message: string | null
  language: Language | null
  client_name: string | null
  return_url: string | null
  expires_at: Date
  expired: boolean
  created_by: string | null
  organization_name: string
  requester: string | null
  workspace_id: string
  workspace_slug: string
  workspace_name: string
}

interface PublicRequest {
  readonly row: PublicRequestRow
  readonly items: readonly PublicItemRow[]
  readonly state: Answer<'getPublicConnectRequest'>['state']
}

/**
 * Unknown, replaced and canceled ones cannot be told apart; nor can those of a frozen organization,
 * nor one that is complete and whose day has come.
 */
export async function findPublicRequest(parts: Parts, token: string): Promise<PublicRequest> {
  const hash = requestHash(parts, token)
  const [row] = await parts.db.query<PublicRequestRow>(sql`select r.organization_id, r.id, r.title, r.message, r.language, r.client_name,
      r.return_url, r.expires_at, r.expires_at <= now() as expired, r.created_by, o.name as organization_name, ${requesterOf(sql`r`)} as requester,
      w.id as workspace_id, w.slug as workspace_slug, w.name as workspace_name
    from connect_requests r join organizations o on o.id = r.organization_id and o.frozen_at is null
    join workspaces w on w.organization_id = r.organization_id and w.id = r.workspace_id
    where r.organization_id = ${await organizationOf(parts.db, hash)} and r.token_hash = ${hash} and r.canceled_at is null`)
  if (!row) return refuseLink()
  const items = await parts.db.query<PublicItemRow>(
    publicItems(sql`t.organization_id = ${row.organization_id} and t.request_id = ${row.id}`),
  )
  const complete = isComplete(items.map(stateOf))
  return complete && row.expired ? refuseLink() : { row, items, state: complete ? 'complete' : row.expired ? 'expired' : 'ready' }
}

interface PublicItemRow extends SetupRow {
  organization_id: string
  integration_id: string
  integration_connected_at: Date | null
  now: Date
  id: string
  name: string
  provider: string
  optional: boolean
  connected_at: Date | null
  declined_at: Date | null
  failed_reason: string | null
  connected_account: string | null
  expected_account: string | null
  call_mode: 'off' | 'read' | 'full'
  call_accounts: string[] | null
  access_until: string | null
  passed_on: boolean
  disabled: boolean
}

const publicItems = (
  where: Fragment,
): Fragment => sql`select t.id, t.organization_id, t.integration_id, i.connected_at as integration_connected_at,
    now() as now, ${setupColumns}, i.name, i.provider, t.optional, t.connected_at, t.declined_at,
    t.failed_reason, case when t.connected_at is not null then i.connected_account end as connected_account, i.expected_account, i.call_mode,
    i.call_accounts, coalesce(t.access_until, i.access_until)::text as access_until, t.token_hash is not null as passed_on, i.status = 'disabled' as disabled
  from connect_items t join integrations i on i.organization_id = t.organization_id and i.id = t.integration_id
  where ${where} order by t.position`

const stateOf = (item: PublicItemRow) => ({
  optional: item.optional,
  connectedAt: item.connected_at,
  unfinished: item.unfinished,
  declinedAt: item.declined_at,
  failedReason: item.failed_reason,
})

/** An ad system that has left the catalogue cannot be connected, and a disabled integration is nobody's task for now: neither is shown. */
function toPublicItem(parts: Parts, item: PublicItemRow, link?: Link): PublicItem[] {
  const provider = findProvider(item.provider)
  if (!provider || (item.disabled && (item.connected_at === null || item.unfinished))) return []
  const status = itemStatus(stateOf(item))
  const missing = status === 'unfinished' ? missingOf(item) : null
  const { gateway: _, ...descriptor } = describeProvider(parts, provider)
  return [
    {
      id: item.id,
      name: item.name,
      provider: descriptor,
      optional: item.optional,
      status,
      account: item.connected_account,
      connectedAt: missing ? null : item.connected_at,
      ...failureOf(provider.name, reasonOfItem(item, status)),
      missing,
      result: link && (missing === 'account' || missing === 'settings') ? resultOfItem(parts, item, link) : null,
      reconnects: mayReconnect(item),
      expectedAccount: item.expected_account,
      callPolicy: { mode: item.call_mode, accounts: item.call_accounts },
      accessUntil: item.access_until,
      passedOn: item.passed_on,
    },
  ]
}

/** The link of its request, by which somebody reads it. */
interface Link {
  readonly requestId: string
  readonly hash: Buffer
}

/** By which its client goes on with what is missing. */
const resultOfItem = (parts: Parts, item: PublicItemRow, { requestId, hash }: Link): string =>
  sealResult(
    parts,
    { organization_id: item.organization_id, id: item.integration_id },
    {
      outcome: 'unfinished',
      linkHash: hash.toString('base64url'),
      at: item.integration_connected_at!,
      request: { requestId, passedOn: false, once: null },
      read: item.now,
    },
  )

export async function readPublicItem(parts: Parts, organizationId: string, id: string): Promise<PublicItem> {
  const rows = await parts.db.query<PublicItemRow>(publicItems(sql`t.organization_id = ${organizationId} and t.id = ${id}`))
  return rows.flatMap((row) => toPublicItem(parts, row))[0] ?? refuseLink()
}

/** Who asks, and for what. It consumes nothing; an expired one names who asked, and nothing else; one that is complete, only what is done. */
export const getPublicConnectRequest: Handler<'getPublicConnectRequest'> = async ({ parts, params }) => {
  const { row, items, state } = await findPublicRequest(parts, params.token)
  const complete = state === 'complete'
  const link = { requestId: row.id, hash: requestHash(parts, params.token) }
  const shown = items.flatMap((item) => toPublicItem(parts, item, link))
  return {
    state,
    organization: { name: row.organization_name },
    requester: row.requester === null || complete ? null : { name: row.requester },
    language: row.language,
    request:
      state === 'expired'
        ? null
        : {
            workspace: { name: row.workspace_name },
            title: row.title,
            message: complete ? null : row.message,
            clientName: complete ? null : row.client_name,
            expiresAt: row.expires_at,
            returnUrl: null,
            items: complete ? shown.map(withoutDetails) : shown,
          },
  }
}

/** Whoever comes later learns that it is done, not with which account. */
const withoutDetails = (item: PublicItem): PublicItem => ({
  ...item,
  account: null,
  expectedAccount: null,
  accessUntil: null,
  callPolicy: { ...item.callPolicy, accounts: null },
})
