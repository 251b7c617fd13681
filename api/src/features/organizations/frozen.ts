// A frozen organization sends nothing to ad systems.
// Whoever is about to has read so within the last second, or reads it again.
import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'
import { refuse } from '../../refusal.ts'

/**
 * A freeze is answered this long after its commit:
 * by then whoever had not seen it yet has begun, or looks again.
 */
export const FREEZE_SETTLES_MS = 1000
/** With room for what lies between a look and the socket. */
const LOOK_LASTS_MS = 500

export interface FreezeGuard {
  frozen(): Promise<boolean>
  /** Refuses while the organization is frozen. */
  pass(): Promise<void>
}

/** `seenAt`: when it was read, by performance.now(), that nothing is frozen. */
export function freezeGuard({ db }: Pick<Parts, 'db'>, organizationId: string, seenAt = Number.NEGATIVE_INFINITY): FreezeGuard {
  let last = seenAt
  const frozen = async () => {
    if (performance.now() - last < LOOK_LASTS_MS) return false
    const looked = performance.now()
    const [row] = await db.query(sql`select from organizations where id = ${organizationId} and frozen_at is not null`)
    if (!row) last = looked
    return row !== undefined
  }
  return {
    frozen,
    async pass() {
      if (await frozen()) refuse('organization_frozen')
    },
  }
}
