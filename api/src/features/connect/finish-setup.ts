// What is missing after access was given, added by the client: the account, or settings.
import { isDeepStrictEqual } from 'node:util'
import type { Answer, ProblemCode } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Call } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import type { FieldValues } from '../../providers/provider.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { refuse } from '../../refusal.ts'
import { noteFailure } from '../connect-requests/close-items.ts'
import { apply } from '../integrations/apply.ts'
import { findIntegration, type IntegrationRow, statusChange } from '../integrations/integration-row.ts'
import { type CheckResult, releaseLease, runCheck, takeLease } from '../integrations/run-check.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'
import { tellOwner } from '../integrations/tell-owner.ts'
import { client } from './note-start.ts'
import { isStillOpen, readConnected, type Visited } from './result.ts'

type SetupCall = Call<'chooseConnectAccount' | 'submitConnectSettings'>
type Choice = Answer<'chooseConnectAccount'>

interface Setup {
  /** Where it is not missing, or no longer. */
  readonly refusal: ProblemCode
  readonly isMissing: (row: IntegrationRow) => boolean
  /** As they are with what the client adds. */
  readonly settings: (row: IntegrationRow) => Promise<FieldValues>
  /** Was the same added before? */
  readonly isSet: (row: IntegrationRow) => boolean
  readonly metadata: Record<string, string>
}

/**
 * The ad system is asked first, alone over all replicas; of racing calls the first counts,
 * and what does not work is not kept.
 */
export async function finishSetup(call: SetupCall, setup: Setup): Promise<Choice> {
  const { parts, params, origin } = call
  const visited = await readConnected(parts, params.result)
  const at = { organizationId: visited.row.organization_id, id: visited.row.id }
  const workspace = { id: visited.row.workspace_id }
  // The ad system is asked in the same way, by the client or by a member.
  const asking = { ip: origin.ip, params: { id: at.id }, at: { organization: { id: at.organizationId }, workspace } }
  await parts.limit('verifyIntegration', asking)
  const lease = await takeLease(parts, visited.row)
  try {
    // As it is now that nobody else may choose or renew.
    const snapshot = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
    if (!visited.isThen(snapshot.connected_at) || !setup.isMissing(snapshot)) return repeated(snapshot, setup)
    const settings = await setup.settings(snapshot)
    const checked = await runCheck(parts, { ...snapshot, settings }, visited.place.now)
    return checked ? await keep(call, visited, { setup, snapshot, settings, checked }) : refuse(setup.refusal)
  } finally {
    await releaseLease(parts, visited.row, lease)
  }
}

/** What was answered the first time, when the same is sent again. */
function repeated(row: IntegrationRow, { isSet, refusal }: Setup): Choice {
  if (row.status === 'disabled' || !isSet(row)) return refuse(refusal)
  return { connectedAccount: row.connected_account, detail: null, reason: null, mustAct: null }
}

interface Checked {
  readonly setup: Setup
  readonly snapshot: IntegrationRow
  readonly settings: FieldValues
  readonly checked: CheckResult
}

function keep({ parts, origin }: SetupCall, visited: Visited, { setup, snapshot, settings, checked }: Checked): Promise<Choice> {
  const { row: before, place, isThen } = visited
  const { verdict, version } = checked
  const now = place.now
  const workspace = { id: before.workspace_id, slug: place.workspace_slug, name: place.workspace }
  const context = { parts, origin, organization: { id: before.organization_id }, workspace, via: 'connect' as const }
  return transact(context, async (query, record): Promise<Choice> => {
    const row = (await findIntegration(query, { organizationId: before.organization_id, id: before.id }, 'lock')) ?? refuse('not_found')
    // Its request or the organization may have ended this way while the ad system was asked.
    if (row.status === 'disabled' || !(await isStillOpen(query, visited))) return refuse('not_found')
    const same = row.credential_version === version && isDeepStrictEqual(row.settings, snapshot.settings)
    if (!same || !isThen(row.connected_at) || !setup.isMissing(row)) return refuse(setup.refusal)
    const about = { provider: row.provider, ...setup.metadata }
    if (verdict.outcome !== 'verified') {
      const { reason, detail } = verdict
      await noteFailure(query, row, reason)
      record('integration.connect_failed', { actor: client, ...aboutIntegration(row), outcome: 'failure', metadata: { ...about, reason } })
      return { connectedAccount: null, detail, reason, mustAct: whoMustAct(reason) }
    }
    await query(sql`update integrations set settings = ${JSON.stringify(settings)}, accounts_due_at = now(), updated_at = now()
      where organization_id = ${row.organization_id} and id = ${row.id}`)
    const { state } = await apply(parts, query, { ...row, updated_at: now }, { trigger: 'verify', credential: null, now, ...checked })
    await query(sql`update receipts set account = ${state.connectedAccount}
      where organization_id = ${row.organization_id} and integration_id = ${row.id} and ended_at is null`)
    await query(sql`delete from notices where organization_id = ${row.organization_id} and integration_id = ${row.id} and kind = 'failed'`)
    await tellOwner(parts, query, row, 'connected', state)
    record('integration.updated', {
      actor: client,
      ...aboutIntegration(row, { state }),
      changes: [{ field: 'settings', from: row.settings, to: settings }, ...statusChange(row.status, state.status)],
      metadata: about,
    })
    return { connectedAccount: state.connectedAccount, detail: null, reason: null, mustAct: null }
  })
}
