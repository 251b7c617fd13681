// Jobs on a leased table: written in the transaction that wants them, taken with `for update skip locked`, deleted when done.
import { setTimeout as sleep } from 'node:timers/promises'
import type { IdentityProvider } from '@adjoin/contract'
import type { Database } from '../db/pool.ts'
import { type Query, sql } from '../db/sql.ts'
import type { Log } from '../log.ts'
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
  'mail.send': { to: string; subject: string; text: string; html: string }
  'sign_in.mail': { email: string; callbackURL: string | null; identity?: PendingIdentity }
}
export type JobKind = keyof JobPayloads
export type JobHandlers = { [Kind in JobKind]: (payload: JobPayloads[Kind], job: { id: string; attempt: number }) => Promise<void> }

/** Recurring work: once per `seconds` over all replicas. */
export type Schedules = Record<string, { seconds: number; run: () => Promise<unknown> }>

export interface Jobs {
  /** Inside a transaction the job exists if and only if that commits. */
  enqueue<Kind extends JobKind>(query: Query, kind: Kind, payload: JobPayloads[Kind]): Promise<void>
  /** Something was committed that may be due: look now instead of at the next tick. */
  wake(): void
}

export interface Runner {
  /** False when no round has succeeded for a while: what `/health` shows. */
  healthy(): boolean
  stop(): Promise<void>
}

const LEASE_SECONDS = 60
const TICK_MS = 1000
const SCHEDULES_MS = 5000
const BATCH = 10
const ATTEMPTS = 12

/** 2, 4, 8 … seconds, at most an hour: a mail server that is down for a night is tried until it is back. */
export const retryAfterSeconds = (attempt: number): number => Math.min(2 ** attempt, 3600)

const binding = (id: string, kind: string) => ['jobs', id, kind]

export function createJobs(vault: Vault): Jobs & { onWake: (listener: () => void) => void } {
  let listener = () => {}
  return {
    async enqueue(query, kind, payload) {
      const id = crypto.randomUUID()
      await query(
        sql`insert into jobs (id, kind, payload) values (${id}, ${kind}, ${vault.seal(JSON.stringify(payload), binding(id, kind))})`,
      )
    },
    wake: () => listener(),
    onWake: (next) => {
      listener = next
    },
  }
}

export function runJobs(options: {
  db: Database
  vault: Vault
  log: Log
  jobs: ReturnType<typeof createJobs>
  handlers: JobHandlers
  schedules: Schedules
}): Runner {
  const { db, vault, log, jobs, handlers, schedules } = options
  const stopping = new AbortController()
  let woken = false
  let nap = new AbortController()
  let lastRound = Date.now()
  let lastSchedules = 0
  jobs.onWake(() => {
    woken = true
    nap.abort()
  })

  const perform = async (job: { id: string; kind: JobKind; payload: string; attempts: number }) => {
    try {
      const payload = JSON.parse(vault.open(job.payload, binding(job.id, job.kind)))
      await (handlers[job.kind] as (payload: unknown, job: { id: string; attempt: number }) => Promise<void>)(payload, {
        id: job.id,
        attempt: job.attempts,
      })
      await db.query(sql`delete from jobs where id = ${job.id}`)
      woken = true // what it enqueued in turn is due at once
    } catch (error) {
      const final = job.attempts >= ATTEMPTS
      log[final ? 'error' : 'warn'](
        { err: error, job: job.id, kind: job.kind, attempt: job.attempts },
        final ? 'job given up' : 'job failed, will be tried again',
      )
      await db.query(sql`update jobs set leased_until = null, run_at = now() + make_interval(secs => ${retryAfterSeconds(job.attempts)}),
        last_error = ${String((error as Error).message).slice(0, 500)}, failed_at = case when ${final} then now() end where id = ${job.id}`)
    }
  }

  const round = async (): Promise<number> => {
    const due = await db.query<{ id: string; kind: JobKind; payload: string; attempts: number }>(sql`
      update jobs set leased_until = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
      where id in (select id from jobs where failed_at is null and run_at <= now() and (leased_until is null or leased_until < now())
        order by run_at limit ${BATCH} for update skip locked)
      returning id, kind, payload, attempts`)
    await Promise.all(due.map(perform))
    return due.length
  }

  /** Each schedule's row is its lock: of all replicas one moves it forward, and that one runs it. */
  const runSchedules = async () => {
    for (const [name, { seconds, run }] of Object.entries(schedules)) {
      const [mine] =
        await db.query(sql`insert into schedules as s (name, due_at) values (${name}, now() + make_interval(secs => ${seconds}))
        on conflict (name) do update set due_at = excluded.due_at where s.due_at <= now() returning name`)
      if (mine) await run().catch((error) => log.error({ err: error, schedule: name }, 'scheduled work failed'))
    }
  }

  const loop = async () => {
    while (!stopping.signal.aborted) {
      woken = false
      try {
        const taken = await round()
        if (Date.now() - lastSchedules > SCHEDULES_MS) {
          lastSchedules = Date.now()
          await runSchedules()
        }
        lastRound = Date.now()
        if (taken === BATCH || woken) continue
      } catch (error) {
        log.warn({ err: error }, 'jobs wait for the database')
      }
      nap = new AbortController()
      if (!woken && !stopping.signal.aborted) await sleep(TICK_MS, undefined, { signal: nap.signal }).catch(() => {})
    }
  }
  const running = loop()

  return {
    healthy: () => Date.now() - lastRound < 30_000,
    stop: async () => {
      stopping.abort()
      nap.abort()
      await running
    },
  }
}
