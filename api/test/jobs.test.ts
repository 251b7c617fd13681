import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { type Database, openPool } from '../src/db/pool.ts'
import { createJobs, type JobHandlers, lanes } from '../src/jobs/queue.ts'
import { retryAfterSeconds, runJobs, type Schedules } from '../src/jobs/runner.ts'
import { idle, jobRows, mail, type RunOptions, runIn, soon } from './job-runs.ts'
import { PATIENT } from './patience.ts'
import { createWorld, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } })
})
afterAll(() => world.stop())
beforeEach(async () => {
  await world.query(sql`delete from jobs`)
})

const run = (handlers: Partial<JobHandlers>, options?: RunOptions) => runIn(world, handlers, options)
const rows = () => jobRows(world)
const hang = () => new Promise<never>(() => {})

describe('a job', () => {
  it('exists if and only if its transaction commits', async () => {
    const { jobs } = run({ 'mail.send': hang })
    const { db } = world.app.parts
    await db.transaction((query) => jobs.enqueue(query, 'mail.send', mail('kept@a.example')))
    const lost = db.transaction(async (query) => {
      await jobs.enqueue(query, 'mail.send', mail('lost@a.example'))
      throw new Error('rolled back')
    })
    await expect(lost).rejects.toThrow('rolled back')
    expect(await rows()).toHaveLength(1)
  })

  it('is sealed in its table, for its own row alone', async () => {
    const { jobs } = run({ 'mail.send': hang })
    await jobs.enqueue(world.query, 'mail.send', mail('ada@a.example'))
    const [row] = await world.query<{ payload: string }>(sql`select payload from jobs`)
    expect(row!.payload).toMatch(/^v1\.test1\./)
    expect(row!.payload).not.toMatch(/ada|secret/)
  })

  it('is gone when it is done', async () => {
    const done: string[] = []
    const { enqueue } = run({ 'mail.send': async ({ to }) => void done.push(to) })
    await enqueue('ada@a.example')
    await expect.poll(rows, soon).toHaveLength(0)
    expect(done).toEqual(['ada@a.example'])
  })

  it('that fails is tried again, later each time, and says why', async () => {
    const attempts: { attempt: number; at: number }[] = []
    const { enqueue } = run({
      'mail.send': async (_, { attempt }) => {
        attempts.push({ attempt, at: performance.now() })
        if (attempt < 3) throw new Error('mail server down')
      },
    })
    await enqueue('ada@a.example')
    await expect.poll(rows, soon).toMatchObject([{ leased: false, last_error: 'mail server down' }])
    await expect.poll(rows, soon).toHaveLength(0)
    expect(attempts.map(({ attempt }) => attempt)).toEqual([1, 2, 3])
    const [first, second, third] = attempts.map(({ at }) => at / 1000)
    expect(second! - first!).toBeGreaterThan(1.5)
    expect(third! - second!).toBeGreaterThan(3.5)
  })

  it('that fails with words that no table can hold is tried again all the same', async () => {
    const { enqueue } = run({
      'mail.send': async () => {
        throw new Error('Invalid greeting: \0\ud800')
      },
    })
    await enqueue('ada@a.example')
    await expect.poll(rows, soon).toMatchObject([{ leased: false, last_error: 'Invalid greeting: \ufffd\ufffd' }])
  })

  it('is tried for more than a day, at least every hour', () => {
    const waits = Array.from({ length: 35 }, (_, i) => retryAfterSeconds(i + 1))
    expect(Math.max(...waits)).toBe(3600)
    expect(waits.reduce((sum, wait) => sum + wait)).toBeGreaterThan(24 * 3600)
  })

  it('is given up after the last attempt, or at once when trying again is pointless', async () => {
    const { enqueue } = run({
      'mail.send': async ({ to }) => {
        throw Object.assign(new Error(`refused ${to}`), { permanent: to.startsWith('nobody') })
      },
    })
    await enqueue('nobody@a.example')
    await expect.poll(rows, soon).toMatchObject([{ attempts: 1, failed: true, last_error: 'refused nobody@a.example' }])
    await world.query(sql`delete from jobs`)
    await enqueue('ada@a.example')
    await expect.poll(rows, soon).toMatchObject([{ failed: false, leased: false, last_error: 'refused ada@a.example' }])
    await world.query(sql`update jobs set attempts = 35, run_at = now()`)
    await expect.poll(rows, soon).toMatchObject([{ attempts: 36, failed: true }])
  })

  it('that has killed every process that took it is not given to another', async () => {
    let ran = 0
    const { jobs } = run({ 'mail.send': async () => void ran++ })
    await world.app.parts.db.transaction(async (query) => {
      await jobs.enqueue(query, 'mail.send', mail('ada@a.example'))
      await query(sql`update jobs set attempts = 36, leased_until = now() - interval '1 second'`)
    })
    await expect.poll(rows, soon).toMatchObject([{ failed: true }])
    expect(ran).toBe(0)
  })

  it('of a kind that only a newer version knows is left to it', async () => {
    run({})
    await world.query(sql`insert into jobs (kind, payload) values ('from.the_future', 'v9')`)
    await new Promise((resolve) => setTimeout(resolve, 1500))
    expect(await rows()).toMatchObject([{ attempts: 0, failed: false }])
  })
})

