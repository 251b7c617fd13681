// The gateway: an ad system's own API, called with credentials that the caller never sees.
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { CallOutcome, OperationId, Streamed } from '@adjoin/contract'
import { type Call, callerKey, type Handler } from '../../call.ts'
import { outsideRequest } from '../../db/budget.ts'
import { sql } from '../../db/sql.ts'
import { decodedPath } from '../../domain/vendor-path.ts'
import { callerHeaders, passedOn, vendorHeaders, vendorRequestId } from '../../gateway/headers.ts'
import { effectOf } from '../../gateway/judge.ts'
import { gatewayRules } from '../../gateway/rules/index.ts'
import type { GatewayRules } from '../../gateway/rules/rules.ts'
import { type ForwardFailure, isHangUp, type VendorAnswer } from '../../gateway/vendor-answer.ts'
import { readBody, readQuery, type VendorRequest } from '../../gateway/vendor-request.ts'
import { withDefaults } from '../../providers/fields.ts'
import { findProvider } from '../../providers/index.ts'
import type { Provider } from '../../providers/provider.ts'
import { refuse } from '../../refusal.ts'
import { integrationRef } from '../integrations/integration-row.ts'
import { freezeGuard } from '../organizations/frozen.ts'
import { type OpenAccess, openAccess, readCredential, renewedAccess } from './access.ts'
import { judgeAnswer } from './answer.ts'
import { recordChange, rememberEnd, type Sending } from './calls.ts'
import { findCalled, refuseByPolicy, refuseByRole, refuseUnready } from './policy.ts'

type ProxyId = Extract<OperationId, `proxy${string}`>
type ProxyCall = Call<'proxyPost'>

const METHODS: Record<ProxyId, string> = { proxyGet: 'GET', proxyPost: 'POST', proxyPut: 'PUT', proxyPatch: 'PATCH', proxyDelete: 'DELETE' }

const proxy = async (call: ProxyCall): Promise<Streamed> => {
  const { parts, body } = call
  const began = performance.now()
  const row = await findCalled(parts.db.query, integrationRef(call))
  const provider = findProvider(row.provider)
  const rules = provider && gatewayRules[provider.id]
  const { raw, named, request } = requested(call, rules)
  refuseByRole(call.workspace.role, rules ? effectOf(rules, request) : request.method === 'GET' ? 'read' : 'change')
  refuseUnready(row, rules)
  const values = { ...withDefaults(provider!.settingsFields, row.settings), ...readCredential(parts, row).fields }
  const { clientId: ownApp } = parts.vendorSessions.open(provider!, call.now).app
  const asked = { rules, request, named, values, ownApp }
  const { host, effect } = refuseByPolicy(row, call.workspace.role, asked)

  const leave = (await parts.gateway.enter(row.id)) ?? refuse('vendor_busy', { headers: { 'retry-after': '1' } })
  try {
    const sending: Sending = { method: request.method, host, path: request.path, effect }
    const freeze = freezeGuard(parts, row.organization_id, began)
    let access = await openAccess(parts, provider!, row, call.now)
    const digest = { size: body.bytes.length, sha256: createHash('sha256').update(body.bytes).digest('hex') }
    const callId =
      effect === 'change'
        ? await recordChange(call, sending, digest, async (query) => {
            const now = await findCalled(query, integrationRef(call))
            refuseByRole(call.workspace.role, effect)
            refuseUnready(now, rules)
            refuseByPolicy(now, call.workspace.role, asked)
            return now
          })
        : undefined
    const sent = performance.now()
    const send = async () => {
      await freeze.pass()
      return parts.gateway.forward(outgoing(call, rules, access, { host, raw, repeatable: effect === 'read' }))
    }
    const end = (outcome: CallOutcome, status: number | null, requestId: string | null = null) => {
      leave()
      remember(call, sending, { outcome, status, durationMs: Math.round(performance.now() - sent), vendorRequestId: requestId }, callId)
    }

    let answer = await send()
    let verdict = await judgeAnswer(provider!, answer, call.now)
    if (verdict.stale) {
      discard(answer)
      access = await renewedAccess(parts, provider!, access.row, call.now)
      answer = await send()
      verdict = await judgeAnswer(provider!, answer, call.now)
    }
    if (verdict.stale) {
      discard(answer)
      await parts.db.query(
        sql`update integrations set check_due_at = now() where organization_id = ${row.organization_id} and id = ${row.id}`,
      )
      end('credential_refused', 401)
      return refuse('vendor_refused_credential')
    }
    if ('failure' in answer) {
      end(answer.failure === 'timeout' ? 'timeout' : 'unreachable', null)
      return refuse(FAILED[answer.failure])
    }
    if (verdict.waitSeconds)
      await parts.db.query(sql`update integrations set throttled_until = now() + make_interval(secs => ${verdict.waitSeconds})
        where organization_id = ${row.organization_id} and id = ${row.id}`)
    return passOn(call, provider!, rules, access, answer, {
      callId,
      ended: (error) =>
        end(
          error ? (isHangUp(error) ? 'canceled' : 'unreachable') : verdict.outcome,
          (answer as VendorAnswer).status,
          vendorRequestId((answer as VendorAnswer).headers, scrubOf(call, access).text),
        ),
    })
  } catch (error) {
    leave()
    throw error
  }
}

