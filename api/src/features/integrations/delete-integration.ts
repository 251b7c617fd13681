import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { findProvider } from '../../providers/index.ts'
import { revoke } from '../../providers/session.ts'
import { refuse } from '../../refusal.ts'
import { openCredential } from './credential.ts'
import { findIntegration, placeOf, targetOf } from './integration-row.ts'
import { vendorLine } from './vendor-line.ts'

/** The sealed credential goes with the row, at once; what the vendor can end is ended first, and never in the way. */
export const deleteIntegration: Handler<'deleteIntegration'> = async (call) => {
  const { parts, now } = call
  const at = placeOf(call)
  const seen = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
  const provider = findProvider(seen.provider)
  let revoked = 'unsupported'
  if (provider?.revoke && seen.credential !== null) {
    try {
      const credential = openCredential(parts, seen, seen.credential)
      revoked = (await revoke(vendorLine(parts, provider, credential.fields, now), credential)).outcome
    } catch (error) {
      parts.log.warn({ err: error, integration: seen.id }, 'access was not revoked at the ad system')
      revoked = 'failed'
    }
  }
  return transact(call, async (query, record) => {
    const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
    await query(sql`delete from integrations where organization_id = ${row.organization_id} and id = ${row.id}`)
    record('integration.deleted', {
      target: targetOf(row),
      metadata: { provider: row.provider, connectedAccount: row.connected_account, revokedAtProvider: revoked },
    })
    return undefined
  })
}
