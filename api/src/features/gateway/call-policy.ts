import { atLeast, type CallMode, type WorkspaceRole } from '@adjoin/contract'
import { refuse } from '../../refusal.ts'

export interface SentPolicy {
  readonly mode: CallMode
  readonly accounts: readonly string[] | null
}

/** At creation: members may let programs read; letting them change things is an admin's decision. */
export function policyFor(role: WorkspaceRole, sent: SentPolicy | undefined): SentPolicy {
  const policy = sent ?? { mode: 'read', accounts: null }
  if (policy.mode === 'full' && !atLeast(role, 'admin'))
    refuse('above_own_role', { detail: 'Only workspace admins let programs change things. Choose `read` or `off`.' })
  refuseFence(policy.accounts)
  return policy
}

/** Never a fence that is only painted on: until requests are judged by account, none can be set. */
export function refuseFence(accounts: readonly string[] | null): void {
  if (accounts) refuse('fence_unavailable')
}
