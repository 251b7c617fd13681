import type { Answer, CallMode, CallOutcome, Language } from '@adjoin/contract'
import { permissionsIn } from '@adjoin/contract/permissions'
import type { Handler, Parts } from '../../call.ts'
import { organizationOf } from '../../db/directory.ts'
import { sql } from '../../db/sql.ts'
import { findProvider } from '../../providers/index.ts'
import { refuse } from '../../refusal.ts'
import { endConnection } from '../integrations/end-connection.ts'
import { receiptHash } from '../integrations/receipt-row.ts'
import { client } from './note-start.ts'

interface ReceiptRow {
  organization_id: string
  integration_id: string
  connected_at: Date
  account: string | null
  scopes: string[]
  language: Language | null
  ended_at: Date | null
  unfinished: boolean
  provider: string
  name: string
  status_reason: string | null
  access_until: string | null
  call_mode: CallMode
  call_accounts: string[] | null
  organization: string
  workspace_id: string
  workspace_slug: string
  workspace: string
  now: Date
}

/** Also while the organization is frozen, and while the integration is disabled: this is the client's. */
async function findReceipt(parts: Parts, token: string): Promise<ReceiptRow> {
  const hash = receiptHash(parts, token)
  const [row] =
    await parts.db.query<ReceiptRow>(sql`select c.organization_id, c.integration_id, c.connected_at, c.account, c.scopes, c.language,
      c.ended_at, c.ended_at is null and i.unfinished_since is not null as unfinished, i.provider, i.name, i.status_reason, i.access_until::text as access_until, i.call_mode, i.call_accounts, o.name as organization,
      w.id as workspace_id, w.slug as workspace_slug, w.name as workspace, now() as now
    from receipts c join integrations i on i.organization_id = c.organization_id and i.id = c.integration_id
    join organizations o on o.id = c.organization_id join workspaces w on w.organization_id = i.organization_id and w.id = i.workspace_id
    where c.organization_id = ${await organizationOf(parts.db, hash)} and c.token_hash = ${hash}`)
  return (
    row ??
    refuse('not_found', {
      detail:
        'This receipt is no longer valid: the connection was deleted, or renewed. If it was renewed, use the receipt that you got at that time.',
    })
  )
}

const LISTED_CHANGES = 10

async function readReceipt(parts: Parts, row: ReceiptRow): Promise<Answer<'getReceipt'>> {
  const here = sql`organization_id = ${row.organization_id} and integration_id = ${row.integration_id}`
  const usage = await parts.db.query<{ month: string; reads: number; changes: number }>(sql`
    select to_char(hour at time zone 'utc', 'YYYY-MM') as month, coalesce(sum(calls) filter (where effect = 'read'), 0)::int as reads,
      coalesce(sum(calls) filter (where effect = 'change'), 0)::int as changes
    from call_usage where ${here} and hour >= date_trunc('hour', ${row.connected_at}::timestamptz) group by 1 order by 1 desc`)
  const changes = await parts.db.query<{ at: Date; method: string; path: string; account: string | null; outcome: CallOutcome | null }>(sql`
    select at, method, path, account, outcome from calls where ${here} and effect = 'change' and at >= ${row.connected_at}
    order by at desc, id desc limit ${LISTED_CHANGES}`)
  return {
    state: row.ended_at === null ? 'connected' : row.status_reason === 'access_ended' ? 'ended' : 'disconnected',
    organization: { name: row.organization },
    workspace: { name: row.workspace },
    provider: row.provider,
    providerName: findProvider(row.provider)?.name ?? row.provider,
    name: row.name,
    language: row.language,
    unfinished: row.unfinished,
    account: row.account,
    connectedAt: row.connected_at,
    endedAt: row.ended_at,
    permissions: [...permissionsIn(row.scopes)],
    accessUntil: row.access_until,
    callPolicy: { mode: row.call_mode, accounts: row.call_accounts },
    usage,
    lastChanges: changes,
  }
}

export const getReceipt: Handler<'getReceipt'> = async ({ parts, params }) => readReceipt(parts, await findReceipt(parts, params.token))

export const disconnectByReceipt: Handler<'disconnectByReceipt'> = async ({ parts, params, origin }) => {
  const row = await findReceipt(parts, params.token)
  const done =
    row.ended_at === null &&
    (await endConnection(
      parts,
      { organizationId: row.organization_id, id: row.integration_id },
      {
        kind: 'integration.disconnected',
        reason: 'client_disconnected',
        actor: { ...client, name: 'Receipt' },
        workspace: { id: row.workspace_id, slug: row.workspace_slug, name: row.workspace },
        context: { origin, via: 'connect' },
        // Of the connection that this is the receipt of: what was connected since has its own.
        holds: ({ connected_at }) => connected_at?.getTime() === row.connected_at.getTime(),
        now: row.now,
      },
    ))
  return done ? readReceipt(parts, await findReceipt(parts, params.token)) : refuse('receipt_closed')
}
