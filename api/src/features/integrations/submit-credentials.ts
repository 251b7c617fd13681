import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { connectByForm } from '../../providers/session.ts'
import { refuse } from '../../refusal.ts'
import { apply, broughtTo } from './apply.ts'
import { formFields } from './form.ts'
import { findIntegration, placeOf, shown, statusChange, targetOf } from './integration-row.ts'
import { vendorLine } from './vendor-line.ts'

/** Members connect without a link; recorded exactly as on the connect page, save who did it. */
export const submitIntegrationCredentials: Handler<'submitIntegrationCredentials'> = async (call) => {
  const { parts, body, now } = call
  const at = placeOf(call)
  const seen = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
  const { provider, fields } = formFields(seen.provider, body)
  const began = performance.now()
  const result = await connectByForm(vendorLine(parts, call.organization.id, provider, fields, now), fields, {
    settings: seen.settings,
    expectedAccount: seen.expected_account,
  })
  return transact(call, async (query, record) => {
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    const brought = broughtTo(row, seen, provider, result)
    const { verdict } = brought
    const { stored, state } = await apply(parts, query, row, { trigger: 'connect', ...brought, durationMs: performance.now() - began, now })
    record(stored ? 'integration.connected' : 'integration.connect_failed', {
      target: targetOf(row),
      outcome: stored ? 'success' : 'failure',
      changes: statusChange(row.status, state.status),
      metadata: {
        provider: provider.id,
        account: state.connectedAccount,
        ...(verdict.outcome !== 'verified' && { reason: verdict.reason }),
      },
    })
    return shown(parts, query, at)
  })
}