describe('a runner', () => {
  it('that died leaves its job to another when the lease runs out, and not before', async () => {
    const done: string[] = []
    const { jobs } = run({ 'mail.send': async ({ to }) => void done.push(to) })
    await world.app.parts.db.transaction(async (query) => {
      await jobs.enqueue(query, 'mail.send', mail('ada@a.example'))
      await query(sql`update jobs set leased_until = now() + interval '60 seconds', attempts = 1`)
    })
    jobs.wake()
    await new Promise((resolve) => setTimeout(resolve, 1300))
    expect(done).toEqual([])
    await world.query(sql`update jobs set leased_until = now() - interval '1 second'`)
    await expect.poll(() => done, soon).toEqual(['ada@a.example'])
  })

  it('that lost its lease has no say any more', async () => {
    const finish = Promise.withResolvers<void>()
    const { enqueue } = run({ 'mail.send': () => finish.promise })
    await enqueue('ada@a.example')
    await expect.poll(rows, soon).toMatchObject([{ attempts: 1 }])
    await world.query(sql`update jobs set attempts = 2, leased_until = now() + interval '1 minute'`)
    finish.resolve()
    await new Promise((resolve) => setTimeout(resolve, 200))
    expect(await rows()).toMatchObject([{ attempts: 2, leased: true }])
  })

  it('never shares a job: three of them, two hundred jobs, each run once', async () => {
    const ran: string[] = []
    const runners = [1, 2, 3].map(() =>
      run({
        'mail.send': async ({ to }) => {
          ran.push(to)
          await new Promise((resolve) => setTimeout(resolve, 2))
        },
      }),
    )
    await Promise.all(Array.from({ length: 200 }, (_, i) => runners[0]!.jobs.enqueue(world.query, 'mail.send', mail(`${i}@a.example`))))
    for (const { jobs } of runners) jobs.wake()
    await expect.poll(rows, soon).toHaveLength(0)
    expect(ran).toHaveLength(200)
    expect(new Set(ran).size).toBe(200)
  })

  it('leases no more than it has places for, whatever plan the database makes of the statement', async () => {
    const { vault, log } = world.app.parts
    const plans = ['hashagg', 'hashjoin', 'mergejoin', 'sort', 'material'].map((name) => `-c enable_${name}=off`).join(' ')
    const db = openPool({ connectionString: world.config.databaseUrl, options: plans }, { timeouts: PATIENT })
    onTestFinished(() => db.end())
    const jobs = createJobs(vault)
    await db.transaction(async (query) => {
      for (let i = 0; i < 300; i++) await jobs.enqueue(query, 'mail.send', mail(`${i}@a.example`))
    })
    const end = Promise.withResolvers<void>()
    let running = 0
    const handler = async () => {
      running++
      await end.promise
    }
    const runner = runJobs({ db, vault, log, jobs, handlers: { ...idle, 'mail.send': handler }, schedules: {} })
    onTestFinished(() => runner.stop())
    onTestFinished(() => end.resolve())
    await expect.poll(() => running, soon).toBe(lanes.mail)
    const leased = await world.query(sql`select from jobs where leased_until is not null`)
    expect(leased).toHaveLength(lanes.mail)
  })

  it('is not stalled by jobs that hang: the others go on', async () => {
    const done: string[] = []
    const end = Promise.withResolvers<void>()
    const { enqueue } = run({ 'mail.send': async ({ to }) => (to.startsWith('hang') ? end.promise : void done.push(to)) })
    onTestFinished(() => end.resolve())
    for (let i = 1; i < lanes.mail; i++) await enqueue(`hang${i}@a.example`)
    for (let i = 0; i < 20; i++) await enqueue(`${i}@a.example`)
    await expect.poll(() => done.length, soon).toBe(20)
  })

  it('gives a hanging job its time, and then another try', async () => {
    const { enqueue } = run({ 'mail.send': hang }, { jobMs: 300 })
    await enqueue('ada@a.example')
    await expect.poll(rows, soon).toMatchObject([{ leased: false, last_error: expect.stringMatching(/timeout/) }])
  })

  it('waits for what is running when it stops, and takes nothing more', async () => {
    const events: string[] = []
    const end = Promise.withResolvers<void>()
    let underWay = 0
    const { db } = world.app.parts
    const counting: Database = {
      ...db,
      query: (fragment) => {
        underWay++
        return db.query<never>(fragment).finally(() => underWay--)
      },
    }
    const { enqueue, runner } = run(
      {
        'mail.send': async ({ to }) => {
          events.push(`began ${to}`)
          await end.promise
          events.push(`ended ${to}`)
        },
      },
      { db: counting, stopMs: 600_000 },
    )
    await enqueue('first')
    await expect.poll(() => events, soon).toEqual(['began first'])
    const stopped = runner.stop().then(() => events.push('stopped'))
    await expect.poll(() => underWay, soon).toBe(0) // a look that had begun may still take what it finds
    await enqueue('second')
    end.resolve()
    await stopped
    expect(events).toEqual(['began first', 'ended first', 'stopped'])
    expect(await rows()).toMatchObject([{ attempts: 0 }])
  })

  it('does scheduled work once per interval over all replicas, whether or not it hangs or fails', async () => {
    const ran: string[] = []
    const end = Promise.withResolvers<void>()
    const name = (of: string) => `${of}-${Math.random()}`
    const schedules: Schedules = {
      [name('counts')]: { seconds: 3600, run: async () => ran.push('counts') },
      [name('hangs')]: { seconds: 3600, run: () => end.promise },
      [name('fails')]: { seconds: 3600, run: () => Promise.reject(new Error('no')) },
      [name('last')]: { seconds: 3600, run: async () => ran.push('last') },
    }
    const runners = [1, 2, 3].map(() => run({}, { schedules }))
    onTestFinished(() => end.resolve())
    await expect.poll(() => ran.sort(), soon).toEqual(['counts', 'last'])
    await runners[0]!.enqueue('ada@a.example')
    await expect.poll(rows, soon).toHaveLength(0)
    await expect.poll(() => runners.every(({ runner }) => runner.healthy()), soon).toBe(true)
  })

  it('does scheduled work on time also after the clock was set back', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    let ran = 0
    run({}, { schedules: { [`often-${Math.random()}`]: { seconds: 1, run: async () => ran++ } } })
    await vi.waitUntil(() => ran === 1, soon)
    vi.setSystemTime(Date.now() - 24 * 3600 * 1000)
    await vi.waitUntil(() => ran > 1, soon)
  })
})
