import { transact } from '../../audit/transact.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'
import { endAccess, untouched } from './end-access.ts'
import { findIntegration, integrationRef } from './integration-row.ts'
import { queueRevocations } from './queue-revocations.ts'
import { aboutIntegration } from './snapshot.ts'

/**
 * The sealed credential goes with the row, at once;
 * what the vendor can end is ended first, and never in the way.
 */
export const deleteIntegration: Handler<'deleteIntegration'> = async (call) => {
  const { parts, now, authority } = call
  const at = integrationRef(call)
  // A credential that came meanwhile is ended too before its row goes.
  // Somebody may connect once more; hardly a third time.
  for (let attempt = 1; ; attempt++) {
    const snapshot = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
    const renew = authority && (() => authority.renew())
    const { revokedAtProvider, version, kept } = call.preview ? untouched(snapshot) : await endAccess(parts, snapshot, now, renew)
    const gone = await transact(call, async (query, record) => {
      const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
      if (row.credential_version !== version && attempt < 3) return false
      if (kept || call.preview) await queueRevocations(parts, query, { ...at, id: row.id })
      await query(sql`delete from integrations where organization_id = ${row.organization_id} and id = ${row.id}`)
      record('integration.deleted', {
        ...aboutIntegration(row),
        metadata: { provider: row.provider, connectedAccount: row.connected_account, revokedAtProvider },
      })
      return true
    })
    if (gone) return undefined
  }
}
