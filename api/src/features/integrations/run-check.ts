// One check of one integration: alone over all replicas, outside of any transaction meanwhile.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Parts } from '../../call.ts'
import { outsideRequest } from '../../db/budget.ts'
import { exactly } from '../../db/exactly.ts'
import { sql } from '../../db/sql.ts'
import type { CheckVerdict } from '../../domain/integration.ts'
import { findProvider } from '../../providers/index.ts'
import type { Credential, Provider } from '../../providers/provider.ts'
import { check, renew } from '../../providers/session.ts'
import { refuse } from '../../refusal.ts'
import { isSealBroken } from '../../vault/seal.ts'
import { grantColumns, openCredential, storeRenewed } from './credential.ts'
import type { IntegrationRow } from './integration-row.ts'
import { openVendorSession } from './vendor-session.ts'
import { refusedVerdict, verdictOf } from './verdict.ts'

export interface CheckResult {
  readonly verdict: CheckVerdict
  readonly durationMs: number
  /** The version of the credential that was checked: an outcome counts only while it is stored. */
  readonly version: number
}

/** Until when it is ours, to the microsecond: no other holder has the same. */
export type Lease = string
/** A renewal alone, a check alone, or the one before the other. */
export type Task = 'check' | 'renew' | 'renew_and_check'

/**
 * Much longer than a run with an ad system may take:
 * who holds one longer is dead or stopped, and what it finds no longer counts.
 */
export const LEASE_SECONDS = 45
/** With the ten seconds of an ad system that says nothing, whoever waited is answered within 15. */
const WAIT_MS = 3000

/**
 * Waits a moment for a running check to end.
 * What is returned marks this lease as ours: one that ran out is not ours to end.
 */
export async function tryLease({ db }: Pick<Parts, 'db'>, row: IntegrationRow): Promise<Lease | undefined> {
  for (const until = performance.now() + WAIT_MS; ; await sleep(100)) {
    const [taken] = await db.query<{
      lease: Lease
    }>(sql`update integrations set leased_until = now() + make_interval(secs => ${LEASE_SECONDS})
      where organization_id = ${row.organization_id} and id = ${row.id} and (leased_until is null or leased_until < now())
      returning ${exactly(sql`leased_until`)} as lease`)
    if (taken || performance.now() > until) return taken?.lease
  }
}

/** A person who asks "now" is told rather than kept waiting. */
export const takeLease = async (parts: Pick<Parts, 'db'>, row: IntegrationRow): Promise<Lease> =>
  (await tryLease(parts, row)) ?? refuse('check_running', { headers: { 'retry-after': '5' } })

export async function releaseOnce({ db }: Pick<Parts, 'db'>, row: IntegrationRow, lease: Lease): Promise<void> {
  await db.query(sql`update integrations set leased_until = null
    where organization_id = ${row.organization_id} and id = ${row.id} and ${exactly(sql`leased_until`)} = ${lease}`)
}

/**
 * A database that is away just now, or a request whose time is up,
 * must not keep the integration busy until the lease runs out.
 */
export async function releaseLease(parts: Pick<Parts, 'db'>, row: IntegrationRow, lease: Lease): Promise<void> {
  const later = async () => {
    for (let tries = 0; tries < LEASE_SECONDS; tries++) {
      await sleep(1000, undefined, { ref: false })
      const done = await releaseOnce(parts, row, lease).then(
        () => true,
        () => false,
      )
      if (done) return
    }
  }
  await releaseOnce(parts, row, lease).catch(() => void outsideRequest(later))
}

/** Undefined: the credential was replaced while we asked, so what we learned is about nothing that exists. */
export async function runCheck(parts: Parts, row: IntegrationRow, now: Date, task: Task = 'check'): Promise<CheckResult | undefined> {
  const began = performance.now()
  const provider = findProvider(row.provider)
  if (row.credential === null) return undefined
  let version = row.credential_version
  if (!provider) return { verdict: refusedVerdict(row.provider, 'left_catalogue'), durationMs: 0, version }
  const store = async (credential: Credential) => {
    if (!(await storeRenewed(parts, parts.db.query, row, provider, credential, version))) throw new Superseded()
    version++
  }
  try {
    const verdict = await askVendor(parts, row, provider, now, task, store)
    return { verdict, durationMs: performance.now() - began, version }
  } catch (error) {
    if (error instanceof Superseded) return undefined
    throw error
  }
}

async function askVendor(
  parts: Parts,
  row: IntegrationRow,
  provider: Provider,
  now: Date,
  task: Task,
  store: (credential: Credential) => Promise<void>,
): Promise<CheckVerdict> {
  let credential: Credential
  try {
    credential = openCredential(parts, row, row.credential!)
  } catch (error) {
    if (isSealBroken(error)) return refusedVerdict(provider.name, 'credential_unreadable')
    throw error
  }
  // Stored before it was kept when a grant ends.
  if (row.grant_end === null)
    await parts.db.query(sql`update integrations set ${grantColumns(provider, credential)}
      where organization_id = ${row.organization_id} and id = ${row.id} and credential_version = ${row.credential_version}`)
  const session = openVendorSession(parts, row.organization_id, provider, credential.fields, now)
  if (task !== 'check') {
    const grant = await renew(session, credential, row.settings)
    if (grant.outcome !== 'granted') return verdictOf(provider, grant)
    await store(grant.credential)
    credential = grant.credential
  }
  if (task === 'renew') return { outcome: 'verified', account: row.connected_account ?? '' }
  const { outcome } = await check(session, credential, { settings: row.settings, expectedAccount: row.expected_account, store })
  return verdictOf(provider, outcome)
}

class Superseded extends Error {}
