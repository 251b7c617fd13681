import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { waiting } from '../../domain/integration.ts'
import { refuse } from '../../refusal.ts'
import { checkNow } from './check-now.ts'
import { findIntegration, integrationRef, readIntegration, stateOf, toIntegration } from './integration-row.ts'
import { aboutIntegration } from './snapshot.ts'

/** Verified at once; one that was never connected waits for its client again. */
export const enableIntegration: Handler<'enableIntegration'> = async (call) => {
  const { parts } = call
  const at = integrationRef(call)
  const snapshot = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
  if (snapshot.status !== 'disabled') return toIntegration(parts, snapshot)
  if (snapshot.credential !== null) return checkNow(call, 'enable')
  return transact(call, async (query, record) => {
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    if (row.status === 'disabled') {
      const state = waiting(stateOf(row))
      const { status, enabledStatus, statusDetail, statusReason } = state
      await query(
        sql`update integrations set status = ${status}, enabled_status = ${enabledStatus}, status_detail = ${statusDetail},
            status_reason = ${statusReason}, updated_at = now()
          where organization_id = ${row.organization_id} and id = ${row.id}`,
      )
      record('integration.enabled', { ...aboutIntegration(row, { state }), changes: [{ field: 'status', from: 'disabled', to: status }] })
    }
    return readIntegration(parts, query, at)
  })
}
