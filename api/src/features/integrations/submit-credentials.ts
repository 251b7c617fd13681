import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { connectByForm } from '../../providers/session.ts'
import { refuse } from '../../refusal.ts'
import { apply, reconcileAttempt } from './apply.ts'
import { formFields } from './form.ts'
import { findIntegration, integrationRef, readIntegration, statusChange } from './integration-row.ts'
import { aboutIntegration } from './snapshot.ts'
import { openVendorSession } from './vendor-session.ts'

/** Members connect without a link; recorded exactly as on the connect page, save who did it. */
export const submitIntegrationCredentials: Handler<'submitIntegrationCredentials'> = async (call) => {
  const { parts, body, now } = call
  const at = integrationRef(call)
  const snapshot = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
  const { provider, fields } = formFields(snapshot.provider, body)
  const began = performance.now()
  const result = await connectByForm(openVendorSession(parts, call.organization.id, provider, fields, now), fields, {
    settings: snapshot.settings,
    expectedAccount: snapshot.expected_account,
  })
  return transact(call, async (query, record) => {
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    const attempt = reconcileAttempt(row, snapshot, provider, result)
    const { verdict } = attempt
    const { stored, state } = await apply(parts, query, row, { trigger: 'connect', ...attempt, durationMs: performance.now() - began, now })
    record(stored ? 'integration.connected' : 'integration.connect_failed', {
      ...aboutIntegration(row, { state, ...(stored && { linkLives: false }) }),
      outcome: stored ? 'success' : 'failure',
      changes: statusChange(row.status, state.status),
      metadata: {
        provider: provider.id,
        account: state.connectedAccount,
        ...(verdict.outcome !== 'verified' && { reason: verdict.reason }),
      },
    })
    return readIntegration(parts, query, at)
  })
}
