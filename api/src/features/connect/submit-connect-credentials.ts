import type { Answer } from '@adjoin/contract'
import type { Call, Handler } from '../../call.ts'
import { withOutcome } from '../../domain/integration.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { connectByForm } from '../../providers/session.ts'
import { formFields } from '../integrations/form.ts'
import { findIntegration } from '../integrations/integration-row.ts'
import { openVendorSession } from '../integrations/vendor-session.ts'
import { complete } from './complete.ts'
import { findLiveItem, findLiveLink, type LinkRow, refuseLink } from './find-link.ts'
import { noteStart } from './note-start.ts'
import { resultOf } from './result.ts'

export const submitConnectCredentials: Handler<'submitConnectCredentials'> = async (call) =>
  submit(call, await findLiveLink(call.parts, call.params.token))

export const submitConnectItemCredentials: Handler<'submitConnectItemCredentials'> = async (call) =>
  submit(call, await findLiveItem(call.parts, call.params))

type SubmitCall = Call<'submitConnectCredentials' | 'submitConnectItemCredentials'>

async function submit(call: SubmitCall, link: LinkRow): Promise<Answer<'submitConnectCredentials'>> {
  const { parts, body } = call
  const snapshot =
    (await findIntegration(parts.db.query, { organizationId: link.organization_id, id: link.integration_id })) ?? refuseLink()
  const { provider, fields } = formFields(snapshot.provider, body)
  await noteStart(call, link)
  const began = performance.now()
  const result = await connectByForm(openVendorSession(parts, link.organization_id, provider, fields, link.now), fields, {
    settings: snapshot.settings,
    expectedAccount: snapshot.expected_account,
  })
  const { row, stored, ...answer } = await complete(call, link, { provider, result, snapshot, durationMs: performance.now() - began })
  const { status, connectedAccount, statusDetail, lastError, reason, receiptUrl } = answer
  const outcome = stored ? 'connected' : 'failed'
  return {
    status,
    connectedAccount,
    statusDetail,
    lastError,
    reason,
    mustAct: whoMustAct(reason),
    // An item comes back to the list.
    returnUrl: link.way === 'item' ? null : row.return_url && withOutcome(row.return_url, outcome, row.id),
    receiptUrl,
    result: await resultOf(parts, row, link, { outcome, consented: stored }),
  }
}
