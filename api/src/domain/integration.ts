import type { IntegrationStatus, MustAct } from '@adjoin/contract'

/** What an ad system said, as far as the state machine cares. */
export type CheckVerdict =
  | { readonly outcome: 'verified'; readonly account: string }
  | { readonly outcome: 'rejected'; readonly reason: string; readonly detail: string; readonly account?: string | undefined }
  | { readonly outcome: 'unreachable'; readonly reason: string; readonly detail: string }

/**
 * A client or member gives access · someone asks now · the schedule ·
 * tokens are renewed ahead · a disabled one is taken up again.
 */
export type Trigger = 'connect' | 'verify' | 'check' | 'refresh' | 'enable'

export interface State {
  readonly status: IntegrationStatus
  /** What `disabled` hides. */
  readonly enabledStatus: IntegrationStatus | null
  readonly statusDetail: string | null
  readonly statusReason: string | null
  readonly statusCheckedAt: Date | null
  readonly lastError: string | null
  readonly lastErrorReason: string | null
  readonly lastErrorAt: Date | null
  readonly connectedAt: Date | null
  readonly connectedAccount: string | null
}

export interface Transition {
  readonly state: State
  /** The credential is stored and any link consumed. */
  readonly stored: boolean
}

/** The client did what was asked; only the agency can fix this: the access is kept and the link is spent. */
const onlyAgencyCanFix = (verdict: CheckVerdict) => verdict.outcome === 'rejected' && verdict.reason === 'setting_missing'

/** A client who is asked once more and cancels takes nothing away: what they gave before still works. */
const isDeclinedAgain = ({ status, statusReason }: State, trigger: Trigger, verdict: CheckVerdict) =>
  trigger === 'connect' &&
  (status === 'active' || statusReason === 'setting_missing') &&
  verdict.outcome === 'rejected' &&
  verdict.reason === 'consent_denied'

/** The state machine of an integration: from a state and what the ad system said to the next state. */
export function nextState(state: State, trigger: Trigger, verdict: CheckVerdict, now: Date): Transition {
  if (isDeclinedAgain(state, trigger, verdict)) return { state, stored: false }
  if (verdict.outcome === 'unreachable') {
    const back = trigger === 'enable' ? { status: state.enabledStatus ?? 'pending', enabledStatus: null } : {}
    return { state: { ...state, ...back, lastError: verdict.detail, lastErrorReason: verdict.reason, lastErrorAt: now }, stored: false }
  }
  const stored = trigger === 'connect' && (verdict.outcome === 'verified' || onlyAgencyCanFix(verdict))
  const account = verdict.account ?? null
  const connection = stored
    ? { connectedAt: now, connectedAccount: account }
    : verdict.outcome === 'verified'
      ? { connectedAccount: account }
      : {}
  const next: State = {
    ...state,
    status: verdict.outcome === 'verified' ? 'active' : 'error',
    enabledStatus: null,
    statusDetail: verdict.outcome === 'verified' ? null : verdict.detail,
    statusReason: verdict.outcome === 'verified' ? null : verdict.reason,
    statusCheckedAt: now,
    lastError: null,
    lastErrorReason: null,
    lastErrorAt: null,
    ...connection,
  }
  return { state: next, stored }
}

export const disabled = (state: State): State => ({ ...state, status: 'disabled', enabledStatus: state.status })

/** Taken up again without ever having been connected: whatever was tried before, it waits for its client. */
export const waiting = (state: State): State => ({
  ...state,
  status: 'pending',
  enabledStatus: null,
  statusDetail: null,
  statusReason: null,
})

/** The client, or the agreed day, has ended the connection, whatever its status: only a new consent brings it back. */
export const ended = (state: State, reason: string, detail: string, now: Date): State => ({
  ...state,
  status: 'error',
  enabledStatus: null,
  statusDetail: detail,
  statusReason: reason,
  statusCheckedAt: now,
  lastError: null,
  lastErrorReason: null,
  lastErrorAt: null,
})

export type StateReasons = Pick<State, 'statusDetail' | 'statusReason' | 'lastError' | 'lastErrorReason'>

/**
 * What keeps it from being well: why it is in error, else what may pass.
 * A word without its sentence is left over from an older process.
 */
export const reasonOf = ({ statusDetail, statusReason, lastError, lastErrorReason }: StateReasons): string | null =>
  statusDetail !== null ? statusReason : lastError !== null ? lastErrorReason : null

/**
 * Whose turn it is; `who` is whom the reason names. What is not connected waits for its link to be used:
 * what a client or member entered and nobody could verify was not stored, so that only they can try it again.
 */
export function mustAct(status: IntegrationStatus, who: MustAct | null, linkLives: boolean): MustAct | null {
  if (status === 'disabled') return null
  if (status === 'error') return who ?? 'agency'
  if (status === 'pending' && (who === null || who === 'nobody')) return linkLives ? 'client' : 'agency'
  return who
}

/** Turned to error, and was not in error behind being disabled: what the creator hears of once. */
export const turnedToError = (before: State, after: State): boolean =>
  after.status === 'error' && (before.enabledStatus ?? before.status) !== 'error'

const MINUTE = 60_000
/**
 * Every six hours, every quarter of an hour while a failure may pass,
 * a tenth either way: checks made together drift apart.
 */
export function nextCheck({ lastError }: Pick<State, 'lastError'>, now: Date, random: () => number): Date {
  const interval = (lastError ? 15 : 360) * MINUTE
  return new Date(now.getTime() + interval * (0.9 + 0.2 * random()))
}

/** `Example Member (9999)`: what people recognize, and what the system calls it. */
export const accountLabel = ({ id, name }: { id: string; name: string }): string => (name && name !== id ? `${name} (${id})` : id)

/**
 * The outcome, added to where the client came from. What has our names there already is replaced;
 * not a letter of the rest is rewritten, since the agency may have signed it.
 */
export function withOutcome(
  returnUrl: string,
  outcome: 'connected' | 'failed' | 'canceled',
  id: string,
  named: 'integrationId' | 'requestId' = 'integrationId',
): string {
  const [, before = '', query = '', fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(returnUrl) ?? []
  const isOurs = (part: string) => ['status', named].some((name) => new URLSearchParams(part).has(name))
  const kept = query.split('&').filter((part) => part && !isOurs(part))
  return `${before}?${[...kept, `status=${outcome}`, `${named}=${id}`].join('&')}${fragment}`
}
