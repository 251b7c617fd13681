import { atLeast, type CallMode, type WorkspaceRole } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { findIntegration, placeOf, shown, targetOf } from '../integrations/integration-row.ts'

export interface SentPolicy {
  readonly mode: CallMode
  readonly accounts: readonly string[] | null
}

export const setIntegrationCallPolicy: Handler<'setIntegrationCallPolicy'> = (call) =>
  transact(call, async (query, record) => {
    const at = placeOf(call)
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    const { mode, accounts } = call.body
    refuseFence(accounts)
    const changes = [
      { field: 'callPolicy.mode', from: row.call_mode, to: mode },
      { field: 'callPolicy.accounts', from: row.call_accounts, to: accounts },
    ].filter(({ from, to }) => JSON.stringify(from) !== JSON.stringify(to))
    if (changes.length) {
      await query(sql`update integrations set call_mode = ${mode}, call_accounts = ${accounts}, updated_at = now()
        where organization_id = ${row.organization_id} and id = ${row.id}`)
      record('integration.call_policy_changed', { target: targetOf(row), changes })
    }
    return shown(call.parts, query, at)
  })

/** At creation: members may let programs read; letting them change things is an admin's decision. */
export function policyFor(role: WorkspaceRole, sent: SentPolicy | undefined): SentPolicy {
  const policy = sent ?? { mode: 'read', accounts: null }
  if (policy.mode === 'full' && !atLeast(role, 'admin'))
    refuse('above_own_role', { detail: 'Only workspace admins let programs change things. Choose `read` or `off`.' })
  refuseFence(policy.accounts)
  return policy
}

/** Never a fence that is only painted on: until requests are judged by account, none can be set. */
function refuseFence(accounts: readonly string[] | null): void {
  if (accounts) refuse('fence_unavailable')
}
