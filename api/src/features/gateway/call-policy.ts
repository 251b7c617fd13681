import { atLeast, type CallMode, type ProviderId, type WorkspaceRole } from '@adjoin/contract'
import { accountIn } from '../../gateway/fences/fence.ts'
import { fences } from '../../gateway/fences/index.ts'
import { findProvider } from '../../providers/index.ts'
import { refuse, refuseField } from '../../refusal.ts'

export interface SentPolicy {
  readonly mode: CallMode
  readonly accounts: readonly string[] | null
}

/** At creation: members may let programs read; letting them change things is an admin's decision. */
export function policyFor(role: WorkspaceRole, provider: ProviderId, sent: SentPolicy | undefined): SentPolicy {
  const policy = sent ?? { mode: 'read', accounts: null }
  if (policy.mode === 'full' && !atLeast(role, 'admin'))
    refuse('above_own_role', { detail: 'Only workspace admins can let programs change things. Choose `read` or `off`.' })
  return { ...policy, accounts: checkedAccounts(provider, policy.accounts, 'callPolicy.accounts') }
}

/** As calls name them. Never a fence that is only painted on: where requests need not name their account, none can be set. */
export function checkedAccounts(provider: string, accounts: readonly string[] | null, field = 'accounts'): string[] | null {
  if (!accounts) return null
  const known = findProvider(provider)
  const fence = (known && fences[known.id]) ?? refuse('fence_unavailable')
  return [
    ...new Set(
      accounts.map(
        (account, i) =>
          accountIn(fence, account) ?? refuseField(`${field}.${i}`, `is not an account ID of ${known!.name}, as its API writes them`),
      ),
    ),
  ]
}
