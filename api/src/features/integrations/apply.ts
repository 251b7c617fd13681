// What an ad system said becomes the integration's next state:
// the row, the check's record and the mails, in the caller's transaction.
import { isDeepStrictEqual } from 'node:util'
import type { Language } from '@adjoin/contract'
import type { Parts } from '../../call.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import {
  type CheckVerdict,
  nextCheck,
  nextState,
  reasonOf,
  type State,
  type Transition,
  type Trigger,
  turnedToError,
} from '../../domain/integration.ts'
import { findProvider } from '../../providers/index.ts'
import type { Credential, Provider } from '../../providers/provider.ts'
import { accountMismatch, type Result, renewalDue } from '../../providers/session.ts'
import { closeItems, finishItems } from '../connect-requests/close-items.ts'
import { grantColumns, grantHash, sealCredential } from './credential.ts'
import { type IntegrationRow, stateOf } from './integration-row.ts'
import { makeReceipt } from './receipt-row.ts'
import { tellOwner } from './tell-owner.ts'
import { verdictOf } from './verdict.ts'

export interface Attempt {
  readonly trigger: Trigger
  readonly verdict: CheckVerdict
  /** What was obtained; stored only where the state machine says so. */
  readonly credential: Credential | null
  readonly durationMs: number
  readonly now: Date
  /** A client came through a link, not a member through the form: who gets a receipt, in their language. */
  readonly byClient?: { readonly language: Language | null }
  /** With the login that it was connected with before: the client's receipt of it stays. */
  readonly sameLogin?: boolean
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
  /** Of a client's success. */
  readonly receiptUrl: string | null
}

export async function apply(parts: Parts, query: RunQuery, row: IntegrationRow, attempt: Attempt): Promise<AppliedAttempt> {
  const before = stateOf(row)
  const transition = nextState(before, attempt.trigger, attempt.verdict, attempt.now)
  await writeState(query, row, attempt, transition)
  const receiptUrl =
    transition.stored && attempt.credential ? await storeConnected(parts, query, row, attempt, attempt.credential, transition.state) : null
  await writeCheck(query, row, attempt, transition.state)
  if (!transition.stored && finishes(attempt) && row.unfinished_since) await finishItems(parts, query, row)
  const connected = transition.stored && attempt.byClient !== undefined
  const halfway = connected && transition.state.status === 'error'
  const kind = turnedToError(before, transition.state) || halfway ? 'failed' : connected ? 'connected' : null
  // Its client is asked for what is missing on the page.
  const asked = halfway && transition.state.statusReason === 'setting_missing'
  if (kind) await tellOwner(parts, query, row, kind, transition.state, asked)
  return { ...transition, before, receiptUrl }
}

/** The connection works as it is now: what was asked with has not changed meanwhile. */
const finishes = ({ verdict, recheck }: Attempt): boolean => verdict.outcome === 'verified' && !recheck

async function writeState(query: RunQuery, row: IntegrationRow, attempt: Attempt, { state, stored }: Transition): Promise<void> {
  const { trigger, verdict, now, recheck } = attempt
  const next = nextCheck(state, now, Math.random)
  const unfinished =
    stored && !finishes(attempt) ? sql`now()` : stored || (finishes(attempt) && trigger !== 'connect') ? sql`null` : sql`unfinished_since`
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
      unfinished_since = ${unfinished},
      updated_at = ${state.status === row.status && !stored ? row.updated_at : now}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}

/**
 * A working credential is overwritten only by one that was just proved; every way to it,
 * expired too, is consumed with it, and the receipt of the access before is void.
 */
async function storeConnected(
  parts: Parts,
  query: RunQuery,
  row: IntegrationRow,
  attempt: Attempt,
  credential: Credential,
  state: State,
): Promise<string | null> {
  const { byClient, sameLogin, now } = attempt
  const provider = findProvider(row.provider)!
  await query(sql`update integrations set credential = ${sealCredential(parts, row, credential)}, credential_version = credential_version + 1,
      renew_due_at = ${renewalDue(provider, credential)}, ${grantColumns(provider, credential)}, accounts_due_at = now(),
      grant_hash = ${grantHash(parts, row, credential)}
    where organization_id = ${row.organization_id} and id = ${row.id}`)
  await query(sql`delete from connect_links where organization_id = ${row.organization_id} and integration_id = ${row.id}`)
  const receipt = sql`organization_id = ${row.organization_id} and integration_id = ${row.id}`
  if (sameLogin)
    await query(
      sql`update receipts set connected_at = ${now}, account = ${state.connectedAccount}, scopes = ${credential.scopes} where ${receipt}`,
    )
  else await query(sql`delete from receipts where ${receipt}`)
  const receiptUrl = byClient
    ? await makeReceipt(parts, query, row, { connectedAt: now, account: state.connectedAccount, scopes: credential.scopes, ...byClient })
    : null
  await closeItems(parts, query, row)
  return receiptUrl
}

async function writeCheck(query: RunQuery, row: IntegrationRow, { trigger, verdict, durationMs }: Attempt, state: State): Promise<void> {
  const kind = trigger === 'enable' ? 'verify' : trigger
  const { reason, detail } = verdict.outcome === 'verified' ? { reason: null, detail: null } : verdict
  const counts = (outcome: CheckVerdict['outcome']) => (verdict.outcome === outcome ? 1 : 0)
  const [made] = await query<{
    checked_at: Date
  }>(sql`insert into integration_checks (organization_id, integration_id, kind, outcome, reason,
      detail, status, status_reason, duration_ms)
    values (${row.organization_id}, ${row.id}, ${kind}, ${verdict.outcome}, ${reason}, ${detail}, ${state.status}, ${reasonOf(state)},
      ${Math.round(durationMs)}) returning checked_at`)
  await query(sql`insert into integration_days as d (organization_id, integration_id, day, verified, rejected, unreachable)
    values (${row.organization_id}, ${row.id}, ${made!.checked_at.toISOString().slice(0, 10)}, ${counts('verified')}, ${counts('rejected')},
      ${counts('unreachable')})
    on conflict (organization_id, integration_id, day) do update set verified = d.verified + excluded.verified,
      rejected = d.rejected + excluded.rejected, unreachable = d.unreachable + excluded.unreachable`)
}
