// Jobs on a leased table: written in the transaction that wants them, run by whichever process is free.
import type { IdentityProvider } from '@adjoin/contract'
import { type Query, sql } from '../db/sql.ts'
import type { Vault } from '../vault/seal.ts'

/** An account at an identity provider whose address is to be confirmed by the mail, in the browser that holds the secret of `browser`. */
export interface PendingIdentity {
  readonly provider: IdentityProvider
  readonly issuer: string
  readonly subject: string
  readonly name?: string | undefined
  readonly image?: string | undefined
  readonly browser: string
}

/** What each kind of job is given. Sealed in the table: a mail holds a link. */
export interface JobPayloads {
  /** `until`: when what the mail offers ends. One that could not leave before is not worth anybody's time. */
  'mail.send': { to: string; subject: string; text: string; html: string; until?: string }
  'joins.mail': { organizationId: string }
  /** `challenge`: the hash of what the code needs; none from an older process. */
  'sign_in.mail': { email: string; callbackURL: string | null; identity?: PendingIdentity; challenge?: string }
}
export type JobKind = keyof JobPayloads

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
  /** Inside a transaction the job exists if and only if that commits. Without `at` it is due at once. */
  enqueue<Kind extends JobKind>(query: Query, kind: Kind, payload: JobPayloads[Kind], at?: Date): Promise<void>
  /** Something was committed that may be due: look now instead of at the next tick. */
  wake(): void
}

/** What a sealed payload belongs to. */
export const payloadOf = (id: string, kind: string) => ['jobs', id, kind]

export function createJobs(vault: Vault): Jobs & { onWake: (listener: () => void) => void } {
  let listener = () => {}
  return {
    async enqueue(query, kind, payload, at) {
      const id = crypto.randomUUID()
      const sealed = vault.seal(JSON.stringify(payload), payloadOf(id, kind))
      await query(
        sql`insert into jobs (id, kind, payload, run_at) values (${id}, ${kind}, ${sealed}, coalesce(${at ?? null}::timestamptz, now()))`,
      )
    },
    wake: () => listener(),
    onWake: (next) => {
      listener = next
    },
  }
}
