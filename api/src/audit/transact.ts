import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type AuditKind, type EventIntegration, type TargetType, takesPower } from '@adjoin/contract'
import type { Authority, Call, Caller, Parts } from '../call.ts'
import { CommitLost } from '../db/pool.ts'
import { type RunQuery, sql } from '../db/sql.ts'
import { refuse } from '../refusal.ts'
import { commitClaim, confirmCommit } from './claim.ts'
import { preview } from './preview.ts'

export interface Actor {
  readonly type: 'user' | 'apiKey' | 'client' | 'system'
  readonly id: string | null
  readonly email: string | null
  readonly name: string | null
  readonly keyPrefix: string | null
}

export interface EntryWorkspace {
  readonly id: string
  readonly slug: string
  readonly name: string
}

export interface NewEntry {
  readonly target: { type: TargetType; id: string; name: string | null }
  readonly workspace?: EntryWorkspace | null
  /** What the entry is about, if it is an integration, as it is after the change. */
  readonly integration?: EventIntegration
  readonly changes?: readonly { field: string; from: unknown; to: unknown }[]
  readonly metadata?: Readonly<Record<string, unknown>>
  readonly outcome?: 'success' | 'failure'
  /** The organization whose trail this belongs to, when it is not the request's own. */
  readonly organizationId?: string
  /** Who acted, when it is not the caller: the person who is just signing in, say. */
  readonly actor?: Actor
  /** Somebody loses power by this, although its kind usually takes none. */
  readonly takesPower?: boolean
}

export type Recorder = (kind: AuditKind, entry: NewEntry) => void

/** What `transact` needs to know of a request; a job gives the same about itself. */
export interface AuditContext {
  readonly parts: Pick<Parts, 'db' | 'jobs'> & Partial<Pick<Parts, 'notices'>>
  readonly caller?: Caller | undefined
  readonly organization?: { readonly id: string } | undefined
  readonly workspace?: EntryWorkspace | undefined
  readonly origin?: Call['origin']
  readonly via?: 'signIn' | 'connect' | 'job'
  readonly idempotency?: Call['idempotency']
  /** Made to see what would come of it, and rolled back. */
  readonly preview?: boolean | undefined
  /** Missing where no caller's role decides: jobs, connect links, sign-ins. */
  readonly authority?: Authority | undefined
}

/** How often a change is let in again because powers in its organization changed while it was being made. */
const TRIES = 10

/**
 * The only way to write an audit entry: a change and its entry commit together or not at all.
 * A change also commits only with the powers that its caller still has: when somebody's were
 * taken away meanwhile, the caller is identified and authorized again, and `work` runs again.
 */
export async function transact<T>(context: AuditContext, work: (query: RunQuery, record: Recorder) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      const { jobs, notices } = context.parts
      const { value, entries } = await carryOut(context, work)
      jobs.wake()
      if (notices) for (const { organization } of entries) notices.tell(organization)
      return value
    } catch (error) {
      if (!(error instanceof PowerChanged)) throw error
      if (tries === TRIES) refuse('unavailable', { headers: { 'retry-after': '1' } })
      await sleep(Math.random() * 10 * tries) // apart, or they meet again
      await context.authority!.renew()
    }
  }
}

class PowerChanged extends Error {}

interface Change<T> {
  readonly value: T
  readonly entries: readonly Entry[]
  /** What it left on the claim of its Idempotency-Key. */
  readonly mark?: string | undefined
}

async function carryOut<T>(context: AuditContext, work: (query: RunQuery, record: Recorder) => Promise<T>): Promise<Change<T>> {
  const { db } = context.parts
  let made: Change<T> | undefined
  try {
    return await db.transaction(async (query) => {
      made = await change(context, query, work)
      return made
    })
  } catch (error) {
    if (!(error instanceof CommitLost) || !context.idempotency || !made?.mark) throw error
    await confirmCommit(db, context.idempotency, made.mark, error)
    return made
  }
}

/**
 * `record` collects; the entries are appended last,
 * because appending locks the organization's chain until the commit (several
 * organizations in id order: no deadlock).
 */
async function change<T>(
  context: AuditContext,
  query: RunQuery,
  work: (query: RunQuery, record: Recorder) => Promise<T>,
): Promise<Change<T>> {
  const entries: Entry[] = []
  await context.authority?.hold(query)
  if (context.preview && context.organization) return preview(query, context.organization.id, () => work(query, () => {}))
  const value = await work(query, (kind, entry) => {
    const organization = entry.organizationId ?? context.organization?.id
    if (!organization) throw new Error(`${kind} was recorded without an organization`)
    entries.push({
      organization,
      content: JSON.stringify(content(context, kind, entry), storable),
      takesPower: entry.takesPower ?? takesPower.has(kind),
    })
  })
  const mark = context.idempotency && (await commitClaim(query, context.idempotency))
  entries.sort((a, b) => (a.organization < b.organization ? -1 : a.organization > b.organization ? 1 : 0))
  // Compared once: this transaction's own first entry may raise the version.
  let power = context.authority?.power ?? null
  for (const { organization, content, takesPower } of entries) {
    const own = organization === context.organization?.id
    const [appended] = await query<{ ok: boolean }>(
      sql`select append_audit_entry(${organization}, ${content}, ${own ? power : null}, ${takesPower}) as ok`,
    )
    if (!appended!.ok) throw new PowerChanged()
    if (own) power = null
  }
  return { value, entries, mark }
}

interface Entry {
  readonly organization: string
  readonly content: string
  readonly takesPower: boolean
}

/**
 * The hashed part of an entry. The order of its members is part of the format:
 * a verifier writes them in the same order.
 */
function content(context: AuditContext, kind: AuditKind, entry: NewEntry) {
  const { origin } = context
  const workspace = entry.workspace === undefined ? context.workspace : entry.workspace
  return {
    id: randomUUID(),
    action: kind,
    outcome: entry.outcome ?? 'success',
    actor: entry.actor ?? actorOf(context.caller),
    target: { type: entry.target.type, id: entry.target.id, name: entry.target.name },
    workspace: workspace ? { slug: workspace.slug, name: workspace.name } : null,
    changes: entry.changes ?? [],
    context: {
      via: context.caller?.via ?? context.via ?? 'job',
      ip: origin?.ip ?? null,
      userAgent: origin?.userAgent ?? null,
      requestId: origin?.requestId ?? null,
    },
    // What events tell of besides. In the metadata, which a process of the version before passes on as it is.
    metadata: {
      ...entry.metadata,
      ...(workspace && { workspaceId: workspace.id }),
      ...(entry.integration && { integration: entry.integration }),
    },
  }
}

/**
 * PostgreSQL takes neither NUL nor half a surrogate pair:
 * a name with one, from wherever, must not keep a change from being recorded.
 */
const storable = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value)

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
