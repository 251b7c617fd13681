// A proxied call is looked at as a whole before anything is done:
// where it goes, what it would do, and whether it may.
import type { CallEffect, OperationId } from '@adjoin/contract'
import type { Call, WorkspaceScope } from '../../call.ts'
import type { RunQuery } from '../../db/sql.ts'
import { decodedPath } from '../../domain/vendor-path.ts'
import type { RememberRow } from '../../gateway/fences/fence.ts'
import { fences } from '../../gateway/fences/index.ts'
import { locate, startedBy } from '../../gateway/fences/locate.ts'
import { type CallerHeaders, callerHeaders, defaultHeaders } from '../../gateway/headers.ts'
import { effectOf } from '../../gateway/judge.ts'
import { gatewayRules } from '../../gateway/rules/index.ts'
import type { GatewayRules } from '../../gateway/rules/rules.ts'
import { readBody, readQuery, type VendorRequest } from '../../gateway/vendor-request.ts'
import { withDefaults } from '../../providers/fields.ts'
import { findProvider } from '../../providers/index.ts'
import type { Credential, Provider } from '../../providers/provider.ts'
import { refuse } from '../../refusal.ts'
import { integrationRef } from '../integrations/integration-row.ts'
import { readCredential } from './access.ts'
import { judgeFence, namedAccounts } from './fenced-call.ts'
import { type CalledRow, lockCalled, refuseByPolicy, refuseByRole, refuseThrottled, refuseUnready, selectCalled } from './policy.ts'

export type ProxyId = Extract<OperationId, `proxy${string}`>
export type ProxyCall = Call<'proxyPost'>

const METHODS: Record<ProxyId, string> = { proxyGet: 'GET', proxyPost: 'POST', proxyPut: 'PUT', proxyPatch: 'PATCH', proxyDelete: 'DELETE' }

/** A call that may be sent. */
export interface Admitted {
  readonly row: CalledRow
  readonly provider: Provider
  /** Of `row`. */
  readonly credential: Credential
  readonly rules: GatewayRules
  readonly method: string
  readonly host: string
  /** As it is sent, and as it was judged. */
  readonly rawPath: string
  readonly path: string
  /** Of the caller's headers those that are sent, and those that are not. */
  readonly headers: CallerHeaders
  readonly effect: CallEffect
  /** The accounts that it names, as far as its ad system's calls do. */
  readonly account: string | null
  /** Those that it was let through for, where the integration is limited to some. */
  readonly inside: readonly string[] | undefined
  /** The job that it starts, whose handle is remembered then. */
  readonly starts: RememberRow | undefined
  /** Refuses what was taken away since, and gives the integration as it is now, which stays so until the commit. */
  recheck(query: RunQuery): Promise<CalledRow>
  /** Refuses what was taken away since, from whoever has this role by now. */
  judgeAgain(workspace: Pick<WorkspaceScope, 'role'> | null): Promise<void>
  /** The integration as it was when the call was judged last. */
  current(): CalledRow
}

/** `seen` is told whose integration it is, also where the call is refused then. */
export async function admit(call: ProxyCall, seen: { provider: string }): Promise<Admitted> {
  const { parts } = call
  const row = await calledRow(call)
  const provider = findProvider(row.provider)
  seen.provider = provider?.id ?? '-'
  const rules = provider && gatewayRules[provider.id]
  const { rawPath, named, request } = requested(call, rules)
  const expected = rules ? effectOf(rules, request) : request.method === 'GET' ? 'read' : 'change'
  if (expected) {
    refuseChange(call, expected)
    refuseByRole(call.workspace.role, expected)
  }
  refuseUnready(row, rules)
  const credential = readCredential(parts, row)
  const values = { ...withDefaults(provider!.settingsFields, row.settings), ...credential.fields }
  const { app, version } = parts.vendorSessions.settingsOf(provider!)
  const headers = callerHeaders(call.body.headers, rules)
  const asked = { rules, request, named, values, ownApp: app.clientId }
  const fence = fences[provider!.id]
  const find = onceOnly(() => {
    // What settings fill in is judged like what the caller sends.
    const filled = defaultHeaders(rules.inject({ credential, app, version, settings: row.settings }))
    const sent = { ...request, headers: { ...filled, ...headers.sent } }
    return fence ? locate(fence, sent, values) : undefined
  })
  const verdict = await judgeFence(parts.db.query, row, find)
  const { host, effect } = refuseByPolicy(row, call.workspace.role, asked, verdict)
  refuseThrottled(row)
  refuseChange(call, effect)
  const judgeNow = async (query: RunQuery, now: CalledRow, role = call.workspace.role) => {
    refuseByRole(role, effect)
    refuseUnready(now, rules)
    refuseByPolicy(now, role, asked, await judgeFence(query, now, find))
  }
  let current = row
  return {
    row,
    provider: provider!,
    credential,
    rules,
    method: request.method,
    host,
    rawPath,
    path: request.path,
    headers,
    effect,
    get account() {
      return namedAccounts(find(), verdict)
    },
    inside: verdict && 'inside' in verdict ? verdict.inside : undefined,
    starts: fence ? startedBy(fence, request) : undefined,
    async recheck(query) {
      const now = await lockCalled(query, integrationRef(call))
      await judgeNow(query, now)
      refuseThrottled(now)
      current = now
      return now
    },
    async judgeAgain(workspace) {
      const { query } = parts.db
      const [now] = await query<CalledRow>(selectCalled(integrationRef(call)))
      await judgeNow(query, now ?? refuse('not_found'), workspace?.role)
      current = now!
    },
    current: () => current,
  }
}

async function calledRow(call: ProxyCall): Promise<CalledRow> {
  const rows = call.looked?.rows ?? (await call.parts.db.query(selectCalled(integrationRef(call))))
  return (rows[0] as CalledRow | undefined) ?? refuse('not_found')
}

/** A call that was asked for as a read stays one, also where the role and the call policy would allow more. */
function refuseChange({ readOnly }: ProxyCall, effect: CallEffect): void {
  if (readOnly && effect === 'change')
    refuse('change_refused', {
      detail: 'This call would change something at the ad system, but agents can only read. Ask a person to make the change.',
    })
}

/** A large body is not searched for accounts unless somebody asks, and not twice. */
function onceOnly<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

/**
 * The path as it is sent and as it is judged.
 * A host may stand before it, as in the URLs of a vendor's documentation.
 */
function requested(call: ProxyCall, rules: GatewayRules | null | undefined) {
  const written = `/${call.params.path}`
  const [, first = ''] = written.split('/')
  const named = rules?.hosts.some(({ host }) => host === first) ? first : undefined
  const rawPath = named ? written.slice(named.length + 1) || '/' : written
  const path = decodedPath(rawPath) ?? refuse('path_invalid')
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(call.body.headers)) headers[name] = String(value)
  const request: VendorRequest = {
    method: METHODS[call.id as ProxyId],
    path,
    query: readQuery(sentQuery(call)),
    headers,
    body: readBody(call.body.bytes, headers['content-type']),
  }
  return { rawPath, named, request }
}

/** Without parameters that hold nothing but our own mask: the next-page address of an answer can be copied as it came. */
export function sentQuery({ body: { query } }: ProxyCall): string {
  if (!query.includes('*') && !/%2a/i.test(query)) return query
  const isMasked = (part: string) => /^[^=]*=(?:\*|%2[aA]){12,}$/.test(part)
  return query
    .split('&')
    .filter((part) => !isMasked(part))
    .join('&')
}
