// Sends an admitted call with fresh credentials; a token that the ad system no longer takes is renewed, once.
// A change is sent again only where the ad system said so: a refused permission, or any other 401, ends it.
import { sql } from '../../db/sql.ts'
import type { ForwardFailure } from '../../gateway/forward-failure.ts'
import { vendorHeaders } from '../../gateway/headers.ts'
import type { VendorAnswer } from '../../gateway/vendor-answer.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { type OpenAccess, openAccess, renewedAccess } from './access.ts'
import { type Admitted, type ProxyCall, sentQuery } from './admit.ts'
import { type AnswerVerdict, judgeAnswer } from './answer.ts'
import { refuseThrottled } from './policy.ts'
import { takeFromShare } from './shared-quota.ts'

export interface SentCall {
  readonly access: OpenAccess
  readonly answer: VendorAnswer | ForwardFailure
  readonly verdict: AnswerVerdict
}

/** Undefined: the ad system takes neither the access nor a renewed one. */
export async function sendFresh(call: ProxyCall, admitted: Admitted): Promise<SentCall | undefined> {
  const { parts, now } = call
  const { provider } = admitted
  const send = async (access: OpenAccess): Promise<SentCall> => {
    await stillAllowed(call, admitted)
    const answer = await parts.gateway.forward(outgoing(call, admitted, access))
    const verdict = await judgeAnswer(provider, answer, now)
    const broken = 'failure' in answer ? undefined : answer.broken()
    return broken ? { access, answer: broken, verdict: await judgeAnswer(provider, broken, now) } : { access, answer, verdict }
  }

  await stillAllowed(call, admitted)
  const row = admitted.current()
  const access = await openAccess(parts, provider, row, now, row.credential === admitted.row.credential ? admitted.credential : undefined)
  if (!access) return undefined
  if (access.row !== row) call.underWay!.waited() // for a renewal
  const first = await send(access)
  if (first.verdict.outcome !== 'credential_refused') return first
  discard(first)
  if (admitted.effect === 'change' && !first.verdict.stale) return undefined
  const renewed = await renewedAccess(parts, provider, access.row, now)
  if (!renewed) return undefined
  await takeAnother(call, admitted)
  call.underWay!.waited()
  const second = await send(renewed)
  if (second.verdict.outcome !== 'credential_refused') return second
  discard(second)
  return undefined
}

/**
 * Most calls are sent within milliseconds of being judged, and a freeze is answered a second after its commit.
 * What waited is judged again just before its socket opens.
 */
const JUDGEMENT_LASTS_MS = 500

async function stillAllowed({ underWay }: ProxyCall, admitted: Admitted): Promise<void> {
  if (!underWay!.judgedWithin(JUDGEMENT_LASTS_MS)) {
    await underWay!.judgeAgain()
    refuseThrottled(admitted.current())
  }
  underWay!.check()
}

/** The ad system counts each time that something is sent to it. */
const takeAnother = ({ parts, organization }: ProxyCall, { provider, host }: Admitted): Promise<void> =>
  takeFromShare(parts, { organizationId: organization.id, provider, host })

const discard = ({ answer }: SentCall): void => {
  if (!('failure' in answer)) answer.abort()
}

function outgoing(call: ProxyCall, admitted: Admitted, access: OpenAccess) {
  const { row, provider, rules, method, host, rawPath, headers, effect } = admitted
  const { bytes } = call.body
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
    hungUp: call.underWay,
    twin: access.twin,
    repeatable: effect === 'read',
    mayRepeat: () =>
      takeAnother(call, admitted).then(
        () => true,
        (error) => {
          if (error instanceof Refusal) return false
          throw error
        },
      ),
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
