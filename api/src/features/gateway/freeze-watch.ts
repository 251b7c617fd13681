import type { Parts } from '../../call.ts'
import { sql } from '../../db/sql.ts'

const LOOK_EVERY_MS = 1000

/**
 * Answers under way are cut when their organization is frozen,
 * at whichever replica. Asks only while there are any.
 */
export function watchFreezes({ db, gateway, log }: Pick<Parts, 'db' | 'gateway' | 'log'>): { stop(): Promise<void> } {
  const look = async () => {
    const streaming = gateway.streams.organizations()
    if (!streaming.length) return
    const frozen = await db.query<{ id: string }>(
      sql`select id from organizations where id = any(${streaming}::uuid[]) and frozen_at is not null`,
    )
    for (const { id } of frozen) gateway.streams.cut(id)
  }
  const timer = setInterval(() => {
    look().catch((error) => log.warn({ err: error }, 'could not look for frozen organizations; trying again in a second'))
  }, LOOK_EVERY_MS)
  timer.unref()
  return { stop: async () => clearInterval(timer) }
}
