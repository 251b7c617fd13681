import { transact } from '../../audit/transact.ts'
import type { Call, Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { disabled } from '../../domain/integration.ts'
import { connectByForm } from '../../providers/session.ts'
import { refuse } from '../../refusal.ts'
import { apply } from './apply.ts'
import { formFields } from './form.ts'
import { findIntegration, stateOf, targetOf, toIntegration } from './integration-row.ts'
import { lease, release, runCheck } from './run-check.ts'
import { vendorLine } from './vendor-line.ts'
import { verdictOf } from './verdict.ts'

const placeOf = ({ organization, workspace, params }: Call<'getIntegration'>) => ({
  organizationId: organization.id,
  workspaceId: workspace.id,
  id: params.id,
})

/** Members connect without a link; recorded exactly as on the connect page, save who did it. */
export const submitIntegrationCredentials: Handler<'submitIntegrationCredentials'> = async (call) => {
  const { parts, body, now } = call
  const at = placeOf(call as never)
  const seen = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
  const { provider, fields } = formFields(seen.provider, body)
  const began = performance.now()
  const { outcome, credential } = await connectByForm(vendorLine(parts, provider, fields, now), fields, {
    settings: seen.settings,
    expectedAccount: seen.expected_account,
  })
  const verdict = verdictOf(provider, outcome)
  return transact(call, async (query, record) => {
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    const { stored, state } = await apply(parts, query, row, {
      trigger: 'connect',
      verdict,
      credential,
      durationMs: performance.now() - began,
      now,
    })
    record(stored ? 'integration.connected' : 'integration.connect_failed', {
      target: targetOf(row),
      outcome: stored ? 'success' : 'failure',
      changes: state.status === row.status ? [] : [{ field: 'status', from: row.status, to: state.status }],
      metadata: {
        provider: provider.id,
        account: state.connectedAccount,
        ...(verdict.outcome !== 'verified' && { reason: verdict.reason }),
      },
    })
    return toIntegration(parts, (await findIntegration(query, at))!)
  })
}

export const verifyIntegration: Handler<'verifyIntegration'> = async (call) => {
  const seen = (await findIntegration(call.parts.db.query, placeOf(call as never))) ?? refuse('not_found')
  if (seen.status === 'disabled') refuse('integration_disabled')
  if (seen.credential === null) refuse('integration_unconnected')
  return checkNow(call as never, 'verify')
}

/** Verified at once; one that was never connected waits for its client again. */
export const enableIntegration: Handler<'enableIntegration'> = async (call) => {
  const { parts } = call
  const at = placeOf(call as never)
  const seen = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
  if (seen.status !== 'disabled') return toIntegration(parts, seen)
  if (seen.credential !== null) return checkNow(call as never, 'enable')
  return transact(call, async (query, record) => {
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    if (row.status === 'disabled') {
      const status = row.enabled_status ?? 'pending'
      await query(
        sql`update integrations set status = ${status}, enabled_status = null, updated_at = now() where organization_id = ${row.organization_id} and id = ${row.id}`,
      )
      record('integration.enabled', { target: targetOf(row), changes: [{ field: 'status', from: 'disabled', to: status }] })
    }
    return toIntegration(parts, (await findIntegration(query, at))!)
  })
}

async function checkNow(call: Call<'verifyIntegration'>, trigger: 'verify' | 'enable') {
  const { parts, now } = call
  const at = placeOf(call as never)
  const seen = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
  await lease(parts, seen)
  try {
    const row = (await findIntegration(parts.db.query, at)) ?? refuse('not_found') // as it is now that nobody else may renew it
    const checked = await runCheck(parts, row, now)
    return await transact(call, async (query, record) => {
      const locked = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
      const counts =
        checked !== undefined && checked.version === locked.credential_version && (trigger === 'enable') === (locked.status === 'disabled')
      if (counts) {
        const { state } = await apply(parts, query, locked, { trigger, credential: null, now, ...checked })
        const { verdict } = checked
        record(trigger === 'enable' ? 'integration.enabled' : 'integration.verified', {
          target: targetOf(locked),
          outcome: verdict.outcome === 'verified' ? 'success' : 'failure',
          changes: state.status === locked.status ? [] : [{ field: 'status', from: locked.status, to: state.status }],
          metadata: verdict.outcome === 'verified' ? {} : { reason: verdict.reason },
        })
      }
      return toIntegration(parts, (await findIntegration(query, at))!)
    })
  } finally {
    await release(parts, seen).catch(() => {})
  }
}

/** Again: unchanged, and nothing is recorded, since nothing happened. */
export const disableIntegration: Handler<'disableIntegration'> = (call) =>
  transact(call, async (query, record) => {
    const at = placeOf(call as never)
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    if (row.status !== 'disabled') {
      const { status, enabledStatus } = disabled(stateOf(row))
      await query(
        sql`update integrations set status = ${status}, enabled_status = ${enabledStatus}, updated_at = now() where organization_id = ${row.organization_id} and id = ${row.id}`,
      )
      record('integration.disabled', { target: targetOf(row), changes: [{ field: 'status', from: row.status, to: status }] })
    }
    return toIntegration(call.parts, (await findIntegration(query, at))!)
  })
