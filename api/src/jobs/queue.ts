// Jobs on a leased table: written in the transaction that wants them, run by whichever process is free.
import type { IdentityProvider } from '@adjoin/contract'
import { type RunQuery, sql } from '../db/sql.ts'
import type { Vault } from '../vault/seal.ts'

/**
 * An account at an identity provider whose address is to be confirmed by the mail,
 * in the browser that holds the secret of `browser`.
 */
export interface PendingIdentity {
  readonly provider: IdentityProvider
  readonly issuer: string
  readonly subject: string
  readonly name?: string | undefined
  readonly image?: string | undefined
  readonly browser: string
}

/** What happened to integrations, as the mail of the day tells it. */
export interface ToldNotice {
  readonly integrationId: string
  readonly kind: 'connected' | 'failed'
  readonly at: string
  /** Nobody else was told. */
  readonly alone: boolean
}

/** What the reader of a mail must be when it leaves, however long it has waited: by the power, what it is a power over. */
export interface MailReaders {
  /** The holder of the address, whoever that is: the mail tells of nothing else. */
  mailbox: object
  /** Somebody whose invitation is still open. */
  invitee: { organizationId: string; invitationId: string }
  /** An admin of the organization. */
  admin: { organizationId: string; userId: string }
  /**
   * Somebody who sees the workspace of an integration or a request, while that exists.
   * `alone`: nobody else got this mail, so that those who look after it now get it in the reader's place; `notice`: as their settings say.
   */
  workspace: {
    organizationId: string
    userId: string
    of: 'integration' | 'request'
    id: string
    alone: boolean
    notice?: ToldNotice['kind']
  }
  /** Somebody who sees the workspaces of all these integrations. */
  notices: { organizationId: string; userId: string; notices: readonly ToldNotice[] }
  /** A client who is still written to under this address. `link`: the hash of the token that is mailed, of a request that is still open. */
  client: { organizationId: string; requestId: string; mailbox: string; link: string | null }
}
export type MailReader = { [Power in keyof MailReaders]: { readonly power: Power } & Readonly<MailReaders[Power]> }[keyof MailReaders]

/** What each kind of job is given. Sealed in the table: a mail holds a link. */
export interface JobPayloads {
  /** `until`: when what the mail offers ends. One that could not leave before is not worth anybody's time. */
  'mail.send': {
    to: string
    subject: string
    text: string
    html: string
    headers?: Readonly<Record<string, string>>
    until?: string
    /** Which mail it is, and who may read it: asked when it leaves. The version before did not say. */
    kind?: string
    reader?: MailReader
    /** A client's mailbox, as the version before asks whether it wants mail. */
    client?: { organizationId: string; mailbox: string }
    /** About an integration whose client may be choosing its account: left out once nothing is missing. */
    choosing?: { organizationId: string; integrationId: string }
  }
  'joins.mail': { organizationId: string }
  /** `challenge`: the hash of what the code needs; none from an older process. */
  'sign_in.mail': { email: string; callbackURL: string | null; identity?: PendingIdentity; challenge?: string }
}
export type JobKind = keyof JobPayloads

/**
 * How many run at once in each, in one process:
 * a sign-in mail never waits behind invitations, nor any of them behind what comes later.
 */
export const lanes = { sign_in: 8, mail: 8 } as const
export type Lane = keyof typeof lanes
const defaultLanes: Record<JobKind, Lane> = { 'mail.send': 'mail', 'joins.mail': 'mail', 'sign_in.mail': 'sign_in' }

/** Where a job waits, if not in the lane of its kind, whose share of that lane it takes, and from when on. */
export interface JobPlace {
  readonly lane?: Lane
  readonly organizationId?: string
  /** Due then, instead of at once. */
  readonly at?: Date
}

/**
 * Each job that an organization has waiting puts its next one's turn off by this much:
 * whoever has few is served in between.
 */
const STEP_SECONDS = 0.2
export const MAX_DELAY_SECONDS = 600

export interface JobContext {
  readonly id: string
  readonly attempt: number
  readonly now: Date
  /** Aborted when the job has taken too long: what it still does counts for nothing. */
  readonly signal: AbortSignal
}
/** An error with `permanent: true` says that trying again is pointless. */
export type JobHandlers = { [Kind in JobKind]: (payload: JobPayloads[Kind], job: JobContext) => Promise<void> }

export interface Jobs {
  /** Inside a transaction the job exists if and only if that commits. */
  enqueue<Kind extends JobKind>(query: RunQuery, kind: Kind, payload: JobPayloads[Kind], place?: JobPlace): Promise<void>
  /** Something was committed that may be due: look now instead of at the next tick. */
  wake(): void
}

/** What a sealed payload belongs to. */
export const payloadBinding = (id: string, kind: string) => ['jobs', id, kind]

export function createJobs(vault: Vault): Jobs & { onWake: (listener: () => void) => void } {
  let listener = () => {}
  return {
    async enqueue(query, kind, payload, { lane = defaultLanes[kind], organizationId = null, at = null } = {}) {
      const id = crypto.randomUUID()
      const sealed = vault.seal(JSON.stringify(payload), payloadBinding(id, kind))
      const runAt = at === null ? sql`now()` : sql`${at}::timestamptz`
      // Nobody's waits for no turn. Said apart: Citus takes a comparison with null for a statement that does nothing.
      if (organizationId === null)
        await query(sql`insert into jobs (id, kind, payload, run_at, lane) values (${id}, ${kind}, ${sealed}, ${runAt}, ${lane})`)
      else
        await query(sql`insert into jobs (id, kind, payload, run_at, lane, share, turn_at)
          select ${id}, ${kind}, ${sealed}, ${runAt}, ${lane}, ${organizationId}::text,
            now() + make_interval(secs => least(count(*) * ${STEP_SECONDS}::float8, ${MAX_DELAY_SECONDS}::float8))
          from jobs where lane = ${lane} and share = ${organizationId}::text and failed_at is null`)
    },
    wake: () => listener(),
    onWake: (next) => {
      listener = next
    },
  }
}

/** How many wait, and for how many seconds the longest has. A job that is being run waits no longer, however old it is. */
export async function jobsLoad(query: RunQuery): Promise<{ pending: number; late: number }> {
  const [load] = await query<{
    pending: number
    late: number
  }>(sql`select count(*) as pending, coalesce(extract(epoch from now() - min(run_at) filter
    (where run_at <= now() and (leased_until is null or leased_until < now()))), 0)::float8 as late from jobs where failed_at is null`)
  return load!
}