const FAILED: Record<ForwardFailure['failure'], 'vendor_unreachable' | 'vendor_timeout' | 'vendor_answer_unusable'> = {
  unreachable: 'vendor_unreachable',
  timeout: 'vendor_timeout',
  unusable: 'vendor_answer_unusable',
}

const discard = (answer: VendorAnswer | ForwardFailure) => 'failure' in answer || answer.abort()

/** The path as it is sent and as it is judged. A host may stand before it, as in the URLs of a vendor's documentation. */
function requested(call: ProxyCall, rules: GatewayRules | null | undefined) {
  const written = `/${call.params.path}`
  const [, first = ''] = written.split('/')
  const named = rules?.hosts.some(({ host }) => host === first) ? first : undefined
  const raw = named ? written.slice(named.length + 1) || '/' : written
  const path = decodedPath(raw) ?? refuse('path_invalid')
  const headers = Object.fromEntries(Object.entries(call.body.headers).map(([name, value]) => [name, String(value)]))
  const request: VendorRequest = {
    method: METHODS[call.id as ProxyId],
    path,
    query: readQuery(call.body.query),
    headers,
    body: readBody(call.body.bytes, headers['content-type']),
  }
  return { raw, named, request }
}

function outgoing(call: ProxyCall, rules: GatewayRules, access: OpenAccess, to: { host: string; raw: string; repeatable: boolean }) {
  const injected = rules.inject(access)
  const query = [call.body.query, new URLSearchParams(injected.query ?? {}).toString()].filter(Boolean).join('&')
  return {
    provider: access.session.provider.id,
    method: METHODS[call.id as ProxyId],
    host: to.host,
    target: query ? `${to.raw}?${query}` : to.raw,
    headers: vendorHeaders(callerHeaders(call.body.headers, rules).sent, injected),
    body: call.body.bytes,
    twin: access.session.twin,
    repeatable: to.repeatable,
  }
}

interface Passing {
  readonly callId: string | undefined
  readonly ended: (error: Error | null) => void
}

const scrubOf = ({ parts }: ProxyCall, { row, secrets }: OpenAccess) => parts.gateway.scrub(`${row.id}|${row.credential_version}`, secrets)

/** On our origin a vendor's page must be harmless: it is a file to save, in a sandbox. */
function passOn(
  call: ProxyCall,
  provider: Provider,
  rules: GatewayRules,
  access: OpenAccess,
  answer: VendorAnswer,
  { callId, ended }: Passing,
): Streamed {
  const scrub = scrubOf(call, access)
  const { dropped } = callerHeaders(call.body.headers, rules)
  const empty = answer.status === 204 || answer.status === 304
  if (empty) answer.abort()
  const chunks = empty ? Readable.from([]) : answer.body(scrub.scrubber(), ended)
  if (empty) ended(null)
  call.parts.gateway.streams.add(access.row.organization_id, chunks)
  const length = answer.headers['content-encoding'] ? undefined : answer.headers['content-length']
  return {
    status: answer.status,
    type: scrub.text(String(answer.headers['content-type'] ?? 'application/octet-stream')),
    chunks,
    headers: {
      ...passedOn(answer.headers, scrub.text),
      ...locationOf(call, rules, answer, scrub.text),
      ...(length && !empty && { 'content-length': String(length) }),
      ...(dropped.length && { 'adjoin-dropped-headers': dropped.join(', ') }),
      ...(callId && { 'adjoin-call': callId }),
      'adjoin-answer': provider.id,
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'content-disposition': 'attachment',
    },
  }
}

/** Never followed: one that stays at the ad system leads through the gateway again, any other is shown but leads nowhere. */
function locationOf(
  call: ProxyCall,
  rules: GatewayRules,
  { headers }: VendorAnswer,
  clean: (text: string) => string,
): Record<string, string> {
  const location = headers.location === undefined ? undefined : clean(String(headers.location))
  if (location === undefined) return {}
  const { organization, workspace, params } = call
  const through = `/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${params.id}/proxy`
  const url = URL.parse(location, `https://${rules.hosts[0]!.host}`)
  return url && rules.hosts.some(({ host }) => url.protocol === 'https:' && url.host === host)
    ? { location: `${through}/${url.host}${url.pathname}${url.search}` }
    : { 'adjoin-location': location }
}

/** Off the request's path, and whatever happens to it. */
function remember(call: ProxyCall, sending: Sending, ending: Parameters<typeof rememberEnd>[2], callId: string | undefined): void {
  const { parts, organization, params, caller } = call
  parts.usage.count({
    organizationId: organization.id,
    integrationId: params.id,
    caller: callerKey(caller),
    effect: sending.effect,
    outcome: ending.outcome,
  })
  void outsideRequest(() => rememberEnd(call, sending, ending, callId)).catch((error) =>
    parts.log.warn({ err: error, integration: params.id }, 'how a call ended was not written'),
  )
}

const passing = <Id extends ProxyId>(): Handler<Id> => proxy as unknown as Handler<Id>

export const proxies = {
  proxyGet: passing<'proxyGet'>(),
  proxyPost: passing<'proxyPost'>(),
  proxyPut: passing<'proxyPut'>(),
  proxyPatch: passing<'proxyPatch'>(),
  proxyDelete: passing<'proxyDelete'>(),
}
