// Checks and refreshes in the background: taken from the table by due time,
// a few at once, in memory that does not grow with the table.
import { type EntryWorkspace, system, transact } from '../../audit/transact.ts'
import type { Parts } from '../../call.ts'
import { exactly } from '../../db/exactly.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { type LeaseLoop, leaseLoop } from '../../jobs/lease-loop.ts'
import { freeRows, leaseRows } from '../../jobs/lease-rows.ts'
import { apply } from './apply.ts'
import { findIntegration, type IntegrationRow } from './integration-row.ts'
import { type CheckResult, LEASE_SECONDS, type Lease, releaseOnce, runCheck } from './run-check.ts'
import { aboutIntegration } from './snapshot.ts'

/** `running` is how many ad systems are being asked by this process. */
export type HealthKeeper = Pick<LeaseLoop, 'running' | 'stop'>

export interface HealthKeeperOptions {
  /** How many ad systems are asked at once. */
  atOnce?: number
  idleMs?: number
  observe?: (outcome: string, provider: string, seconds: number) => void
}

interface LeasedRow {
  organization_id: string
  id: string
  check_due_at: Date | null
  renew_due_at: Date | null
  leased_until: Date
  lease: Lease
}

interface Due {
  readonly organization_id: string
  readonly id: string
  readonly check_due: boolean
  readonly renew_due: boolean
  readonly lease: Lease
  readonly now: Date
}

const isDue = (): Fragment => sql`credential is not null and status in ('active', 'error') and least(check_due_at, renew_due_at) <= now()
  and not exists (select 1 from organizations o where o.id = organization_id and o.frozen_at is not null)`

/** How many wait for a check or a renewal, over all replicas. */
export async function countDue({ db }: Pick<Parts, 'db'>): Promise<number> {
  const [row] = await db.query<{ n: number }>(sql`select count(*)::int as n from integrations where ${isDue()}`)
  return row!.n
}

/** The seconds that the oldest of them has waited. */
export async function longestDue({ db }: Pick<Parts, 'db'>): Promise<number> {
  const [row] = await db.query<{ seconds: number }>(
    sql`select coalesce(extract(epoch from now() - min(least(check_due_at, renew_due_at))), 0)::float8 as seconds from integrations where ${isDue()}`,
  )
  return row!.seconds
}

const isPast = (at: Date | null, now: Date): boolean => at !== null && at <= now

/** A lease that its holder did not live to end runs out, and another process takes over. */
async function leaseDue({ db }: Parts, places: number): Promise<Due[]> {
  const isFree = sql`${isDue()} and (leased_until is null or leased_until < now())`
  const leased = await leaseRows<LeasedRow>(
    db,
    sql`select organization_id, id from integrations where ${isFree} order by least(check_due_at, renew_due_at) limit ${places}`,
    (organizationId, ids) => sql`update integrations set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where organization_id = ${organizationId} and id in ${freeRows(sql`integrations`, organizationId, ids, isFree)}
      returning organization_id, id, check_due_at, renew_due_at, leased_until, ${exactly(sql`leased_until`)} as lease`,
  )
  return leased.map(({ check_due_at, renew_due_at, leased_until, ...row }) => {
    const now = new Date(leased_until.getTime() - LEASE_SECONDS * 1000)
    return { ...row, check_due: isPast(check_due_at, now), renew_due: isPast(renew_due_at, now), now }
  })
}

export const keepHealthy = (parts: Parts, { atOnce = 32, idleMs, observe }: HealthKeeperOptions = {}): HealthKeeper =>
  leaseLoop<Due>({
    width: atOnce,
    idleMs,
    tracer: parts.tracer,
    spanName: () => 'check',
    log: parts.log,
    waits: 'checks wait for the database',
    take: (places) => leaseDue(parts, places),
    run: (due) =>
      checkOne(parts, due, observe).catch((error) => parts.log.error({ err: error, integration: due.id }, 'a check failed unexpectedly')),
  })

/**
 * A run that fails by itself leaves its lease to run out:
 * it is tried again after that, not at once and for ever.
 */
async function checkOne(parts: Parts, due: Due, observe?: HealthKeeperOptions['observe']): Promise<void> {
  const row = await findIntegration(parts.db.query, { organizationId: due.organization_id, id: due.id })
  if (!row) return
  if (row.status !== 'disabled') {
    // A renewal alone proves little: only a check brings an integration back from error.
    const checks = due.check_due || row.status === 'error'
    const checked = await runCheck(parts, row, due.now, !due.renew_due ? 'check' : checks ? 'renew_and_check' : 'renew')
    if (checked) {
      observe?.(checked.verdict.outcome, row.provider, checked.durationMs / 1000)
      // A renewal that went well leaves nothing to say.
      if (checks || checked.verdict.outcome !== 'verified')
        await applyCheck(parts, row, due.now, checked, due.check_due ? 'check' : 'refresh')
    }
  }
  await releaseOnce(parts, row, due.lease)
}

async function applyCheck(
  parts: Parts,
  snapshot: IntegrationRow,
  now: Date,
  checked: CheckResult,
  trigger: 'check' | 'refresh',
): Promise<void> {
  const [workspace] = await parts.db.query<EntryWorkspace>(
    sql`select id, slug, name from workspaces where organization_id = ${snapshot.organization_id} and id = ${snapshot.workspace_id}`,
  )
  await transact({ parts, organization: { id: snapshot.organization_id }, workspace, via: 'job' }, async (query, record) => {
    const row = await findIntegration(query, { organizationId: snapshot.organization_id, id: snapshot.id }, 'lock')
    if (!row || row.status === 'disabled' || row.credential_version !== checked.version) return
    const { verdict, durationMs } = checked
    const { state } = await apply(parts, query, row, { trigger, credential: null, now, verdict, durationMs })
    if (state.status !== row.status)
      record('integration.status_changed', {
        actor: system,
        ...aboutIntegration(row, { state }),
        changes: [{ field: 'status', from: row.status, to: state.status }],
        metadata: verdict.outcome === 'verified' ? {} : { reason: verdict.reason },
      })
  })
}
