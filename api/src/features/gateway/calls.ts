// What is remembered of calls: changes before they leave, failures, and counts of everything.
import { randomUUID } from 'node:crypto'
import type { CallEffect, CallOutcome } from '@adjoin/contract'
import { type AuditContext, actorOf, transact } from '../../audit/transact.ts'
import type { Call, Handler } from '../../call.ts'
import { outsideRequest } from '../../db/budget.ts'
import { type RunQuery, sql } from '../../db/sql.ts'
import { findProvider } from '../../providers/index.ts'
import { refuse } from '../../refusal.ts'
import { pageOf, readCursor, writeCursor } from '../cursor.ts'
import { findIntegration, integrationRef, type VisibleRow } from '../integrations/integration-row.ts'
import { aboutIntegration } from '../integrations/snapshot.ts'
import { readShare } from './shared-quota.ts'

export interface Sending {
  readonly method: string
  readonly host: string
  readonly path: string
  readonly effect: CallEffect
  readonly account: string | null
}

export interface Ending {
  readonly outcome: CallOutcome
  readonly status: number | null
  readonly durationMs: number
  readonly vendorRequestId: string | null
}

type ProxyCall = Pick<Call<'proxyPost'>, 'caller' | 'organization' | 'params' | 'origin' | 'parts'>

/** Within the transaction of its audit entry, before anything is sent. */
export async function insertCall(query: RunQuery, call: ProxyCall, sending: Sending, ending?: Ending): Promise<string> {
  const id = randomUUID()
  const { type, name, email } = actorOf(call.caller)
  await query(sql`insert into calls (organization_id, integration_id, id, caller_type, caller_name, method, host, path, effect, account, outcome, status,
      duration_ms, vendor_request_id, request_id)
    values (${call.organization.id}, ${call.params.id}, ${id}, ${type}, ${name ?? email ?? ''}, ${sending.method}, ${sending.host},
      ${sending.path.slice(0, 1000)}, ${sending.effect}, ${sending.account}, ${ending?.outcome ?? null}, ${ending?.status ?? null}, ${ending?.durationMs ?? null},
      ${ending?.vendorRequestId ?? null}, ${call.origin.requestId})`)
  return id
}

/** After the call: how a change ended, or a failed read as a row of its own. */
export async function rememberEnd(call: ProxyCall, sending: Sending, ending: Ending, callId: string | undefined): Promise<void> {
  const { parts, organization, params } = call
  const { query } = parts.db
  if (callId)
    await query(sql`update calls set outcome = ${ending.outcome}, status = ${ending.status}, duration_ms = ${ending.durationMs},
      vendor_request_id = ${ending.vendorRequestId}
      where organization_id = ${organization.id} and integration_id = ${params.id} and id = ${callId}`)
  else if (isKept(ending.outcome)) await insertCall(query, call, sending, ending)
}

/** Of reads only those that failed are kept one by one. */
export const isKept = (outcome: CallOutcome): boolean => outcome !== 'ok' && outcome !== 'canceled'

/**
 * The entry that precedes a change.
 * Refuses, with `recheck`, what was taken away since the request was let in.
 */
export const recordChange = (
  call: Call<'proxyPost'>,
  sending: Sending,
  body: { readonly size: number; readonly sha256: string },
  recheck: (query: RunQuery) => Promise<VisibleRow>,
): Promise<string> =>
  transact(call as unknown as AuditContext, async (query, record) => {
    const row = await recheck(query)
    await call.parts.limitDone(query, call.id, { ip: call.origin.ip, caller: call.caller, at: call, params: call.params })
    const id = await insertCall(query, call, sending)
    record('integration.change_sent', {
      ...aboutIntegration(row),
      metadata: {
        callId: id,
        method: sending.method,
        host: sending.host,
        path: sending.path,
        account: sending.account,
        bodyBytes: body.size,
        bodySha256: body.sha256,
      },
    })
    return id
  })

interface CallRow {
  id: string
  at: Date
  caller_type: 'user' | 'apiKey'
  caller_name: string
  method: string
  host: string
  path: string
  effect: CallEffect
  account: string | null
  outcome: CallOutcome | null
  status: number | null
  duration_ms: number | null
  vendor_request_id: string | null
  request_id: string
}

export const listIntegrationCalls: Handler<'listIntegrationCalls'> = async (call) => {
  const { parts, organization, params, query: asked } = call
  if (!(await findIntegration(parts.db.query, integrationRef(call)))) refuse('not_found')
  const list = `calls|${organization.id}|${params.id}`
  const after = readCursor(parts.secrets, list, asked.cursor)
  const here = sql`organization_id = ${organization.id} and integration_id = ${params.id}`
  const older = after ? sql`and (at, id) < (select at, id from calls where ${here} and id = ${after})` : sql``
  const rows =
    await parts.db.query<CallRow>(sql`select id, at, caller_type, caller_name, method, host, path, effect, account, outcome, status, duration_ms,
      vendor_request_id, request_id from calls where ${here} ${older} order by at desc, id desc limit ${asked.limit + 1}`)
  const { page, nextCursor } = pageOf(rows, asked.limit, ({ id }) => writeCursor(parts.secrets, list, id))
  return { calls: page.map(toCall), nextCursor }
}

const toCall = ({ caller_type, caller_name, duration_ms, vendor_request_id, request_id, ...rest }: CallRow) => ({
  ...rest,
  callerType: caller_type,
  callerName: caller_name,
  durationMs: duration_ms,
  vendorRequestId: vendor_request_id,
  requestId: request_id,
})

const DAY_MS = 86_400_000

export const getIntegrationUsage: Handler<'getIntegrationUsage'> = async (call) => {
  const { parts, organization, params, query: asked, now } = call
  const row = (await findIntegration(parts.db.query, integrationRef(call))) ?? refuse('not_found')
  const to = asked.to ? new Date(asked.to) : now
  const from = asked.from ? new Date(asked.from) : new Date(to.getTime() - 7 * DAY_MS)
  const longest = asked.by === 'hour' ? 90 : 731
  if (to.getTime() - from.getTime() > longest * DAY_MS)
    refuse('validation_failed', { errors: [{ path: 'from', message: `must be at most ${longest} days before \`to\`` }] })
  // Whoever has just made a call finds it here, at least through the process that they made it through.
  await outsideRequest(parts.usage.flush)
  const usage = await parts.db.query<{ from: Date; effect: CallEffect; outcome: CallOutcome; calls: number }>(sql`
    select date_trunc(${asked.by}, hour, 'UTC') as from, effect, outcome, sum(calls)::int as calls from call_usage
    where organization_id = ${organization.id} and integration_id = ${params.id} and hour >= date_trunc('hour', ${from}::timestamptz) and hour <= ${to}
    group by 1, 2, 3 order by 1, 2, 3`)
  const provider = findProvider(row.provider)
  return { usage, quota: provider ? await readShare(parts, organization.id, provider) : null }
}
