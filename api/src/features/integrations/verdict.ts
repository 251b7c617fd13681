import type { CheckVerdict } from '../../domain/integration.ts'
import { accountLabel } from '../../domain/integration.ts'
import type { Provider } from '../../providers/provider.ts'
import { describe, type ReasonCode } from '../../providers/reasons.ts'
import type { VendorOutcome } from '../../providers/session.ts'

/** What a provider's outcome means to the state machine, in a sentence that says who must act. */
export function verdictOf(provider: Provider, outcome: VendorOutcome, access: 'stored' | 'entered' = 'stored'): CheckVerdict {
  if (outcome.outcome === 'verified') return { outcome: 'verified', account: accountLabel(outcome.account) }
  const { reason } = outcome
  const detail = describe(provider.name, outcome, access).slice(0, 1000)
  if (outcome.outcome === 'unreachable') return { outcome: 'unreachable', reason, detail }
  return { outcome: 'rejected', reason, detail, account: outcome.account && accountLabel(outcome.account) }
}

export const refusedVerdict = (system: string, reason: ReasonCode): CheckVerdict => ({
  outcome: 'rejected',
  reason,
  detail: describe(system, { reason }),
})
