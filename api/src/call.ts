import type { IncomingMessage } from 'node:http'
import type {
  Answer,
  Body,
  CallEffect,
  CallOutcome,
  OperationId,
  Operations,
  OrganizationRole,
  Params,
  Place,
  Query as QueryOf,
  WorkspaceRole,
} from '@adjoin/contract'
import type { Config } from './config.ts'
import type { Database } from './db/pool.ts'
import type { Fragment, Row, RunQuery } from './db/sql.ts'
import type { DailyCalls } from './gateway/daily-calls.ts'
import type { Gateway } from './gateway/index.ts'
import type { WebhookSender } from './gateway/post-webhook.ts'
import type { Identity } from './identity/index.ts'
import type { Notices } from './jobs/notices.ts'
import type { Jobs } from './jobs/queue.ts'
import type { Log } from './log.ts'
import type { VendorSessions } from './providers/vendor-sessions.ts'
import type { Tracer } from './tracer.ts'
import type { UnderWay } from './under-way.ts'
import type { Vault } from './vault/seal.ts'
import type { Secrets } from './vault/tokens.ts'

/** What the service is built from, once, by hand, in app.ts. */
export interface Parts {
  readonly config: Config
  readonly db: Database
  readonly vault: Vault
  readonly secrets: Secrets
  readonly jobs: Jobs
  /** Who waits for the next entry of a trail, and is told of it. */
  readonly notices: Notices
  /** Opens sessions with the ad systems. */
  readonly vendorSessions: VendorSessions
  /** The way of proxied calls to the ad systems. */
  readonly gateway: Gateway
  /** The way of events to the servers of tenants. */
  readonly webhooks: WebhookSender
  readonly usage: {
    flush(): Promise<void>
    count(call: { organizationId: string; integrationId: string; caller: string; effect: CallEffect; outcome: CallOutcome }): void
  }
  /** What agents ask for with keys. */
  readonly toolUsage: {
    flush(): Promise<void>
    count(call: { organizationId: string; keyId: string; tool: string; workspace: string; outcome: 'ok' | 'refused' | 'failed' }): void
  }
  /** The operator's daily calls at an ad system, shared out among organizations. */
  readonly quota: {
    take(
      subject: { organizationId: string; provider: string },
      daily: DailyCalls,
    ): Promise<{ taken: true } | { taken: false; endsIn: number }>
  }
  readonly log: Log
  /** Where traces are taken; else there is none. */
  readonly tracer?: Tracer | undefined
  readonly identity: Identity
  /** Counts what a verb does by itself as if the named operation had been called; refuses past the limit. Answers headers that say so. */
  readonly limit: (id: OperationId, subject: LimitSubject) => Promise<Record<string, string>>
  /** The limits on what is done rather than asked for, taken in the transaction that does it: rolled back, they were not used. */
  readonly limitDone: (query: Database['query'], id: OperationId, subject: LimitSubject) => Promise<Record<string, string>>
  readonly development: Development
}

export interface LimitSubject {
  readonly ip: string
  readonly caller?: Caller
  readonly body?: unknown
  readonly params?: Record<string, unknown>
  readonly at?: At
}

/** What a browser finds in development besides: mails that did not leave, and the consent pages of stand-ins. */
export interface Development {
  readonly mailbox?: () => Promise<readonly object[]>
  readonly twins?: (request: IncomingMessage) => { status: number; headers?: Record<string, string>; body: string }
}

export interface Person {
  readonly id: string
  readonly email: string
  readonly name: string
}

export interface SessionCaller {
  readonly class: 'session'
  /** The same session, by cookie or as a bearer. */
  readonly via: 'session' | 'bearer'
  readonly user: Person
  readonly sessionId: string
}

export interface KeyCaller {
  readonly class: 'userKey' | 'organizationKey' | 'workspaceKey'
  readonly via: 'apiKey'
  /** Who made the key: the inviter of its invitations, the ceiling of its powers. */
  readonly user: Person
  readonly key: {
    readonly id: string
    readonly name: string
    readonly prefix: string
    readonly role: WorkspaceRole | null
    readonly organizationId: string
    readonly workspaceId: string | null
    readonly expiresAt: Date | null
    /** Set: the key lives out its grace window. */
    readonly replacedAt: Date | null
    /** What the key may do now in its own scope: never more than its creator, except for organization keys. */
    readonly effectiveRole: OrganizationRole
    /** An organization key keeps its role without its creator, but lets nobody in that they could not let in. */
    readonly creatorIsAdmin: boolean
  }
}

export type Caller = SessionCaller | KeyCaller

export interface OrganizationScope {
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly role: OrganizationRole
}

