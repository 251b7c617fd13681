// Runners of jobs beside a world that has none of its own.
import { onTestFinished } from 'vitest'
import type { Database } from '../src/db/pool.ts'
import { createJobs, type JobHandlers } from '../src/jobs/queue.ts'
import { runJobs, type Schedules } from '../src/jobs/runner.ts'
import { sql, type World } from './world.ts'

export const mail = (to: string) => ({ to, subject: 'Hello', text: 'a secret link', html: '' })
export const idle: JobHandlers = { 'mail.send': async () => {}, 'sign_in.mail': async () => {}, 'joins.mail': async () => {} }
export const soon = { timeout: 20_000, interval: 20 }

export interface RunOptions {
  schedules?: Schedules
  jobMs?: number
  stopMs?: number
  db?: Database
}

/** One more runner, until the test is over. */
export function runIn(
  world: World,
  handlers: Partial<JobHandlers>,
  { schedules = {}, db = world.app.parts.db, ...times }: RunOptions = {},
) {
  const { vault, log } = world.app.parts
  const jobs = createJobs(vault)
  const runner = runJobs({ db, vault, log, jobs, handlers: { ...idle, ...handlers }, schedules, ...times })
  onTestFinished(() => runner.stop())
  const enqueue = async (to: string) => {
    await jobs.enqueue(world.query, 'mail.send', mail(to))
    jobs.wake()
  }
  return { runner, jobs, enqueue }
}

export const jobRows = ({ query }: World) =>
  query<{ id: string; attempts: number; failed: boolean; last_error: string | null; waits: number; leased: boolean }>(
    sql`select id, attempts, failed_at is not null as failed, last_error, leased_until is not null as leased,
      round(extract(epoch from run_at - now()))::int as waits from jobs order by created_at`,
  )
