import { randomUUID } from 'node:crypto'
import type { AuditKind } from '@adjoin/contract'
import type { Call, Caller, Parts } from '../call.ts'
import { type Query, sql } from '../db/sql.ts'
import { refuse } from '../refusal.ts'

export interface Actor {
  readonly type: 'user' | 'apiKey' | 'client' | 'system'
  readonly id: string | null
  readonly email: string | null
  readonly name: string | null
  readonly keyPrefix: string | null
}

export interface Entry {
  readonly target: { type: string; id: string; name: string | null }
  readonly workspace?: { slug: string; name: string } | null
  readonly changes?: readonly { field: string; from: unknown; to: unknown }[]
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly outcome?: 'success' | 'failure'
  /** The organization whose trail this belongs to, when it is not the request's own. */
  readonly organizationId?: string
  /** Who acted, when it is not the caller: the person who is just signing in, say. */
  readonly actor?: Actor
}

export type Recorder = (kind: AuditKind, entry: Entry) => void

/** What `transact` needs to know of a request; a job gives the same about itself. */
export interface Deed {
  readonly parts: Pick<Parts, 'db' | 'jobs'>
  readonly caller?: Caller | undefined
  readonly organization?: { readonly id: string } | undefined
  readonly workspace?: { readonly slug: string; readonly name: string } | undefined
  readonly origin?: Call['origin']
  readonly via?: 'signIn' | 'connect' | 'job'
  readonly idempotency?: Call['idempotency']
}

/**
 * The only way to write an audit entry: a change and its entry commit together or not at all. `record` collects; the entries are
 * appended last, because appending locks the organization's chain until the commit (several organizations in id order: no deadlock).
 */
export async function transact<T>(deed: Deed, work: (query: Query, record: Recorder) => Promise<T>): Promise<T> {
  const result = await deed.parts.db.transaction(async (query) => {
    const entries: { organization: string; content: string }[] = []
    const value = await work(query, (kind, entry) => {
      const organization = entry.organizationId ?? deed.organization?.id
      if (!organization) throw new Error(`${kind} was recorded without an organization`)
      entries.push({ organization, content: JSON.stringify(content(deed, kind, entry), storable) })
    })
    if (deed.idempotency) await carriedOut(query, deed.idempotency)
    entries.sort((a, b) => (a.organization < b.organization ? -1 : a.organization > b.organization ? 1 : 0))
    for (const { organization, content } of entries) await query(sql`select append_audit(${organization}, ${content})`)
    return value
  })
  deed.parts.jobs.wake()
  return result
}

/** The key's claim commits with the change. A claim that was taken over meanwhile rolls it back: the other request makes the change. */
async function carriedOut(query: Query, { caller, operation, pathHash, key, since }: NonNullable<Deed['idempotency']>): Promise<void> {
  const [mine] = await query(sql`update idempotency set committed_at = now()
    where caller = ${caller} and operation = ${operation} and path_hash = ${pathHash} and key = ${key} and started_at = ${since}::timestamptz
    returning key`)
  if (!mine) refuse('request_running', { headers: { 'retry-after': '1' } })
}

/** The hashed part of an entry. The order of its members is part of the format: a verifier writes them in the same order. */
function content(deed: Deed, kind: AuditKind, entry: Entry) {
  const { origin } = deed
  return {
    id: randomUUID(),
    action: kind,
    outcome: entry.outcome ?? 'success',
    actor: entry.actor ?? actorOf(deed.caller),
    target: { type: entry.target.type, id: entry.target.id, name: entry.target.name },
    workspace: entry.workspace === undefined ? workspaceOf(deed) : entry.workspace,
    changes: entry.changes ?? [],
    context: {
      via: deed.caller?.via ?? deed.via ?? 'job',
      ip: origin?.ip ?? null,
      userAgent: origin?.userAgent ?? null,
      requestId: origin?.requestId ?? null,
    },
    metadata: entry.metadata ?? {},
  }
}

/** PostgreSQL takes neither NUL nor half a surrogate pair: a name with one, from wherever, must not keep a change from being recorded. */
const storable = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value)

const workspaceOf = ({ workspace }: Deed) => (workspace ? { slug: workspace.slug, name: workspace.name } : null)

export const system: Actor = { type: 'system', id: null, email: null, name: 'Adjoin', keyPrefix: null }

export const userActor = ({ id, email, name }: { id: string; email: string; name: string }): Actor => ({
  type: 'user',
  id,
  email,
  name,
  keyPrefix: null,
})

/** A key acts under its own id; whose key it is stays readable. */
export function actorOf(caller: Caller | undefined): Actor {
  if (!caller) return system
  if (caller.class === 'session') return userActor(caller.user)
  const { key, user } = caller
  return { type: 'apiKey', id: key.id, email: user.email, name: key.name, keyPrefix: key.prefix }
}
