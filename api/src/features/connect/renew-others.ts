import type { Answer } from '@adjoin/contract'
import { transact } from '../../audit/transact.ts'
import type { Call, Handler } from '../../call.ts'
import { outsideRequest } from '../../db/budget.ts'
import type { RunQuery } from '../../db/sql.ts'
import { findProvider } from '../../providers/index.ts'
import type { Credential, Provider } from '../../providers/provider.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { check } from '../../providers/session.ts'
import { refuse } from '../../refusal.ts'
import { apply, reconcileAttempt } from '../integrations/apply.ts'
import { openCredential } from '../integrations/credential.ts'
import { findIntegration, statusChange } from '../integrations/integration-row.ts'
import { releaseLease, tryLease } from '../integrations/run-check.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'
import { openVendorSession } from '../integrations/vendor-session.ts'
import { client } from './note-start.ts'
import { type OtherRow, othersOf } from './others.ts'
import { isStillOpen, readConnected, type Visited } from './result.ts'

type RenewCall = Call<'renewWithSameLogin'>
type Renewed = Answer<'renewWithSameLogin'>['results'][number]

/** How many are verified at once for one client, and for how long another is begun: what is left is asked for again. */
const AT_ONCE = 8
const LONGEST_MS = 8000

/** With the access that this very visit brought, for those that the client chose among the ones that were offered. */
export const renewWithSameLogin: Handler<'renewWithSameLogin'> = async (call) => {
  const { parts, params, body } = call
  const visited = await readConnected(parts, params.result)
  const { row, outcome } = visited
  const provider = findProvider(row.provider)
  if (outcome !== 'connected' || !provider || row.credential === null) return refuse('not_found')
  const credential = openCredential(parts, row, row.credential)
  const wanted = new Set(body.integrationIds)
  const others = (await othersOf(parts, row)).filter(({ id }) => wanted.has(id))
  const queue = others.values()
  const results: Renewed[] = []
  const until = performance.now() + LONGEST_MS
  const worker = async () => {
    for (const other of queue)
      results.push(
        performance.now() < until
          ? // Each has the time that a job has: together they wait longer for the database than a request may.
            await outsideRequest(() => renewOne(call, visited, provider, credential, other))
          : { id: other.id, outcome: 'later', reason: null, mustAct: null },
      )
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return { results }
}

/** Verified on its own first: its credential is replaced only where account and permissions fit, else it stays as it is. */
async function renewOne(call: RenewCall, visited: Visited, provider: Provider, credential: Credential, other: OtherRow): Promise<Renewed> {
  const { parts, origin } = call
  const { row: source, place } = visited
  const now = place.now
  const at = { organizationId: source.organization_id, id: other.id }
  const snapshot = await findIntegration(parts.db.query, at)
  const lease = snapshot && (await tryLease(parts, snapshot))
  if (!snapshot || !lease) return { id: other.id, outcome: 'failed', reason: 'busy', mustAct: 'nobody' }
  try {
    const began = performance.now()
    const session = openVendorSession(parts, at.organizationId, provider, credential.fields, now)
    const wanted = { settings: snapshot.settings, expectedAccount: snapshot.expected_account }
    // What is renewed on the way is stored with the rest, or not at all.
    const result = await check(session, credential, { ...wanted, store: async () => {} })
    const workspace = { id: other.workspace_id, slug: other.workspace_slug, name: other.workspace }
    const context = { parts, origin, organization: { id: at.organizationId }, workspace, via: 'connect' as const }
    return await transact(context, async (query, record): Promise<Renewed> => {
      const row = (await findIntegration(query, at, 'lock')) ?? refuse('not_found')
      if (!(await stillBrings(query, visited))) return refuse('not_found')
      const attempt = reconcileAttempt(row, snapshot, provider, result)
      const { verdict } = attempt
      const account = verdict.outcome === 'verified' ? verdict.account : null
      const reason = verdict.outcome !== 'verified' ? verdict.reason : row.connected_account !== account ? 'wrong_account' : null
      const metadata = { provider: row.provider, account, renewedWith: source.id, ...(reason && { reason }) }
      if (reason || row.status !== 'error') {
        record('integration.connect_failed', { actor: client, ...aboutIntegration(row), outcome: 'failure', metadata })
        return { id: row.id, outcome: 'failed', reason, mustAct: whoMustAct(reason) }
      }
      const durationMs = performance.now() - began
      const { state } = await apply(parts, query, row, { trigger: 'connect', sameLogin: true, ...attempt, durationMs, now })
      const changes = statusChange(row.status, state.status)
      record('integration.connected', { actor: client, ...aboutIntegration(row, { state, linkLives: false }), changes, metadata })
      return { id: row.id, outcome: 'connected', reason: null, mustAct: null }
    })
  } finally {
    await releaseLease(parts, snapshot, lease)
  }
}

/** What the visit brought may have ended while the ad system was asked: by the client, or by the agency. */
async function stillBrings(query: RunQuery, visited: Visited): Promise<boolean> {
  const { organization_id: organizationId, id } = visited.row
  const source = await findIntegration(query, { organizationId, id })
  const brought = source && visited.isThen(source.connected_at) && source.credential !== null && source.status !== 'disabled'
  return Boolean(brought) && isStillOpen(query, visited)
}
