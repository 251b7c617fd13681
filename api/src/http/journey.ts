// One request's journey, the same for every operation: who calls → well-formed → within limits → visible → allowed → the verb → its answer.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { accessOf, declaration, isRecorded, isVerbatim, type OperationId } from '@adjoin/contract'
import { isTrustedOrigin } from '@adjoin/contract/trusted-url'
import { admit, authorize, challenge, isAllowed, isVisible, refuseMalformed, refuseMissing, refuseUnusable } from '../access/authorize.ts'
import { parseCookies } from '../access/credential.ts'
import { holdSession, type Identified, identify } from '../access/identify.ts'
import type { LastUse } from '../access/last-use.ts'
import type { LastingRequests } from '../access/under-way.ts'
import type { Authority, Call, Caller, GuardedVerb, Handler, LookingVerb, Origin, Parts, Verb, Verbs } from '../call.ts'
import type { Database } from '../db/pool.ts'
import type { Fragment, RunQuery } from '../db/sql.ts'
import { Previewed, refuse } from '../refusal.ts'
import { type Answer, answerOf, type Headers, previewAnswer } from './answer.ts'
import { clientAddress } from './client-address.ts'
import { pathOf } from './edges.ts'
import { carriedOut, claim, keep, releaseClaim, slotOf } from './idempotency.ts'
import { parseInput, type Sent } from './input.ts'
import { credentialIn, enterLasting, mayLast, passOn, scopeIn } from './lasting.ts'
import { consumeLimits } from './limits.ts'
import type { Place } from './place.ts'
import { waitingOf } from './waiting.ts'

export interface Kernel {
  readonly parts: Parts
  readonly verbs: Verbs
  readonly lastUse: LastUse
  readonly lasting: LastingRequests
  readonly countBadCredential: (ip: string) => void
  /** The service's own, for clients that ask. */
  readonly version: string
}

/** What the journey reads of a request: one that came by its own path, or what a tool asks for within another. */
export interface Incoming extends Sent {
  readonly id: string
  readonly ip: string
  readonly method: string
  readonly headers: IncomingHttpHeaders
  readonly socket: { readonly remoteAddress?: string | undefined }
  readonly raw: { readonly complete: boolean }
  /** Nothing may be changed at an ad system, whatever the role. */
  readonly readOnly?: boolean
}

/** Where the journey says what the answer's headers are; `raw` ends when nobody reads it any more. */
export interface Outgoing {
  header(name: string, value: string): unknown
  headers(headers: Headers): unknown
  readonly raw: ServerResponse
}

/** Step 1 and 2, before a byte of the body is read: who calls, and is that class of credential taken here? */
export async function authenticate(kernel: Kernel, id: OperationId, request: Incoming, reply: Outgoing): Promise<Identified | undefined> {
  if (!accessOf(id)) return undefined
  const { config, db } = kernel.parts
  const path = pathOf(request.url)
  const credential = credentialIn(request, config)
  if (credential.kind === 'none') return refuseMissing(id)
  if (credential.kind === 'malformed') {
    kernel.countBadCredential(clientAddress(request.ip, request.socket.remoteAddress))
    return refuseMalformed(id, credential.what)
  }
  if (credential.kind === 'apiKey' && path.startsWith('/v1/auth/'))
    return refuse('credential_refused', {
      detail: 'API keys are not accepted on sign-in routes. Sign in and use your session.',
      headers: { 'www-authenticate': challenge(id) },
    })
  const looks = (request.method === 'GET' || request.method === 'HEAD') && !isVerbatim(id)
  if (credential.kind === 'session' && credential.via === 'session' && !looks) guardCookie(kernel, request)

  const found = await identify(db, credential, { ...scopeIn(request), withPower: isRecorded(id) })
  if ('unusable' in found) {
    if (found.unusable === 'unknown') kernel.countBadCredential(clientAddress(request.ip, request.socket.remoteAddress))
    return refuseUnusable(id, found)
  }
  kernel.lastUse.note(found.caller, found.now, clientAddress(request.ip, request.socket.remoteAddress))
  reply.headers(retiring(found.caller))
  admit(id, found.caller)
  if (!request.raw.complete) early.add(request)
  return found
}

/**
 * A browser sends the cookie by itself, also for a page of somebody else's: a change, or a call to an ad system, must come from one of our
 * own pages.
 */
function guardCookie({ parts }: Kernel, request: Incoming): void {
  const { origin, 'sec-fetch-site': site } = request.headers
  if (origin === undefined ? site === 'same-origin' : isTrustedOrigin(origin, parts.config)) return
  refuse('origin_refused')
}

