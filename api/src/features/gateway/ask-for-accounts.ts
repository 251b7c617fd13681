// Asks an ad system which accounts a connection reaches, with an access that is renewed where it must be.
import type { Parts } from '../../call.ts'
import { accountLists } from '../../providers/accounts/index.ts'
import { type AccountList, readAccounts, type VendorAccount } from '../../providers/accounts/list.ts'
import { withDefaults } from '../../providers/fields.ts'
import { findProvider } from '../../providers/index.ts'
import type { Rejected } from '../../providers/provider.ts'
import type { IntegrationRow } from '../integrations/integration-row.ts'
import { openVendorSession } from '../integrations/vendor-session.ts'
import { verdictOf } from '../integrations/verdict.ts'
import { type OpenAccess, openAccess, renewedAccess } from './access.ts'

export type AskedAccounts =
  | { readonly outcome: 'listed'; readonly accounts: readonly VendorAccount[]; readonly complete: boolean; readonly version: number }
  | { readonly outcome: 'unlisted' }
  | { readonly outcome: 'rejected' | 'unreachable'; readonly detail: string; readonly retryAfter?: number | undefined }

/** Anything shorter might be part of an ordinary name. */
const SHORTEST_SECRET = 8

/** `times`: how often the usual time it may take; people wait for it no longer than for a check. */
export async function askForAccounts(parts: Parts, row: IntegrationRow, now: Date, times?: number): Promise<AskedAccounts> {
  const provider = findProvider(row.provider)
  const list = provider && accountLists[provider.id]
  if (!provider || !list) return { outcome: 'unlisted' }
  const read = ({ credential, row: { organization_id }, ...access }: OpenAccess): Promise<AccountList> => {
    const session = openVendorSession(parts, organization_id, provider, credential.fields, now, times)
    session.conceal(Object.values(credential.fields))
    session.conceal([credential.accessToken, credential.refreshToken])
    const settings = withDefaults(provider.settingsFields, row.settings)
    const secrets = access.secrets().filter((secret) => secret.length >= SHORTEST_SECRET)
    return readAccounts(list, { session, credential, settings, secrets })
  }
  const ended: Rejected = { outcome: 'rejected', reason: 'access_refused' }
  const access = await openAccess(parts, provider, row, now)
  let answer = access ? await read(access) : ended
  let used = access
  if (access && answer.outcome === 'stale') {
    used = await renewedAccess(parts, provider, access.row, now)
    answer = used ? await read(used) : ended
  }
  if (answer.outcome === 'stale') answer = { ...answer, outcome: 'rejected' }
  if (answer.outcome === 'listed') return { ...answer, version: used!.row.credential_version }
  if (answer.outcome === 'unlisted') return answer
  const verdict = verdictOf(provider, answer)
  const detail = 'detail' in verdict ? verdict.detail : ''
  return { outcome: answer.outcome, detail, ...(answer.outcome === 'unreachable' && { retryAfter: answer.retryAfter }) }
}
