// The accounts that a connection reaches: as they were last listed, and what appeared or disappeared since.
import { isDeepStrictEqual } from 'node:util'
import type { Answer } from '@adjoin/contract'
import type { Recorder } from '../../audit/transact.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { fences } from '../../gateway/fences/index.ts'
import { accountLists } from '../../providers/accounts/index.ts'
import type { VendorAccount } from '../../providers/accounts/list.ts'
import { findProvider } from '../../providers/index.ts'
import type { IntegrationRow } from '../integrations/integration-row.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'

interface AccountRow {
  kind: string
  id: string
  name: string
  parent_id: string | null
  currency: string | null
  time_zone: string | null
  status: string | null
}

interface ListedState {
  accounts_refreshed_at: Date | null
  accounts_complete: boolean
}

/** How many of what appeared or disappeared an entry of the trail names. */
const MOST_NAMED = 20

export async function readStoredAccounts(query: RunQuery, row: IntegrationRow): Promise<Answer<'listIntegrationAccounts'>> {
  const state = await listedState(query, row)
  const rows = await storedRows(query, row)
  const provider = findProvider(row.provider)
  return {
    accounts: rows.map(({ parent_id, time_zone, ...rest }) => ({
      ...rest,
      parentId: parent_id,
      timeZone: time_zone,
      inFence: isInFence(row, rest),
    })),
    listed: Boolean(provider && accountLists[provider.id]),
    complete: state.accounts_complete,
    refreshedAt: state.accounts_refreshed_at,
  }
}

/** A container may have the number of an account: only what fences are made of can be in one. */
function isInFence({ provider, call_accounts }: IntegrationRow, { kind, id }: Identified): boolean {
  if (call_accounts === null) return true
  const known = findProvider(provider)
  return Boolean(known && fences[known.id]?.kinds.includes(kind) && call_accounts.includes(id))
}

const storedRows = (query: RunQuery, row: IntegrationRow): Promise<AccountRow[]> =>
  query<AccountRow>(sql`select kind, id, name, parent_id, currency, time_zone, status from integration_accounts
    where organization_id = ${row.organization_id} and integration_id = ${row.id} order by name, id, kind`)

async function listedState(query: RunQuery, row: IntegrationRow): Promise<ListedState> {
  const [state] = await query<ListedState>(sql`select accounts_refreshed_at, accounts_complete from integrations
    where organization_id = ${row.organization_id} and id = ${row.id}`)
  return state!
}

/**
 * Replaces what is stored, for the locked row. A list of a connection or of settings that were replaced meanwhile is no news;
 * the first list of all is none either, and one that was cut off says nothing of what is missing from it.
 * `since`: when it was asked for, where a newer one may have been stored by somebody who did not wait.
 */
export async function storeAccounts(
  query: RunQuery,
  record: Recorder,
  { snapshot, row }: { readonly snapshot: IntegrationRow; readonly row: IntegrationRow },
  { accounts, complete }: { readonly accounts: readonly VendorAccount[]; readonly complete: boolean },
  since?: Date,
): Promise<void> {
  if (row.credential === null || row.connected_at?.getTime() !== snapshot.connected_at?.getTime()) return
  if (!isDeepStrictEqual(row.settings, snapshot.settings)) return
  const before = await listedState(query, row)
  if (since && before.accounts_refreshed_at && before.accounts_refreshed_at > since) return
  const stored = await storedRows(query, row)
  await query(sql`delete from integration_accounts where organization_id = ${row.organization_id} and integration_id = ${row.id}`)
  await insertAccounts(query, row, accounts)
  await query(sql`update integrations set accounts_refreshed_at = now(), accounts_complete = ${complete},
      accounts_due_at = now() + interval '1 day' where organization_id = ${row.organization_id} and id = ${row.id}`)
  if (!before.accounts_refreshed_at) return
  const appeared = before.accounts_complete ? missingFrom(stored, accounts) : []
  const disappeared = complete ? missingFrom(accounts, stored) : []
  if (!appeared.length && !disappeared.length) return
  record('integration.accounts_changed', {
    ...aboutIntegration(row),
    metadata: {
      appeared: appeared.slice(0, MOST_NAMED).map(named),
      disappeared: disappeared.slice(0, MOST_NAMED).map(named),
      appearedCount: appeared.length,
      disappearedCount: disappeared.length,
    },
  })
}

type Identified = Pick<AccountRow, 'kind' | 'id' | 'name'>

const named = ({ id, kind, name }: Identified) => ({ id, kind, name })

/** Those of the second list that the first one does not have. */
function missingFrom(list: readonly Identified[], others: readonly Identified[]): Identified[] {
  const known = new Set(list.map(({ kind, id }) => `${kind} ${id}`))
  return others.filter(({ kind, id }) => !known.has(`${kind} ${id}`))
}

/** Lists within the rows go as JSON: arrays of arrays would have to be of one length. */
async function insertAccounts(query: RunQuery, row: IntegrationRow, accounts: readonly VendorAccount[]): Promise<void> {
  if (!accounts.length) return
  const column = <K extends keyof VendorAccount>(name: K) => accounts.map((account) => account[name])
  const lists = (name: 'roots' | 'aliases') => accounts.map((account) => JSON.stringify(account[name]))
  await query(sql`insert into integration_accounts
      (organization_id, integration_id, kind, id, name, parent_id, currency, time_zone, status, roots, aliases)
    select ${row.organization_id}, ${row.id}, a.kind, a.id, a.name, a.parent_id, a.currency, a.time_zone, a.status,
      array(select jsonb_array_elements_text(a.roots)), array(select jsonb_array_elements_text(a.aliases))
    from unnest(${column('kind')}::text[], ${column('id')}::text[], ${column('name')}::text[], ${column('parentId')}::text[],
      ${column('currency')}::text[], ${column('timeZone')}::text[], ${column('status')}::text[], ${lists('roots')}::jsonb[],
      ${lists('aliases')}::jsonb[]) as a (kind, id, name, parent_id, currency, time_zone, status, roots, aliases)`)
}
