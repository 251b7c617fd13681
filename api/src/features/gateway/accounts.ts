import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { refuse } from '../../refusal.ts'
import { findIntegration, integrationRef } from '../integrations/integration-row.ts'
import { readStoredAccounts, storeAccounts } from './account-rows.ts'
import { type AskedAccounts, askForAccounts } from './ask-for-accounts.ts'
import { mustActSentence } from './who-must-act.ts'

export const listIntegrationAccounts: Handler<'listIntegrationAccounts'> = async (call) => {
  const row = (await findIntegration(call.parts.db.query, integrationRef(call))) ?? refuse('not_found')
  return readStoredAccounts(call.parts.db.query, row)
}

/** The ad system is asked outside of any transaction; what it said counts while the connection is still the same. */
export const refreshIntegrationAccounts: Handler<'refreshIntegrationAccounts'> = async (call) => {
  const { parts, now } = call
  const at = integrationRef(call)
  const snapshot = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
  if (snapshot.status === 'disabled') refuse('integration_disabled')
  // Where only a setting is missing, the account to enter there is picked from the list.
  const listable = snapshot.status === 'active' || (snapshot.credential !== null && snapshot.status_reason === 'setting_missing')
  if (!listable) refuse('integration_unconnected', { detail: mustActSentence(snapshot) })
  const answer = await askForAccounts(parts, snapshot, now)
  if (answer.outcome === 'unlisted') return refuse('accounts_unlisted')
  if (answer.outcome !== 'listed') return refuseUnlisted(answer)
  return transact(call, async (query, record) => {
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    await storeAccounts(query, record, { snapshot, row }, answer)
    return readStoredAccounts(query, row)
  })
}

const refuseUnlisted = ({ outcome, detail, retryAfter }: Extract<AskedAccounts, { detail: string }>): never =>
  outcome === 'rejected'
    ? refuse('vendor_refused_credential', { detail })
    : retryAfter
      ? refuse('vendor_throttled', { detail, headers: { 'retry-after': String(retryAfter) } })
      : refuse('vendor_unreachable', { detail })
