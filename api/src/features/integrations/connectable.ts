import type { Parts } from '../../call.ts'
import { findProvider } from '../../providers/index.ts'
import { refuse } from '../../refusal.ts'

/** Why no client could connect it: what it is has left the catalogue, or the operator has not set it up. */
export function connectRefusal({ vendorSessions }: Parts, provider: string): { detail?: string } | undefined {
  const known = findProvider(provider)
  if (!known)
    return {
      detail:
        'This ad system is no longer supported here, so nobody can connect it. You can delete the integration; its audit entries stay.',
    }
  return vendorSessions.available(known) ? undefined : {}
}

/** What cannot be connected is no task for a client: neither an integration nor a link is made for it. */
export function refuseUnconnectable(parts: Parts, provider: string): void {
  const refusal = connectRefusal(parts, provider)
  if (refusal) refuse('provider_unavailable', refusal)
}
