import type { Handler } from '../../call.ts'
import { withOutcome } from '../../domain/integration.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { connectByForm } from '../../providers/session.ts'
import { formFields } from '../integrations/form.ts'
import { findIntegration } from '../integrations/integration-row.ts'
import { openVendorSession } from '../integrations/vendor-session.ts'
import { complete } from './complete.ts'
import { findLiveLink, refuseLink } from './find-link.ts'
import { noteStart } from './note-start.ts'

export const submitConnectCredentials: Handler<'submitConnectCredentials'> = async (call) => {
  const { parts, params, body } = call
  const link = await findLiveLink(parts, params.token)
  const snapshot =
    (await findIntegration(parts.db.query, { organizationId: link.organization_id, id: link.integration_id })) ?? refuseLink()
  const { provider, fields } = formFields(snapshot.provider, body)
  const hash = parts.secrets.lookup('connect-link', params.token)
  await noteStart(call, link, hash)
  const began = performance.now()
  const result = await connectByForm(openVendorSession(parts, link.organization_id, provider, fields, link.now), fields, {
    settings: snapshot.settings,
    expectedAccount: snapshot.expected_account,
  })
  const { row, stored, ...answer } = await complete(call, link, hash, { provider, result, snapshot, durationMs: performance.now() - began })
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
