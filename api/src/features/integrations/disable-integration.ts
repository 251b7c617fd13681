import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { disabled } from '../../domain/integration.ts'
import { refuse } from '../../refusal.ts'
import { findIntegration, integrationRef, readIntegration, stateOf } from './integration-row.ts'
import { aboutIntegration } from './snapshot.ts'

/** Again: unchanged, and nothing is recorded, since nothing happened. */
export const disableIntegration: Handler<'disableIntegration'> = (call) =>
  transact(call, async (query, record) => {
    const at = integrationRef(call)
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    if (row.status !== 'disabled') {
      const state = disabled(stateOf(row))
      const { status, enabledStatus } = state
      await query(
        sql`update integrations set status = ${status}, enabled_status = ${enabledStatus}, updated_at = now() where organization_id = ${row.organization_id} and id = ${row.id}`,
      )
      record('integration.disabled', { ...aboutIntegration(row, { state }), changes: [{ field: 'status', from: row.status, to: status }] })
    }
    return readIntegration(call.parts, query, at)
  })
