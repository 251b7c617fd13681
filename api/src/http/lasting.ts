// Which requests may last, and how their answers end where the power to read them is lost.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { declaration, type HangUp, isVerbatim, type OperationId } from '@adjoin/contract'
import { admit, authorize, refuseUnusable } from '../access/authorize.ts'
import { credentialOf, parseCookies, type RequestCredential, sessionCookieName } from '../access/credential.ts'
import { type Identified, identify, type PathScope } from '../access/identify.ts'
import type { LastingEntry, LastingRequests } from '../access/under-way.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/pool.ts'
import type { Answer } from './answer.ts'

/** Calls to ad systems, exports, and waits for events; any other answer is made at once. */
export const mayLast = (id: OperationId): boolean => {
  const { stream, wait } = declaration(id)
  return isVerbatim(id) || stream !== undefined || wait !== undefined
}

interface Asked {
  readonly headers: IncomingHttpHeaders
  readonly params: unknown
}

export const credentialIn = ({ headers }: Asked, config: Config): RequestCredential =>
  credentialOf(headers, parseCookies(headers.cookie), sessionCookieName(config))

/** What the path names. */
export function scopeIn({ params }: Asked): PathScope {
  const { orgSlug, workspaceSlug } = params as Record<string, string | undefined>
  return { orgSlug: slugOrUndefined(orgSlug), workspaceSlug: slugOrUndefined(workspaceSlug) }
}

/** What cannot be a slug names nothing; PostgreSQL must not see it (NUL), and the schema refuses it a step later. */
const slugOrUndefined = (slug: string | undefined) => (slug && /^[a-z0-9-]{1,63}$/.test(slug) ? slug : undefined)

export interface Lasting {
  readonly db: Database
  readonly config: Config
  readonly requests: LastingRequests
  readonly request: Asked
  readonly found: Identified
  readonly judgedAt: number
  readonly params: Record<string, unknown>
  readonly body: unknown
}

export const enterLasting = (id: OperationId, { db, config, requests, request, found, judgedAt, params, body }: Lasting): LastingEntry =>
  requests.enter({
    found,
    judgedAt,
    integrationId: isVerbatim(id) ? (params.id as string) : undefined,
    hungUp: isVerbatim(id) ? (body as { hungUp: HangUp }).hungUp : undefined,
    identifyAgain: () => identifyAgain(db, id, credentialIn(request, config), scopeIn(request)),
  })

/** As on arrival, but heard of by nobody: no use is noted, and no attempt counted. */
async function identifyAgain(db: Database, id: OperationId, credential: RequestCredential, scope: PathScope): Promise<Identified> {
  const found = 'hash' in credential ? await identify(db, credential, scope) : { unusable: 'unknown' as const }
  if ('unusable' in found) return refuseUnusable(id, found)
  admit(id, found.caller)
  authorize(id, found)
  return found
}

/** An answer that is read while it is written ends with the power to read it. */
export function passOn(answer: Answer, entry: LastingEntry, response: ServerResponse): Answer {
  const { body } = answer
  if (typeof body !== 'object' || !(Symbol.asyncIterator in body)) {
    entry.check()
    return answer
  }
  const stream = body instanceof Readable ? body : Readable.from(body)
  response.once('close', () => stream.destroy()) // also where nobody has begun to read it
  entry.follow(stream)
  return { ...answer, body: stream }
}
