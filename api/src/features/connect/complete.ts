// What a client brought becomes the integration's credential,
// or its error; whichever way, in one transaction with the audit entry.
import type { IntegrationStatus } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Call } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import type { Provider } from '../../providers/provider.ts'
import type { Result } from '../../providers/session.ts'
import { refuse } from '../../refusal.ts'
import { apply, reconcileAttempt } from '../integrations/apply.ts'
import { findIntegration, type IntegrationRow, statusChange } from '../integrations/integration-row.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'
import { isStillLive, type LinkRow, refuseLink } from './find-link.ts'
import { auditContextOf, client } from './note-start.ts'

export interface Completion {
  readonly row: IntegrationRow
  readonly status: IntegrationStatus
  readonly connectedAccount: string | null
  readonly statusDetail: string | null
  readonly lastError: string | null
  /** Of this attempt. */
  readonly reason: string | null
  readonly stored: boolean
  readonly receiptUrl: string | null
}

/**
 * The integration's row is held, then the link is looked at again: of racing successes the first consumes
 * it and the others find it gone, as does whoever comes after a disable, a delete or a replacement.
 */
export async function complete(
  call: Pick<Call, 'parts' | 'origin'>,
  link: LinkRow,
  { provider, result, snapshot, durationMs }: { provider: Provider; result: Result; snapshot: IntegrationRow; durationMs: number },
): Promise<Completion> {
  const { parts } = call
  return transact(auditContextOf(call, link), async (query, record) => {
    const row = await findIntegration(query, { organizationId: link.organization_id, id: link.integration_id }, 'lock')
    if (!row || row.status === 'disabled' || !(await isStillLive(query, link)))
      return link.way === 'item' ? refuse('item_closed') : refuseLink()
    const attempt = reconcileAttempt(row, snapshot, provider, result)
    const reason = attempt.verdict.outcome === 'verified' ? null : attempt.verdict.reason
    const attempted = { trigger: 'connect', now: link.now, byClient: { language: link.language }, ...attempt, durationMs } as const
    const { state, stored, receiptUrl } = await apply(parts, query, row, attempted)
    if (!stored && link.item_id)
      await query(
        sql`update connect_items set failed_reason = ${reason} where organization_id = ${link.organization_id} and id = ${link.item_id}`,
      )
    record(stored ? 'integration.connected' : 'integration.connect_failed', {
      actor: client,
      ...aboutIntegration(row, { state, ...(stored && { linkLives: false }) }),
      outcome: stored ? 'success' : 'failure',
      changes: statusChange(row.status, state.status),
      metadata: {
        provider: row.provider,
        account: state.connectedAccount,
        ...(reason && { reason }),
      },
    })
    const { status, connectedAccount, statusDetail, lastError } = state
    return { row, status, connectedAccount, statusDetail, lastError, reason, stored, receiptUrl }
  })
}
