// Runs jobs: leased with `for update skip locked`, a few at once, each on its own clock, so that a hanging one stalls nobody.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../log.ts'
import type { Vault } from '../vault/seal.ts'
import { type createJobs, type JobContext, type JobHandlers, type JobKind, payloadOf } from './queue.ts'

/** Recurring work: once per `seconds` over all replicas. */
export type Schedules = Record<string, { seconds: number; run: () => Promise<unknown> }>

export interface Runner {
  /** False when no round has succeeded for a while: what `/health` shows. */
  healthy(): boolean
  /** Takes nothing more, and waits for what is running, within reason: a lease that is left behind runs out by itself. */
  stop(): Promise<void>
}

export interface RunnerOptions {
  readonly db: Database
  readonly vault: Vault
  readonly log: Log
  readonly jobs: ReturnType<typeof createJobs>
  readonly handlers: JobHandlers
  readonly schedules: Schedules
  /** How long one job may take: less than its lease, which keeps everybody else away from it. */
  readonly jobMs?: number
  readonly observe?: (kind: JobKind, outcome: 'done' | 'retried' | 'given_up') => void
}

interface Job {
  readonly id: string
  readonly kind: JobKind
  readonly payload: string
  readonly attempts: number
  readonly now: Date
}

const LEASE_SECONDS = 60
const JOB_MS = 45_000
const STOP_MS = 10_000
const TICK_MS = 1000
const SCHEDULES_MS = 5000
const HEALTHY_MS = 30_000
const AT_ONCE = 10
/** With the waits below: a day and some hours. */
const ATTEMPTS = 36

/** 2, 4, 8 … seconds, at most an hour: a mail server that is down for a night is tried until it is back. */
export const retryAfterSeconds = (attempt: number): number => Math.min(2 ** attempt, 3600)

/** A stranger's words may hold what PostgreSQL does not take: then the job's end could not be written, and it would sit out its lease. */
const storable = (message: unknown) => String(message).slice(0, 500).toWellFormed().replaceAll('\0', '\ufffd')

export function runJobs({ db, vault, log, jobs, handlers, schedules, jobMs = JOB_MS, observe }: RunnerOptions): Runner {
  const kinds = Object.keys(handlers)
  const running = new Set<Promise<void>>()
  const scheduled = new Map<string, Promise<void>>()
  let stopping = false
  let woken = false
  let nap = new AbortController()
  // Not by the clock on the wall, which may be set back.
  let lastRound = performance.now()
  let lastSchedules = Number.NEGATIVE_INFINITY
  const wake = () => {
    woken = true
    nap.abort()
  }
  jobs.onWake(wake)

  /** Kinds that only a newer version knows are left to it. */
  const take = (places: number) =>
    db.query<Job>(sql`
      update jobs set leased_until = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
      where id in (select id from jobs where failed_at is null and run_at <= now() and (leased_until is null or leased_until < now())
          and kind = any (${kinds}) order by run_at limit ${places} for update skip locked)
      returning id, kind, payload, attempts, now() as now`)

  const handle = async ({ id, kind, payload, attempts, now }: Job) => {
    if (attempts > ATTEMPTS) throw Object.assign(new Error('every process that ran it died'), { permanent: true })
    const opened = JSON.parse(vault.open(payload, payloadOf(id, kind)))
    const signal = AbortSignal.timeout(jobMs)
    const late = new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
    const handler = handlers[kind] as (payload: unknown, job: JobContext) => Promise<void>
    await Promise.race([handler(opened, { id, attempt: attempts, now, signal }), late])
  }

  /** `attempts` fences: whoever lost the lease meanwhile has no say in what becomes of the job. */
  const perform = async (job: Job) => {
    const { id, kind, attempts } = job
    try {
      await handle(job)
      await db.query(sql`delete from jobs where id = ${id} and attempts = ${attempts}`)
      observe?.(kind, 'done')
    } catch (error) {
      const { message, permanent } = error as Error & { permanent?: boolean }
      const final = permanent === true || attempts >= ATTEMPTS
      observe?.(kind, final ? 'given_up' : 'retried')
      log[final ? 'error' : 'warn'](
        { err: error, job: id, kind, attempt: attempts },
        final ? 'job given up' : 'job failed, will be tried again',
      )
      await db.query(sql`update jobs set leased_until = null, run_at = now() + make_interval(secs => ${retryAfterSeconds(attempts)}),
        last_error = ${storable(message)}, failed_at = case when ${final} then now() end where id = ${id} and attempts = ${attempts}`)
    }
  }

  const start = (job: Job) => {
    const task: Promise<void> = perform(job)
      .catch((error) => log.warn({ err: error, job: job.id, kind: job.kind }, 'the end of a job was not written: its lease will run out'))
      .finally(() => {
        running.delete(task)
        wake() // a place is free, and what it enqueued in turn is due at once
      })
    running.add(task)
  }

  /** Each schedule's row is its lock: of all replicas one moves it forward, and that one runs it. */
  const startSchedules = async () => {
    lastSchedules = performance.now()
    for (const [name, { seconds, run }] of Object.entries(schedules)) {
      if (scheduled.has(name)) continue
      const [mine] =
        await db.query(sql`insert into schedules as s (name, due_at) values (${name}, now() + make_interval(secs => ${seconds}))
        on conflict (name) do update set due_at = excluded.due_at where s.due_at <= now() returning name`)
      if (!mine) continue
      const task = run()
        .catch((error) => log.error({ err: error, schedule: name }, 'scheduled work failed'))
        .then(() => void scheduled.delete(name))
      scheduled.set(name, task)
    }
  }

  const loop = async () => {
    while (!stopping) {
      woken = false
      try {
        const places = AT_ONCE - running.size
        for (const job of places ? await take(places) : []) start(job)
        if (performance.now() - lastSchedules > SCHEDULES_MS) await startSchedules()
        lastRound = performance.now()
      } catch (error) {
        log.warn({ err: error }, 'jobs wait for the database')
        woken = false // not at once again, whatever was committed
      }
      nap = new AbortController()
      if (!woken && !stopping) await sleep(TICK_MS, undefined, { signal: nap.signal }).catch(() => {})
    }
  }
  const looping = loop()

  return {
    healthy: () => performance.now() - lastRound < HEALTHY_MS,
    stop: async () => {
      stopping = true
      nap.abort()
      await looping
      const rest = Promise.allSettled([...running, ...scheduled.values()])
      await Promise.race([rest, sleep(STOP_MS, undefined, { ref: false })])
    },
  }
}
