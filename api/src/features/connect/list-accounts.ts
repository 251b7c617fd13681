import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { choiceOf, offered } from './account-choice.ts'
import { readConnected } from './result.ts'

const MOST_LISTED = 50

/** From what is stored: the ad system is asked in the background right after connecting, never by a read of this page. */
export const listConnectAccounts: Handler<'listConnectAccounts'> = async ({ parts, params, query: { search } }) => {
  const { row } = await readConnected(parts, params.result)
  const choice = choiceOf(row) ?? refuse('account_chosen')
  const { query } = parts.db
  const [listed] = await query(sql`select from integrations
    where organization_id = ${row.organization_id} and id = ${row.id} and accounts_refreshed_at >= connected_at`)
  if (!listed) return { listing: true, accounts: [], more: false }
  const matching = search
    ? sql`and (strpos(lower(a.name), lower(${search})) > 0 or strpos(a.id, ${search}) > 0
        or strpos(a.id, replace(${search}, '-', '')) > 0)`
    : sql``
  const accounts = await query<{ id: string; name: string }>(sql`select a.id, a.name from integration_accounts a
    where ${await offered(query, row, choice)} ${matching} order by lower(a.name), a.id limit ${MOST_LISTED + 1}`)
  return { listing: false, accounts: accounts.slice(0, MOST_LISTED), more: accounts.length > MOST_LISTED }
}
