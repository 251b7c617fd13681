// What an ad system said becomes the integration's next state:
// the row, the check's record and the mails, in the caller's transaction.
import { isDeepStrictEqual } from 'node:util'
import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import {
  type CheckVerdict,
  mustAct,
  nextCheck,
  nextState,
  reasonOf,
  type State,
  type Transition,
  type Trigger,
  turnedToError,
} from '../../domain/integration.ts'
import { integrationConnectedMail, integrationErrorMail } from '../../mail/messages.ts'
import { findProvider } from '../../providers/index.ts'
import type { Credential, Provider } from '../../providers/provider.ts'
import { whoMustAct } from '../../providers/reasons.ts'
import { accessEnds, accountMismatch, type Result, renewalDue } from '../../providers/session.ts'
import { grantHash, sealCredential } from './credential.ts'
import { type IntegrationRow, stateOf } from './integration-row.ts'
import { verdictOf } from './verdict.ts'

export interface Attempt {
  readonly trigger: Trigger
  readonly verdict: CheckVerdict
  /** What was obtained; stored only where the state machine says so. */
  readonly credential: Credential | null
  readonly durationMs: number
  readonly now: Date
  /** A client came through the link, not a member through the form. */
  readonly byClient?: boolean
  /** What the ad system was asked with has changed since: it is asked again at once. */
  readonly recheck?: boolean
}

/**
 * What somebody brought, for the row as it is now that it is held. The account may have been pinned while the
 * ad system was being asked, and then counts; settings may have changed, and then only the next check knows.
 */
export function reconcileAttempt(
  row: IntegrationRow,
  snapshot: Pick<IntegrationRow, 'settings'>,
  provider: Provider,
  { outcome, credential }: Result,
): Pick<Attempt, 'verdict' | 'credential' | 'recheck'> {
  const { expected_account: expected } = row
  const unexpected = outcome.outcome === 'verified' && expected ? accountMismatch(expected, outcome.account) : null
  return {
    verdict: verdictOf(provider, unexpected ?? outcome, 'entered'),
    credential,
    recheck: !isDeepStrictEqual(row.settings, snapshot.settings),
  }
}

export interface AppliedAttempt extends Transition {
  readonly before: State
}

export async function apply(parts: Parts, query: RunQuery, row: IntegrationRow, attempt: Attempt): Promise<AppliedAttempt> {
  const before = stateOf(row)
  const transition = nextState(before, attempt.trigger, attempt.verdict, attempt.now)
  await writeState(query, row, attempt, transition)
  if (transition.stored && attempt.credential) await storeConnected(parts, query, row, attempt.credential)
  await writeCheck(query, row, attempt, transition.state)
  await mailCreator(parts, query, row, before, transition, attempt.byClient === true)
  return { ...transition, before }
}

async function writeState(
  query: RunQuery,
  row: IntegrationRow,
  { trigger, verdict, now, recheck }: Attempt,
  { state, stored }: Transition,
): Promise<void> {
  const next = nextCheck(state, now, Math.random)
  // A refused submission says nothing of the access that is stored: that one's checks come no later for it.
  const due = recheck ? sql`now()` : trigger === 'connect' && !stored ? sql`least(check_due_at, ${next})` : sql`${next}`
  // What was just refused or unreachable is not renewed before it is checked again:
  // logins and dead grants are not to be hammered at.
  const renew =
    trigger === 'connect' || verdict.outcome === 'verified'
      ? sql`renew_due_at`
      : sql`case when renew_due_at < ${next} then ${next} else renew_due_at end`
  await query(sql`update integrations set status = ${state.status}, enabled_status = ${state.enabledStatus}, status_detail = ${state.statusDetail},
      status_reason = ${state.statusReason}, status_checked_at = ${state.statusCheckedAt},
      last_error = ${state.lastError}, last_error_reason = ${state.lastErrorReason}, last_error_at = ${state.lastErrorAt},
      connected_at = ${state.connectedAt}, connected_account = ${state.connectedAccount}, check_due_at = ${due}, renew_due_at = ${renew},
      updated_at = ${state.status === row.status && !stored ? row.updated_at : now}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/**
 * A working credential is overwritten only by one that was just proved;
 * any link, expired too, is consumed with it.
 */
async function storeConnected(parts: Parts, query: RunQuery, row: IntegrationRow, credential: Credential): Promise<void> {
  const provider = findProvider(row.provider)!
  await query(sql`update integrations set credential = ${sealCredential(parts, row, credential)}, credential_version = credential_version + 1,
      renew_due_at = ${renewalDue(provider, credential)}, access_ends_at = ${accessEnds(provider, credential)}, expiring_noted = null, grant_hash = ${grantHash(parts, row, credential)}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
  await query(sql`delete from connect_links where organization_id = ${row.organization_id} and integration_id = ${row.id}`)
}

async function writeCheck(query: RunQuery, row: IntegrationRow, { trigger, verdict, durationMs }: Attempt, state: State): Promise<void> {
  const kind = trigger === 'enable' ? 'verify' : trigger
  const { reason, detail } = verdict.outcome === 'verified' ? { reason: null, detail: null } : verdict
  await query(sql`insert into integration_checks (organization_id, integration_id, kind, outcome, reason, detail, status, status_reason, duration_ms)
    values (${row.organization_id}, ${row.id}, ${kind}, ${verdict.outcome}, ${reason}, ${detail}, ${state.status}, ${reasonOf(state)},
      ${Math.round(durationMs)})`)
}

/**
 * The creator hears of it when a client has connected,
 * and once when the integration turns to error; not after leaving.
 */
async function mailCreator(
  parts: Parts,
  query: RunQuery,
  row: IntegrationRow,
  before: State,
  { state, stored }: Transition,
  byClient: boolean,
): Promise<void> {
  const connected = stored && byClient
  const failed = turnedToError(before, state)
  if (!connected && !failed) return
  const [place] = await query<{ email: string; organization: string; workspace: string; workspace_name: string }>(sql`
    select u.email, o.slug as organization, w.slug as workspace, w.name as workspace_name
    from members m join users u on u.id = m.user_id join organizations o on o.id = m.organization_id
    join workspaces w on w.organization_id = m.organization_id and w.id = ${row.workspace_id}
    where m.organization_id = ${row.organization_id} and m.user_id = ${row.created_by}`)
  if (!place) return
  const link = `${parts.config.publicUrl}/organizations/${place.organization}/workspaces/${place.workspace}/integrations/${row.id}`
  const what = { name: row.name, system: findProvider(row.provider)?.name ?? row.provider, workspace: place.workspace_name, link }
  const mail = failed
    ? integrationErrorMail({
        ...what,
        detail: state.statusDetail ?? '',
        mustAct: mustAct('error', whoMustAct(state.statusReason), false),
        connected: state.connectedAt !== null,
      })
    : integrationConnectedMail({ ...what, account: state.connectedAccount ?? '' })
  await parts.jobs.enqueue(query, 'mail.send', { to: place.email, ...mail }, { organizationId: row.organization_id })
}
