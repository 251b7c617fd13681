// Ends at the ad systems what deleted integrations could do there: a few at once, tried until it is done or 48 hours have passed.
import type { Parts } from '../../call.ts'
import { exactly } from '../../db/exactly.ts'
import { sql } from '../../db/sql.ts'
import { type LeaseLoop, leaseLoop } from '../../jobs/lease-loop.ts'
import { freeRows, leaseRows } from '../../jobs/lease-rows.ts'
import { findProvider } from '../../providers/index.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { revoke } from '../../providers/session.ts'
import { isSealBroken } from '../../vault/seal.ts'
import { hashesOfGrant, openForRevocation } from './credential.ts'
import { LEASE_SECONDS, type Lease } from './run-check.ts'
import { openVendorSession } from './vendor-session.ts'

const AT_ONCE = 8

interface QueuedRow {
  organization_id: string
  id: string
  provider: string
  credential: string
  grant_hash: Buffer | null
  working: boolean
  over: boolean
  now: Date
  lease: Lease
}

const isDue = sql`due_at <= now() and (leased_until is null or leased_until < now())`

/** A lease that its holder did not live to end runs out, and another process takes over. */
const leaseDue = ({ db }: Parts, places: number): Promise<QueuedRow[]> =>
  leaseRows<QueuedRow>(
    db,
    sql`select organization_id, id from revocations where ${isDue} order by due_at limit ${places}`,
    (organizationId, ids) => sql`update revocations set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where organization_id = ${organizationId} and id in ${freeRows(sql`revocations`, organizationId, ids, isDue)}
      returning organization_id, id, provider, credential, grant_hash, working, ends_at <= now() as over, now() as now,
        ${exactly(sql`leased_until`)} as lease`,
  )

export const revokeQueued = (parts: Parts): LeaseLoop =>
  leaseLoop<QueuedRow>({
    width: AT_ONCE,
    tracer: parts.tracer,
    spanName: () => 'revoke',
    log: parts.log,
    waits: 'revocations wait for the database',
    take: (places) => leaseDue(parts, places),
    run: (row) =>
      revokeOne(parts, row).catch((error) =>
        parts.log.error({ err: error, integration: row.id }, 'a revocation failed unexpectedly; it is tried again when its lease expires'),
      ),
  })

/** Its end is written only by whoever holds the lease: nobody else's outcome counts. */
async function revokeOne(parts: Parts, row: QueuedRow): Promise<void> {
  const outcome = await outcomeOf(parts, row)
  parts.log.info({ integration: row.id, outcome }, 'access of a deleted integration at its ad system')
  const ours = sql`organization_id = ${row.organization_id} and id = ${row.id} and ${exactly(sql`leased_until`)} = ${row.lease}`
  // With it ended whatever else was queued by then of the same access.
  const ended = sql`organization_id = ${row.organization_id} and grant_hash = ${row.grant_hash}
    and ends_at <= (select ends_at from revocations where ${ours})`
  if (outcome === 'revoked') await parts.db.query(sql`delete from revocations where (${ours}) or (${ended})`)
  else if (outcome !== 'later') await parts.db.query(sql`delete from revocations where ${ours}`)
  else
    await parts.db.query(sql`update revocations set leased_until = null, tries = tries + 1,
      due_at = least(now() + make_interval(secs => least(10 * 2 ^ least(tries, 12), 3600)), ends_at) where ${ours}`)
}

async function outcomeOf(parts: Parts, row: QueuedRow): Promise<'revoked' | 'refused' | 'kept' | 'given up' | 'later'> {
  const provider = findProvider(row.provider)
  if (row.over || !provider?.revoke) return 'given up'
  try {
    const credential = openForRevocation(parts, row)
    if (await isNeeded(parts, row, hashesOfGrant(parts, provider, credential))) return 'kept'
    const answer = await revoke(openVendorSession(parts, row.organization_id, provider, credential.fields, row.now), credential)
    if (answer.outcome === 'unreachable') return 'later'
    // What only the operator can mend says nothing about the access: it is tried again.
    if (answer.outcome === 'rejected') return whoMustAct(answer.reason) === 'operator' ? 'later' : 'refused'
    return 'revoked'
  } catch (error) {
    if (isSealBroken(error)) return 'given up'
    parts.log.warn({ err: error, integration: row.id }, 'could not revoke access at the ad system; trying again later')
    return 'later'
  }
}

/**
 * Is the same person's access still used by an integration, of whatever organization? Then revoking would break that one.
 * Or does another wait to be revoked that comes after this one? The last of them revokes: all agree on which one that is,
 * and where it has done so, what it ended is no longer here.
 */
async function isNeeded({ db }: Parts, { id, grant_hash, working }: QueuedRow, hashes: readonly Buffer[]): Promise<boolean> {
  if (!grant_hash) return false
  const [used] = await db.query(
    sql`select from integrations where grant_hash = any(${[grant_hash, ...hashes]}::bytea[]) and credential is not null limit 1`,
  )
  if (used) return true
  const [last] = await db.query<{ id: string }>(
    sql`select id from revocations where grant_hash = ${grant_hash} and (working, id) >= (${working}, ${id}) order by working desc, id desc limit 1`,
  )
  return last?.id !== id
}
