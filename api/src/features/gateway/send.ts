// Sends an admitted call with fresh credentials; a token that the ad system no longer takes is renewed, once.
import { sql } from '../../db/sql.ts'
import { vendorHeaders } from '../../gateway/headers.ts'
import type { ForwardFailure, VendorAnswer } from '../../gateway/vendor-answer.ts'
import { refuse } from '../../refusal.ts'
import { freezeGuard } from '../organizations/frozen.ts'
import { type OpenAccess, openAccess, renewedAccess } from './access.ts'
import { type Admitted, type ProxyCall, sentQuery } from './admit.ts'
import { type AnswerVerdict, judgeAnswer } from './answer.ts'

export interface SentCall {
  readonly access: OpenAccess
  readonly answer: VendorAnswer | ForwardFailure
  readonly verdict: AnswerVerdict
}

/** Undefined: the ad system takes neither the access nor a renewed one. */
export async function sendFresh(call: ProxyCall, admitted: Admitted): Promise<SentCall | undefined> {
  const { parts, now } = call
  const { provider, row, readAt, credential } = admitted
  const freeze = freezeGuard(parts, row.organization_id, readAt)
  const send = async (access: OpenAccess): Promise<SentCall> => {
    await freeze.pass()
    const answer = await parts.gateway.forward(outgoing(call, admitted, access))
    return { access, answer, verdict: await judgeAnswer(provider, answer, now) }
  }

  const access = await openAccess(parts, provider, row, now, credential)
  if (!access) return undefined
  const first = await send(access)
  if (!first.verdict.stale) return first
  discard(first)
  const renewed = await renewedAccess(parts, provider, access.row, now)
  if (!renewed) return undefined
  const second = await send(renewed)
  if (!second.verdict.stale) return second
  discard(second)
  return undefined
}

const discard = ({ answer }: SentCall): void => {
  if (!('failure' in answer)) answer.abort()
}

function outgoing(call: ProxyCall, { row, provider, rules, method, host, rawPath, headers, effect }: Admitted, access: OpenAccess) {
  const { bytes, hungUp } = call.body
  // With the settings that it was judged with: a renewal may have read newer ones.
  const injected = rules.inject({ ...access, settings: row.settings })
  const added = injected.query ? new URLSearchParams(injected.query).toString() : ''
  const query = [sentQuery(call), added].filter(Boolean).join('&')
  return {
    provider: provider.id,
    method,
    host,
    target: query ? `${rawPath}?${query}` : rawPath,
    headers: vendorHeaders(headers.sent, injected),
    body: bytes,
    hungUp,
    twin: access.twin,
    repeatable: effect === 'read',
  }
}

/** The next check finds out what is wrong, and says who must act. */
export async function refuseCredential({ parts }: ProxyCall, { row }: Admitted): Promise<never> {
  await parts.db.query(sql`update integrations set check_due_at = now() where organization_id = ${row.organization_id} and id = ${row.id}`)
  return refuse('vendor_refused_credential')
}

/** The ad system asked to be left alone: remembered for all replicas. */
export async function rememberThrottling({ parts }: ProxyCall, { row }: Admitted, seconds: number): Promise<void> {
  await parts.db.query(sql`update integrations set throttled_until = now() + make_interval(secs => ${seconds})
    where organization_id = ${row.organization_id} and id = ${row.id}`)
}