export interface WorkspaceScope {
  readonly id: string
  readonly slug: string
  readonly name: string
  /** The effective role: the higher of the inherited and the assigned one. */
  readonly role: WorkspaceRole
  readonly access: 'inherited' | 'assigned'
}

/** The organization, and the workspace in it, that a request is about. */
export interface At {
  readonly organization?: { readonly id: string } | null | undefined
  readonly workspace?: { readonly id: string } | null | undefined
}

/** What a caller was allowed to do when the request was let in, and how to find out whether that still holds. */
export interface Authority {
  /** The organization's power version, read in one statement with the roles. Null: outside of an organization. */
  readonly power: number | null
  /** First in the transaction. Outside of an organization the session is all that gives power: no sign-out passes this. */
  hold(query: RunQuery): Promise<void>
  /** Identifies and authorizes the caller again, as on arrival: refuses, or brings the call up to date. */
  renew(): Promise<void>
}

/**
 * Waits until the organization's trail goes on behind `seen`, at most so many milliseconds. True: it may have.
 * Afterwards the caller is identified again: what was read from the call before may no longer hold.
 */
export type Wait = (ms: number, seen: number) => Promise<boolean>

/** Where a request came from, for the audit trail and for limits. */
export interface Origin {
  readonly requestId: string
  readonly ip: string
  readonly userAgent: string | null
  /** The Origin header, null where none was sent. */
  readonly header: string | null
  /** The request came from a page on one of our own origins. */
  readonly fromBrowser: boolean
  readonly cookies: Readonly<Record<string, string>>
}

type In<Id extends OperationId, P extends string, T> = Place<Id> extends P ? T : undefined

/** One authorized request: who calls, for what, with everything the verb needs. `now` is the database's clock. */
export interface Call<Id extends OperationId = OperationId> {
  readonly id: Id
  readonly parts: Parts
  readonly caller: Place<Id> extends 'public' ? undefined : Caller
  readonly organization: In<Id, 'organization' | 'workspace', OrganizationScope>
  readonly workspace: In<Id, 'workspace', WorkspaceScope>
  readonly params: Params<Id>
  readonly query: QueryOf<Id>
  readonly body: Body<Id>
  readonly now: Place<Id> extends 'public' ? undefined : Date
  readonly origin: Origin
  /** Of every change, and of every read that is recorded. */
  readonly authority: Place<Id> extends 'public' ? undefined : Authority | undefined
  /** The caller asks what would end: nothing is to be changed, here or at an ad system. */
  readonly preview: boolean
  /** The caller only reads: a call that would change something at an ad system is refused, whatever the role. */
  readonly readOnly: boolean
  /** Of operations that declare so. */
  readonly wait: Operations[Id] extends { wait: object } ? Wait : undefined
  /** Of operations that may last. */
  readonly underWay: UnderWay | undefined
  /** What `look` asked for. Undefined where no limit was counted. */
  readonly looked?: { readonly rows: readonly Row[] } | undefined
  /** Headers of the answer. */
  readonly headers: Record<string, string | string[]>
  /** Marks the Idempotency-Key of this request as carried out, inside the transaction that does so. */
  readonly idempotency?: {
    readonly caller: string
    readonly operation: OperationId
    readonly pathHash: Buffer
    readonly key: string
    /** When this request claimed the key, by the database's clock: another value there means that another request has taken over. */
    readonly since: string
  }
}

export type Handler<Id extends OperationId> = (call: Call<Id>) => Promise<Answer<Id>>

/** What an operation does; with `may` where the access matrix alone cannot say who is allowed to. */
export type Verb<Id extends OperationId> = Handler<Id> | GuardedVerb<Id> | LookingVerb<Id>

export interface LookingVerb<Id extends OperationId> {
  /** What it reads first, of a caller who is let in: sent together with the limits, so that it costs no wait of its own. */
  readonly look: (call: Pick<Call<Id>, 'organization' | 'workspace' | 'params'>) => Fragment
  readonly run: Handler<Id>
}

export interface GuardedVerb<Id extends OperationId> {
  /** Refuses, or does nothing. Asked before `run`, before a replayed answer, and whenever a power was taken meanwhile. */
  readonly may: (call: Call<Id>) => Promise<unknown> | unknown
  readonly run: Handler<Id>
}

export type Verbs = { readonly [Id in OperationId]: Verb<Id> }

/** One name for whoever calls: a person, over all of their sessions, or a key. */
export const callerKey = (caller: Caller): string => (caller.class === 'session' ? `user:${caller.user.id}` : `key:${caller.key.id}`)

/** The verbs that only people may use know that a person calls. */
export function person(call: { caller: Caller | undefined }): SessionCaller {
  if (call.caller?.class !== 'session') throw new Error('the access matrix let a key into a verb for people')
  return call.caller
}
