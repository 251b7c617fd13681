// Runs jobs: leased with `for update skip locked`, a few at once in each lane,
// each on its own clock, so that a hanging one stalls nobody.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '../db/pool.ts'
import { sql } from '../db/sql.ts'
import type { Log } from '../log.ts'
import type { Tracer } from '../tracer.ts'
import type { Vault } from '../vault/seal.ts'
import { type LeaseLoop, leaseLoop } from './lease-loop.ts'
import {
  type createJobs,
  type JobContext,
  type JobHandlers,
  type JobKind,
  type Lane,
  lanes,
  MAX_DELAY_SECONDS,
  payloadBinding,
} from './queue.ts'

/** Recurring work: once per `seconds` over all replicas. */
export type Schedules = Record<string, { seconds: number; run: () => Promise<unknown> }>

export interface Runner {
  /** False when no round has succeeded for a while: what `/health` shows. */
  healthy(): boolean
  /**
   * Takes nothing more, and waits for what is running, within reason:
   * a lease that is left behind runs out by itself.
   */
  stop(): Promise<void>
}

export interface RunnerOptions {
  readonly db: Database
  readonly vault: Vault
  readonly log: Log
  readonly tracer?: Tracer | undefined
  readonly jobs: ReturnType<typeof createJobs>
  readonly handlers: JobHandlers
  readonly schedules: Schedules
  /** How long one job may take: less than its lease, which keeps everybody else away from it. */
  readonly jobMs?: number
  /** How long a stop waits for what is running. */
  readonly stopMs?: number
  readonly observe?: (kind: JobKind, outcome: 'done' | 'retried' | 'given_up') => void
}

interface Job {
  readonly id: string
  readonly kind: JobKind
  readonly payload: string
  readonly attempts: number
  /** Whose turn it takes: an organization's id. */
  readonly share: string | null
  readonly leased_until: Date
}

const LEASE_SECONDS = 60
const JOB_MS = 45_000
const STOP_MS = 10_000
const SCHEDULES_MS = 5000
/** With the waits below: a day and some hours. */
const ATTEMPTS = 36

/** 2, 4, 8 … seconds, at most an hour: a mail server that is down for a night is tried until it is back. */
export const retryAfterSeconds = (attempt: number): number => Math.min(2 ** attempt, 3600)

/**
 * A stranger's words may hold what PostgreSQL does not take:
 * then the job's end could not be written, and it would sit out its lease.
 */
const storable = (message: unknown) => String(message).slice(0, 500).toWellFormed().replaceAll('\0', '\ufffd')

export function runJobs(options: RunnerOptions): Runner {
  const { db, vault, log, tracer, jobs, handlers, schedules, jobMs = JOB_MS, stopMs = STOP_MS, observe } = options
  const kinds = Object.keys(handlers)

  /**
   * Whose turn it is, except for organizations that have their share.
   * Kinds that only a newer version knows are left to it. Picked apart from the update:
   * joined with it, PostgreSQL may pick again for every row, and lease all that are due.
   */
  const lease = (lane: Lane, places: number, full: string[]) =>
    db.query<Job>(sql`
      with due as materialized (
        select id from jobs where lane = ${lane} and failed_at is null and run_at <= now() and (leased_until is null or leased_until < now())
          and turn_at <= now() + make_interval(secs => ${MAX_DELAY_SECONDS}) and kind = any (${kinds})
          and (share is null or share <> all (${full}))
        order by turn_at limit ${places} for update skip locked)
      update jobs set leased_until = now() + make_interval(secs => ${LEASE_SECONDS}), attempts = attempts + 1
      from due where jobs.id = due.id
      returning jobs.id, kind, payload, attempts, share, leased_until`)

  const handle = async ({ id, kind, payload, attempts, leased_until }: Job) => {
    const now = new Date(leased_until.getTime() - LEASE_SECONDS * 1000)
    if (attempts > ATTEMPTS) throw Object.assign(new Error('every process that ran this job crashed'), { permanent: true })
    const opened = JSON.parse(vault.open(payload, payloadBinding(id, kind)))
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
        final ? 'job given up' : 'job failed, will be retried',
      )
      const again = sql`now() + make_interval(secs => ${retryAfterSeconds(attempts)})`
      await db.query(sql`update jobs set leased_until = null, run_at = ${again}, turn_at = ${again},
        last_error = ${storable(message)}, failed_at = ${final ? sql`now()` : sql`null`} where id = ${id} and attempts = ${attempts}`)
    }
  }

  /** Half a lane at most for one organization: what hangs for it must not hang for all. */
  const openLane = (lane: Lane): LeaseLoop => {
    const width = lanes[lane]
    const most = Math.ceil(width / 2)
    const held = new Map<string, number>()
    const hold = (share: string | null, change: 1 | -1) => {
      if (share === null) return
      const count = (held.get(share) ?? 0) + change
      if (count) held.set(share, count)
      else held.delete(share)
    }
    return leaseLoop<Job>({
      width,
      tracer,
      spanName: ({ kind }) => `job ${kind}`,
      log,
      waits: 'jobs are waiting for the database',
      async take(places) {
        const counts = [...held]
        const full = counts.filter(([, count]) => count >= most).map(([share]) => share)
        const fullest = Math.max(0, ...counts.filter(([, count]) => count < most).map(([, count]) => count))
        // All of it may be of one of them.
        const taken = await lease(lane, Math.min(places, most - fullest), full)
        for (const job of taken) hold(job.share, 1)
        return taken
      },
      run: (job) =>
        perform(job)
          .catch((error) =>
            log.warn(
              { err: error, job: job.id, kind: job.kind },
              'could not save the outcome of a job; it runs again when its lease expires',
            ),
          )
          .finally(() => hold(job.share, -1)),
    })
  }

  /** Each schedule's row is its lock: of all replicas one moves it forward, and that one runs it. */
  const openSchedules = (): LeaseLoop => {
    const underWay = new Set<string>()
    return leaseLoop<string>({
      width: Object.keys(schedules).length,
      idleMs: SCHEDULES_MS,
      tracer,
      spanName: (name) => `schedule ${name}`,
      log,
      waits: 'scheduled work is waiting for the database',
      async take() {
        const due: string[] = []
        for (const [name, { seconds }] of Object.entries(schedules).filter(([name]) => !underWay.has(name))) {
          const [row] =
            await db.query(sql`insert into schedules as s (name, due_at) values (${name}, now() + make_interval(secs => ${seconds}))
            on conflict (name) do update set due_at = excluded.due_at where s.due_at <= now() returning name`)
          if (row) due.push(name)
        }
        for (const name of due) underWay.add(name)
        return due
      },
      run: (name) =>
        schedules[name]!.run()
          .catch((error) => log.error({ err: error, schedule: name }, 'scheduled work failed'))
          .then(() => void underWay.delete(name)),
    })
  }

  const openLanes = (Object.keys(lanes) as Lane[]).map(openLane)
  const loops = [...openLanes, openSchedules()]
  jobs.onWake(() => {
    for (const lane of openLanes) lane.wake()
  })

  return {
    healthy: () => loops.every((loop) => loop.healthy()),
    stop: async () => {
      const ended = Promise.all(loops.map((loop) => loop.stop()))
      await Promise.race([ended, sleep(stopMs, undefined, { ref: false })])
    },
  }
}
