import type { EventIntegration } from '@adjoin/contract'
import type { State } from '../../domain/integration.ts'
import { standing, stateReasonsOf, type VisibleRow } from './integration-row.ts'

/** What a change makes of a row that was read before it. */
export interface SnapshotChange {
  readonly state?: State
  readonly name?: string
  /** Is there a connect link that works? */
  readonly linkLives?: boolean
}

const stateIn = (row: VisibleRow) => ({
  ...stateReasonsOf(row),
  status: row.status,
  connectedAccount: row.connected_account,
})

/** How an audit entry names an integration, and what events tell of it: as it is after the change. Never a secret, never a link. */
export function aboutIntegration(
  row: VisibleRow,
  { state, name = row.name, linkLives = (row.link_sealed !== null && !row.link_expired) || row.requested }: SnapshotChange = {},
): { target: { type: 'integration'; id: string; name: string }; integration: EventIntegration } {
  const shown = state ?? stateIn(row)
  const { status, connectedAccount } = shown
  return {
    target: { type: 'integration', id: row.id, name },
    integration: { id: row.id, name, provider: row.provider, status, ...standing(shown, linkLives), connectedAccount },
  }
}
