import { transact } from '../../audit/transact.ts'
import type { Call, Handler, Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { findProvider } from '../../providers/index.ts'
import type { Credential } from '../../providers/provider.ts'
import { revoke } from '../../providers/session.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { grantHash, openCredential } from './credential.ts'
import { findIntegration, type IntegrationRow, integrationRef } from './integration-row.ts'
import { releaseLease, tryLease } from './run-check.ts'
import { aboutIntegration } from './snapshot.ts'
import { openVendorSession } from './vendor-session.ts'

type DeleteCall = Call<'deleteIntegration'>

/**
 * The sealed credential goes with the row, at once;
 * what the vendor can end is ended first, and never in the way.
 */
export const deleteIntegration: Handler<'deleteIntegration'> = async (call) => {
  const at = integrationRef(call)
  // A credential that came meanwhile is ended too before its row goes.
  // Somebody may connect once more; hardly a third time.
  for (let attempt = 1; ; attempt++) {
    const snapshot = (await findIntegration(call.parts.db.query, at)) ?? refuse('not_found')
    const { revokedAtProvider, version } = call.preview ? untouched(snapshot) : await endAccess(call, snapshot)
    const gone = await transact(call, async (query, record) => {
      const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
      if (row.credential_version !== version && attempt < 3) return false
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

const untouched = ({ credential_version }: IntegrationRow) => ({ revokedAtProvider: 'unsupported', version: credential_version })

/**
 * A running check may be renewing what is to be ended: it is waited for a moment,
 * so that its new tokens end as well. `best_effort` is all that the trail says of the attempt:
 * whether it was made depends on other tenants, and is told to operators alone.
 */
async function endAccess(
  { parts, now, authority }: DeleteCall,
  snapshot: IntegrationRow,
): Promise<{ revokedAtProvider: string; version: number }> {
  const provider = findProvider(snapshot.provider)
  if (!provider?.revoke || snapshot.credential === null) return untouched(snapshot)
  const lease = await tryLease(parts, snapshot)
  const row = (await findIntegration(parts.db.query, { organizationId: snapshot.organization_id, id: snapshot.id })) ?? refuse('not_found')
  const version = row.credential_version
  try {
    const credential = openCredential(parts, row, row.credential!)
    const session = openVendorSession(parts, row.organization_id, provider, credential.fields, now)
    const shared = await isShared(parts, row, credential)
    await authority?.renew() // what the ad system has ended cannot be rolled back
    // What stays is asked about instead: the time a deletion takes tells nobody who else uses this access.
    const { outcome } = await (shared ? provider.verify(session, credential, row.settings) : revoke(session, credential))
    parts.log.info(
      { integration: snapshot.id, outcome: shared ? 'kept' : outcome },
      'access at the ad system was revoked, or kept for other integrations',
    )
  } catch (error) {
    if (error instanceof Refusal) throw error
    parts.log.warn({ err: error, integration: snapshot.id }, 'could not revoke access at the ad system')
  } finally {
    if (lease) await releaseLease(parts, snapshot, lease)
  }
  return { revokedAtProvider: 'best_effort', version }
}

/**
 * Does another integration, of whatever organization,
 * live on the same person's access? Then ending it would break that one.
 */
async function isShared(parts: Parts, row: IntegrationRow, credential: Credential): Promise<boolean> {
  const hash = grantHash(parts, row, credential)
  if (!hash) return false
  const [other] = await parts.db.query(
    sql`select from integrations where grant_hash = ${hash} and credential is not null and id <> ${row.id} limit 1`,
  )
  return other !== undefined
}
