import type { Handler } from '../../call.ts'
import { withOutcome } from '../../domain/integration.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { connectByForm } from '../../providers/session.ts'
import { formFields } from '../integrations/form.ts'
import { findIntegration } from '../integrations/integration-row.ts'
import { vendorLine } from '../integrations/vendor-line.ts'
import { complete } from './complete.ts'
import { findLiveLink, refuseLink } from './find-link.ts'

export const submitConnectCredentials: Handler<'submitConnectCredentials'> = async (call) => {
  const { parts, params, body } = call
  const link = await findLiveLink(parts, params.token)
  const seen = (await findIntegration(parts.db.query, { organizationId: link.organization_id, id: link.integration_id })) ?? refuseLink()
  const { provider, fields } = formFields(seen.provider, body)
  const began = performance.now()
  const result = await connectByForm(vendorLine(parts, provider, fields, link.now), fields, {
    settings: seen.settings,
    expectedAccount: seen.expected_account,
  })
  const hash = parts.secrets.lookup('connect-link', params.token)
  const { row, stored, ...answer } = await complete(call, link, hash, { provider, result, seen, durationMs: performance.now() - began })
  const { status, connectedAccount, statusDetail, lastError, reason } = answer
  return {
    status,
    connectedAccount,
    statusDetail,
    lastError,
    reason,
    mustAct: whoMustAct(reason),
    returnUrl: row.return_url && withOutcome(row.return_url, stored ? 'connected' : 'failed', row.id),
  }
}
