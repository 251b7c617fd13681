import type { Answer } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Call } from '../../call.ts'
import { refuse } from '../../refusal.ts'
import { apply } from './apply.ts'
import { findIntegration, integrationRef, readIntegration, statusChange } from './integration-row.ts'
import { releaseLease, runCheck, takeLease } from './run-check.ts'
import { aboutIntegration } from './snapshot.ts'

/**
 * Someone asks now: the ad system is asked outside of any transaction,
 * and what it said is applied if it is still about what is stored.
 */
export async function checkNow(
  call: Call<'verifyIntegration' | 'enableIntegration'>,
  trigger: 'verify' | 'enable',
): Promise<Answer<'verifyIntegration'>> {
  const { parts, now } = call
  const at = integrationRef(call)
  const snapshot = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
  const lease = await takeLease(parts, snapshot)
  try {
    // As it is now that nobody else may renew it.
    const row = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
    const checked = await runCheck(parts, row, now)
    return await transact(call, async (query, record) => {
      const locked = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
      const counts =
        checked !== undefined && checked.version === locked.credential_version && (trigger === 'enable') === (locked.status === 'disabled')
      if (counts) {
        const { state } = await apply(parts, query, locked, { trigger, credential: null, now, ...checked })
        const { verdict } = checked
        record(trigger === 'enable' ? 'integration.enabled' : 'integration.verified', {
          ...aboutIntegration(locked, { state }),
          outcome: verdict.outcome === 'verified' ? 'success' : 'failure',
          changes: statusChange(locked.status, state.status),
          metadata: verdict.outcome === 'verified' ? {} : { reason: verdict.reason },
        })
      }
      return readIntegration(parts, query, at)
    })
  } finally {
    await releaseLease(parts, snapshot, lease)
  }
}
