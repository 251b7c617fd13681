// A connection that ends for good, by its client or on the agreed day: revoked at the vendor, its credential destroyed.
import { type Actor, type AuditContext, type EntryWorkspace, transact } from '../../audit/transact.ts'
import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { ended } from '../../domain/integration.ts'
import { findProvider } from '../../providers/index.ts'
import { describe } from '../../providers/reasons.ts'
import { reopenItems } from '../connect-requests/close-items.ts'
import { endAccess } from './end-access.ts'
import { findIntegration, type IntegrationRow, stateOf, statusChange } from './integration-row.ts'
import { queueRevocations } from './queue-revocations.ts'
import { aboutIntegration } from './snapshot.ts'
import { tellOwner } from './tell-owner.ts'

interface Ending {
  readonly kind: 'integration.disconnected' | 'integration.access_ended'
  readonly reason: 'client_disconnected' | 'access_ended'
  readonly actor: Actor
  readonly workspace: EntryWorkspace
  readonly context: Pick<AuditContext, 'origin' | 'via'>
  /** Asked again when the row is held: is it still to be ended? */
  readonly holds: (row: IntegrationRow) => boolean
  readonly now: Date
}

/** False: there was nothing to end, or no longer. Somebody may connect again meanwhile; hardly a third time. */
export async function endConnection(parts: Parts, at: { organizationId: string; id: string }, ending: Ending): Promise<boolean> {
  for (let attempt = 1; ; attempt++) {
    const snapshot = await findIntegration(parts.db.query, at)
    if (!snapshot || snapshot.credential === null || !ending.holds(snapshot)) return false
    const { version, revokedAtProvider, kept } = await endAccess(parts, snapshot, ending.now)
    const { workspace, context } = ending
    const done = await transact({ parts, organization: { id: at.organizationId }, workspace, ...context }, async (query, record) => {
      const row = await findIntegration(query, at, 'lock')
      if (!row || row.credential === null || !ending.holds(row)) return false
      if (row.credential_version !== version && attempt < 3) return undefined
      const detail = describe(findProvider(row.provider)?.name ?? row.provider, { reason: ending.reason })
      const state = ended(stateOf(row), ending.reason, detail, ending.now)
      if (kept) await queueRevocations(parts, query, { ...at, workspaceId: row.workspace_id })
      await query(sql`update integrations set status = ${state.status}, enabled_status = null, status_detail = ${detail},
          status_reason = ${ending.reason}, status_checked_at = ${ending.now}, last_error = null, last_error_reason = null, last_error_at = null,
          credential = null, credential_version = credential_version + 1, grant_hash = null, grant_ends_at = null, grant_end = null,
          check_due_at = null, renew_due_at = null, updated_at = ${ending.now}
        where organization_id = ${row.organization_id} and id = ${row.id}`)
      await query(
        sql`update receipts set ended_at = ${ending.now} where organization_id = ${row.organization_id} and integration_id = ${row.id}`,
      )
      if (row.unfinished_since) await reopenItems(query, row, ending.reason)
      await tellOwner(parts, query, row, 'failed', state)
      record(ending.kind, {
        actor: ending.actor,
        ...aboutIntegration(row, { state }),
        changes: statusChange(row.status, state.status),
        metadata: { provider: row.provider, account: row.connected_account, reason: ending.reason, revokedAtProvider },
      })
      return true
    })
    if (done !== undefined) return done
  }
}
