import { createPublicKey, sign } from 'node:crypto'
import { checkpointText } from '@adjoin/contract/audit-chain'
import type { Handler } from '../../call.ts'
import { sql } from '../../db/sql.ts'

/**
 * A checkpoint that was stored elsewhere proves that the trail up to it has not changed since,
 * even if somebody can write to the database.
 */
export const getAuditCheckpoint: Handler<'getAuditCheckpoint'> = async ({ parts, organization }) => {
  const [head] = await parts.db.query<{ sequence: number; hash: Buffer; now: Date }>(sql`
    select sequence, hash, date_trunc('milliseconds', clock_timestamp()) as now from audit_heads where organization_id = ${organization.id}`)
  const { signingKey } = parts.secrets
  const statement = { organizationId: organization.id, sequence: head!.sequence, hash: head!.hash.toString('hex') }
  const text = checkpointText({ ...statement, createdAt: head!.now.toISOString() })
  return {
    ...statement,
    createdAt: head!.now,
    publicKey: createPublicKey(signingKey).export({ format: 'jwk' }).x!,
    signature: sign(null, Buffer.from(text), signingKey).toString('base64url'),
  }
}
