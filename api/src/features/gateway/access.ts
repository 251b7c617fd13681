// The credential that a call is made with: opened for this call, renewed first where it is about to expire.
import type { Parts } from '../../call.ts'
import type { Access } from '../../gateway/rules/rules.ts'
import type { Credential, Provider } from '../../providers/provider.ts'
import { isExpiring, secretsOf } from '../../providers/session.ts'
import { refuse } from '../../refusal.ts'
import { isSealBroken } from '../../vault/seal.ts'
import { openCredential } from '../integrations/credential.ts'
import { findIntegration, type IntegrationRow } from '../integrations/integration-row.ts'
import { releaseLease, runCheck, takeLease } from '../integrations/run-check.ts'

export interface OpenAccess extends Access {
  readonly row: IntegrationRow
  /** Where the system's twin is, in development. */
  readonly twin?: string | undefined
  /** What must not appear in anything that is passed on. */
  secrets(): string[]
}

export async function openAccess(
  parts: Parts,
  provider: Provider,
  row: IntegrationRow,
  now: Date,
  credential = readCredential(parts, row),
): Promise<OpenAccess | undefined> {
  if (isExpiring(provider, credential, now)) return renewedAccess(parts, provider, row, now)
  return accessOf(parts, provider, row, credential)
}

/**
 * One at a time over all replicas: whoever waited for another's renewal uses what it brought.
 * Undefined: the ad system gives no new access.
 */
export async function renewedAccess(
  parts: Parts,
  provider: Provider,
  snapshot: IntegrationRow,
  now: Date,
): Promise<OpenAccess | undefined> {
  const at = { organizationId: snapshot.organization_id, id: snapshot.id }
  const lease = await takeLease(parts, snapshot)
  try {
    const row = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
    if (row.credential_version === snapshot.credential_version) {
      const renewed = await runCheck(parts, row, now, 'renew')
      if (renewed && renewed.verdict.outcome === 'rejected') return undefined
      if (renewed && renewed.verdict.outcome === 'unreachable') refuse('vendor_unreachable')
    }
    const fresh = (await findIntegration(parts.db.query, at)) ?? refuse('not_found')
    return accessOf(parts, provider, fresh, readCredential(parts, fresh))
  } finally {
    await releaseLease(parts, snapshot, lease)
  }
}

function accessOf(parts: Parts, provider: Provider, row: IntegrationRow, credential: Credential): OpenAccess {
  const { app, version, twin } = parts.vendorSessions.settingsOf(provider)
  return {
    row,
    credential,
    app,
    version,
    twin,
    settings: row.settings,
    secrets: () =>
      [...secretsOf(provider, credential), ...Object.entries(app).flatMap(([name, value]) => (/id$/i.test(name) ? [] : [value]))].filter(
        (secret) => typeof secret === 'string',
      ),
  }
}

export function readCredential(parts: Parts, row: IntegrationRow): Credential {
  if (row.credential === null) return refuse('integration_unconnected')
  try {
    const sealed = row.credential
    return parts.gateway.openedCredentials.getOrMake(`${row.workspace_id}|${row.id}|${sealed}`, () =>
      Object.freeze(openCredential(parts, row, sealed)),
    )
  } catch (error) {
    if (isSealBroken(error)) return refuse('vendor_refused_credential')
    throw error
  }
}
