import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { findProvider } from '../../providers/index.ts'
import type { Credential, Provider } from '../../providers/provider.ts'
import { revoke } from '../../providers/session.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { hashesOfGrant, openCredential } from './credential.ts'
import { findIntegration, type IntegrationRow } from './integration-row.ts'
import { releaseLease, tryLease } from './run-check.ts'
import { openVendorSession } from './vendor-session.ts'

export interface EndedAccess {
  readonly revokedAtProvider: 'unsupported' | 'best_effort'
  /** Of the credential that was ended: one that came meanwhile is not. */
  readonly version: number
  /** Others lived on the same access: it is looked at again when this integration is gone, since they may go at the same moment. */
  readonly kept: boolean
}

export const untouched = ({ credential_version }: IntegrationRow): EndedAccess => ({
  revokedAtProvider: 'unsupported',
  version: credential_version,
  kept: false,
})

/**
 * Ends at the vendor what can be ended there, before the credential goes, and never in its way.
 * A running check may be renewing what is to be ended: it is waited for a moment, so that its new tokens end as well.
 * `best_effort` is all that the trail says of the attempt: whether it was made depends on other tenants, and is told to operators alone.
 */
export async function endAccess(parts: Parts, snapshot: IntegrationRow, now: Date, renew?: () => Promise<void>): Promise<EndedAccess> {
  const provider = findProvider(snapshot.provider)
  if (!provider?.revoke || snapshot.credential === null) return untouched(snapshot)
  const lease = await tryLease(parts, snapshot)
  const row = (await findIntegration(parts.db.query, { organizationId: snapshot.organization_id, id: snapshot.id })) ?? refuse('not_found')
  const version = row.credential_version
  let kept = false
  try {
    const credential = openCredential(parts, row, row.credential!)
    const session = openVendorSession(parts, row.organization_id, provider, credential.fields, now)
    const shared = await isShared(parts, row, provider, credential)
    kept = shared
    await renew?.() // what the ad system has ended cannot be rolled back
    // What stays is asked about instead: the time a deletion takes tells nobody who else uses this access.
    const { outcome } = await (shared ? provider.verify(session, credential, row.settings) : revoke(session, credential))
    parts.log.info(
      { integration: snapshot.id, outcome: shared ? 'kept' : outcome },
      'access at the ad system was revoked, or kept for other integrations',
    )
  } catch (error) {
    // A freeze keeps us from asking, and nobody from ending their access.
    if (error instanceof Refusal && error.code !== 'organization_frozen') throw error
    parts.log.warn({ err: error, integration: snapshot.id }, 'could not revoke access at the ad system')
  } finally {
    if (lease) await releaseLease(parts, snapshot, lease)
  }
  return { revokedAtProvider: 'best_effort', version, kept }
}

/**
 * Does another integration, of whatever organization,
 * live on the same person's access? Then ending it would break that one.
 */
async function isShared(parts: Parts, row: IntegrationRow, provider: Provider, credential: Credential): Promise<boolean> {
  const hashes = hashesOfGrant(parts, provider, credential)
  if (!hashes.length) return false
  const [other] = await parts.db.query(
    sql`select from integrations where grant_hash = any(${hashes}::bytea[]) and credential is not null and id <> ${row.id} limit 1`,
  )
  return other !== undefined
}
