import { signCheckpoint, type TrailHead } from '../../audit/checkpoint.ts'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'

/**
 * A checkpoint that was stored elsewhere proves that the trail up to it has not changed since,
 * even if somebody can write to the database.
 */
export const getAuditCheckpoint: Handler<'getAuditCheckpoint'> = async ({ parts, organization }) => {
  const [head] = await parts.db.query<TrailHead>(sql`select organization_id as id, sequence, hash,
    date_trunc('milliseconds', clock_timestamp()) as now from audit_heads where organization_id = ${organization.id}`)
  return { ...signCheckpoint(parts.secrets.signingKey, head!), createdAt: head!.now }
}
