// The gateway: an ad system's own API, called with credentials that the caller never sees.
import { createHash } from 'node:crypto'
import type { CallOutcome, Streamed } from '@adjoin/contract'
import { callerKey, type Handler, type LookingVerb } from '../../call.ts'
import { outsideRequest } from '../../db/budget.ts'
import { type ForwardFailure, isHangUp } from '../../gateway/forward-failure.ts'
import { vendorRequestId } from '../../gateway/headers.ts'
import { Refusal, refuse } from '../../refusal.ts'
import { integrationRef } from '../integrations/integration-row.ts'
import { type Admitted, admit, type ProxyCall, type ProxyId } from './admit.ts'
import { isKept, recordChange, rememberEnd } from './calls.ts'
import { rememberHandle } from './fenced-call.ts'
import { passOn, scrubOf } from './pass-on.ts'
import { selectCalled } from './policy.ts'
import { refuseCredential, rememberThrottling, sendFresh } from './send.ts'
import { takeFromShare } from './shared-quota.ts'

const proxy = async (call: ProxyCall): Promise<Streamed> => {
  const seen = { provider: '-' }
  try {
    return await proxied(call, seen)
  } catch (error) {
    if (error instanceof Refusal) call.parts.gateway.watch.refused(seen.provider, error.code)
    throw error
  }
}

async function proxied(call: ProxyCall, seen: { provider: string }): Promise<Streamed> {
  const underWay = call.underWay!
  const admitted = await admit(call, seen)
  underWay.alsoNeeds(({ workspace }) => admitted.judgeAgain(workspace))
  const holder = { caller: callerKey(call.caller), person: call.caller.user.id }
  const place = await call.parts.gateway.places.enter(admitted.row.id, holder, underWay)
  if (!place) return refuseWaiting(call)
  const { leave } = place
  let tracked: TrackedCall | undefined
  try {
    if (place.waited) underWay.waited()
    await takeFromShare(call.parts, { organizationId: call.organization.id, provider: admitted.provider, host: admitted.host })
    tracked = await trackCall(call, admitted, leave)
    const { end, callId } = tracked
    const sent = await sendFresh(call, admitted)
    if (!sent) {
      end('credential_refused')
      return await refuseCredential(call, admitted)
    }
    const { access, answer, verdict } = sent
    if ('failure' in answer) {
      end(underWay.aborted ? 'canceled' : verdict.outcome)
      underWay.check()
      return refuse(FAILED[answer.failure])
    }
    await rememberHandle(call.parts, admitted.row, admitted, { answer, outcome: verdict.outcome })
    if (verdict.waitSeconds) await rememberThrottling(call, admitted, verdict.waitSeconds)
    const outcome = (error: Error | null) => (!error ? verdict.outcome : underWay.aborted || isHangUp(error) ? 'canceled' : 'unreachable')
    underWay.check()
    const scrub = scrubOf(call, admitted.rules, access)
    const ended = (error: Error | null) => end(outcome(error), answer.status, () => vendorRequestId(answer.headers, scrub.text))
    return passOn(call, admitted, { answer, scrub, callId, ended })
  } catch (error) {
    tracked?.end('canceled') // unless it has ended otherwise
    leave()
    throw error
  }
}

function refuseWaiting({ underWay }: ProxyCall): never {
  underWay!.check()
  if (underWay!.aborted) refuse('unavailable', { unlogged: true }) // read by nobody
  return refuse('vendor_busy', { headers: { 'retry-after': '1' } })
}

const FAILED: Record<ForwardFailure['failure'], 'vendor_unreachable' | 'vendor_timeout' | 'vendor_answer_unusable'> = {
  unreachable: 'vendor_unreachable',
  timeout: 'vendor_timeout',
  unusable: 'vendor_answer_unusable',
}

interface TrackedCall {
  /** Of a change, which is in the trail by now. */
  readonly callId: string | undefined
  /** How it ended; only the first time counts. */
  end(outcome: CallOutcome, status?: number | null, vendorRequestId?: () => string | null): void
}

/** A change is recorded before anything is sent. How a call ended is written off the request's path. */
async function trackCall(call: ProxyCall, admitted: Admitted, leave: () => void): Promise<TrackedCall> {
  const { parts, organization, params, caller, body } = call
  const { effect, provider } = admitted
  const digest = () => ({ size: body.bytes.length, sha256: createHash('sha256').update(body.bytes).digest('hex') })
  const callId = effect === 'change' ? await recordChange(call, admitted, digest(), admitted.recheck) : undefined
  const began = performance.now()
  let over = false
  return {
    callId,
    end(outcome, status = null, vendorRequestId = () => null) {
      if (over) return
      over = true
      leave()
      const durationMs = Math.round(performance.now() - began)
      parts.gateway.watch.called(provider.id, effect, outcome)
      parts.usage.count({ organizationId: organization.id, integrationId: params.id, caller: callerKey(caller), effect, outcome })
      if (!callId && !isKept(outcome)) return
      const ending = { outcome, status, durationMs, vendorRequestId: vendorRequestId() }
      void outsideRequest(() => rememberEnd(call, admitted, ending, callId)).catch((error) =>
        parts.log.warn({ err: error, integration: params.id }, 'could not store how a call ended'),
      )
    },
  }
}

const passing = <Id extends ProxyId>(): LookingVerb<Id> => ({
  look: (call) => selectCalled(integrationRef(call as unknown as ProxyCall)),
  run: proxy as unknown as Handler<Id>,
})

export const proxies = {
  proxyGet: passing<'proxyGet'>(),
  proxyPost: passing<'proxyPost'>(),
  proxyPut: passing<'proxyPut'>(),
  proxyPatch: passing<'proxyPatch'>(),
  proxyDelete: passing<'proxyDelete'>(),
}
