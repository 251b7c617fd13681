// Right after a consent: which of the accounts that were given access to is meant?
import { type Fragment, type RunQuery, sql } from '../../db/sql.ts'
import { type AccountChoice, accountChoice } from '../../providers/accounts/settings.ts'
import { findProvider } from '../../providers/index.ts'
import { normalizedAccount } from '../../providers/session.ts'
import type { IntegrationRow } from '../integrations/integration-row.ts'

/** Null unless it is connected, and nothing but the account is missing. */
export function choiceOf(row: IntegrationRow): AccountChoice | null {
  const provider = findProvider(row.provider)
  const lacksAccount = row.credential !== null && row.status === 'error' && row.status_reason === 'setting_missing'
  return provider && lacksAccount ? accountChoice(provider, row.settings) : null
}

/** The accounts `a` that can be chosen: all of the kind, or the one that the agency expects if it is among them. */
export async function offered(query: RunQuery, row: IntegrationRow, { first }: AccountChoice): Promise<Fragment> {
  const ofKind = sql`a.organization_id = ${row.organization_id} and a.integration_id = ${row.id} and a.kind = ${first.kind}`
  if (row.expected_account === null) return ofKind
  const expected = sql`${ofKind} and a.id in (${row.expected_account.trim()}, ${normalizedAccount(row.expected_account)})`
  const [found] = await query(sql`select from integration_accounts a where ${expected} limit 1`)
  return found ? expected : ofKind
}