export async function perform(
  kernel: Kernel,
  id: OperationId,
  request: Incoming,
  reply: Outgoing,
  authenticated: Identified | undefined,
  place: Place,
): Promise<Answer> {
  const { parts } = kernel
  const judgedAt = performance.now()
  const found = authenticated && (await current(kernel, id, request, reply, authenticated))
  const input = parseInput(id, request, reply.raw)
  const origin = originOf(kernel, request)
  const { may, look, run } = verbOf(kernel, id)
  const replayed = (first: Answer): Answer => {
    reply.header('idempotency-replayed', 'true')
    return first
  }
  const at = found && isAllowed(id, found) ? found : null
  const ahead = lookAhead(parts.db, at && look ? look({ ...at, params: input.params } as unknown as Call<OperationId>) : undefined)
  const subject = { ip: origin.ip, caller: found?.caller, at, ...input }
  const headers: Headers = await consumeLimits(ahead, id, subject, parts.config.limitsFactor)
  reply.headers(headers) // a refusal counts as well, so it says so as well
  const preview = declaration(id).preview === true && (input.query as { dryRun?: boolean }).dryRun === true
  const slot = preview ? undefined : slotOf(request.headers['idempotency-key'], id, pathOf(request.url), found?.caller)
  if (found && slot && declaration(id).endsPlace && !isVisible(id, found)) {
    const first = await carriedOut(parts, slot, input)
    if (first) return replayed(first)
  }
  if (found) authorize(id, found)
  const claimed = slot && (await claim(parts, slot, input))
  const idempotency = claimed && 'claim' in claimed ? claimed.claim : undefined
  const call = {
    id,
    parts,
    origin,
    headers,
    idempotency,
    preview,
    looked: ahead.looked,
    readOnly: request.readOnly === true,
    ...input,
    ...(found ?? NOBODY),
  } as Call<OperationId>
  if (found && isRecorded(id)) Object.assign(call, { authority: authorityOf(kernel, call, request, reply, found) })
  const renew = async () => {
    const again = (await authenticate(kernel, id, request, reply))!
    authorize(id, again)
    Object.assign(call, again)
  }
  if (claimed && 'first' in claimed) {
    await may?.(call)
    return replayed(claimed.first)
  }
  const { db, config, notices } = parts
  const underWay =
    found && mayLast(id) ? enterLasting(id, { db, config, requests: kernel.lasting, request, found, judgedAt, ...input }) : undefined
  const waiting = underWay && declaration(id).wait && waitingOf({ notices, found: found!, place, response: reply.raw, underWay, renew })
  if (underWay) Object.assign(call, { underWay, ...(waiting && { wait: waiting.wait }) })

  try {
    if (may) await may(call)
    const made = answerOf(id, await run(call), headers)
    const answer = underWay ? passOn(made, underWay, reply.raw) : made
    if (idempotency) await keep(parts, idempotency, answer)
    return answer
  } catch (error) {
    if (error instanceof Previewed) return previewAnswer(error.impact, headers)
    if (idempotency) await releaseClaim(parts, idempotency).catch(() => {})
    throw error
  } finally {
    waiting?.end()
    underWay?.leave()
  }
}

/** The compiler has matched verbs and calls by id; a loop over ids cannot say so. */
function verbOf(
  { verbs }: Kernel,
  id: OperationId,
): Partial<GuardedVerb<OperationId> & LookingVerb<OperationId>> & { run: Handler<OperationId> } {
  const verb = verbs[id] as Verb<OperationId>
  return typeof verb === 'function' ? { run: verb } : verb
}

/** Where the limits are taken; what the verb wants to read first is read along with them. */
function lookAhead(db: Database, look: Fragment | undefined): { query: RunQuery; looked?: Call['looked'] } {
  if (!look) return { query: db.query }
  const ahead: { query: RunQuery; looked?: Call['looked'] } = {
    async query<R extends object>(limits: Fragment) {
      const [taken, rows] = await db.queryBoth(limits, look)
      ahead.looked = { rows }
      return taken as R[]
    },
  }
  return ahead
}

/** Requests whose body was still on its way when their caller had been identified. */
const early = new WeakSet<object>()

/** A body may arrive ten seconds after its headers: its caller is then identified again. */
const current = async (kernel: Kernel, id: OperationId, request: Incoming, reply: Outgoing, authenticated: Identified) =>
  early.has(request) ? ((await authenticate(kernel, id, request, reply)) ?? authenticated) : authenticated

/** The last look, in the transaction itself: between any earlier one and the commit a power may be taken away. */
function authorityOf(kernel: Kernel, call: Call<OperationId>, request: Incoming, reply: Outgoing, found: Identified): Authority {
  const { id } = call
  const { caller } = found
  const platform = accessOf(id)!.in === 'platform'
  return {
    power: found.power,
    hold: async (query) => {
      if (platform && caller.class === 'session' && !(await holdSession(query, caller))) refuseUnusable(id, { unusable: 'ended' })
    },
    renew: async () => {
      const again = (await authenticate(kernel, id, request, reply))!
      authorize(id, again)
      Object.assign(call, again, { authority: authorityOf(kernel, call, request, reply, again) })
      await verbOf(kernel, id).may?.(call)
    },
  }
}

const NOBODY = { caller: undefined, organization: undefined, workspace: undefined, now: undefined }

function originOf({ parts }: Kernel, request: Incoming): Origin {
  return {
    requestId: request.id,
    ip: clientAddress(request.ip, request.socket.remoteAddress),
    userAgent: request.headers['user-agent']?.slice(0, 255).toWellFormed() ?? null,
    header: request.headers.origin ?? null,
    fromBrowser: isTrustedOrigin(request.headers.origin, parts.config),
    cookies: parseCookies(request.headers.cookie),
  }
}

/** A key that was replaced and lives out its grace window says so on every answer, refusals too (RFC 9745, RFC 8594). */
function retiring(caller: Caller): Record<string, string> {
  if (caller.class === 'session' || !caller.key.replacedAt || !caller.key.expiresAt) return {}
  return { deprecation: `@${Math.floor(caller.key.replacedAt.getTime() / 1000)}`, sunset: caller.key.expiresAt.toUTCString() }
}
