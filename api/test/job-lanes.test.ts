import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type JobPlace, type Jobs, lanes, payloadBinding } from '../src/jobs/queue.ts'
import { jobRows, mail, runIn, soon } from './job-runs.ts'
import { createWorld, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } })
})
afterAll(() => world.stop())
beforeEach(async () => {
  await world.query(sql`delete from jobs`)
})

describe('a lane', () => {
  const [crowded, quiet] = [crypto.randomUUID(), crypto.randomUUID()]

  /** Jobs that hang until the test is over, in the order in which they began. */
  function hanging() {
    const began: string[] = []
    const end = Promise.withResolvers<void>()
    const { jobs } = runIn(world, {
      'mail.send': ({ to }) => {
        began.push(to)
        return end.promise
      },
    })
    onTestFinished(() => end.resolve())
    return { jobs, began }
  }
  const enqueue = (jobs: Jobs, to: string, place?: JobPlace) => jobs.enqueue(world.query, 'mail.send', mail(to), place)
  const holds = (of: string) => world.query(sql`select from jobs where leased_until is not null and share = ${of}`)

  it('has places of its own: sign-in mails leave while every other one hangs', async () => {
    const { jobs, began } = hanging()
    for (let i = 0; i < 2 * lanes.mail; i++) await enqueue(jobs, `invitation ${i}`, { organizationId: crypto.randomUUID() })
    jobs.wake()
    await expect.poll(() => began.length, soon).toBe(lanes.mail)
    await enqueue(jobs, 'sign-in', { lane: 'sign_in' })
    jobs.wake()
    await expect.poll(() => began, soon).toContain('sign-in')
  })

  it('gives one organization half of its places at most: what hangs for it does not hang for others', async () => {
    const { jobs, began } = hanging()
    for (let i = 0; i < 50; i++) await enqueue(jobs, `crowded ${i}`, { organizationId: crowded })
    jobs.wake()
    await expect.poll(() => began.length, soon).toBe(lanes.mail / 2)
    await enqueue(jobs, 'quiet', { organizationId: quiet })
    jobs.wake()
    await expect.poll(() => began.at(-1), soon).toBe('quiet')
    expect(await holds(crowded)).toHaveLength(lanes.mail / 2)
  })

  it('lets organizations take turns: who has one waiting is not behind those who have hundreds', async () => {
    const { jobs, began } = hanging()
    await world.app.parts.db.transaction(async (query) => {
      for (const organizationId of [crowded, crypto.randomUUID()])
        for (let i = 0; i < 50; i++) await jobs.enqueue(query, 'mail.send', mail('crowded'), { organizationId })
      await jobs.enqueue(query, 'mail.send', mail('quiet'), { organizationId: quiet })
    })
    jobs.wake()
    await expect.poll(() => began.length, soon).toBe(lanes.mail)
    // One look takes this many, in whatever order the database returns them.
    expect(began.slice(0, lanes.mail / 2)).toContain('quiet')
  })

  it('is emptied by one organization alone, in the order of its jobs', async () => {
    const done: string[] = []
    const { jobs } = runIn(world, { 'mail.send': async ({ to }) => void done.push(to) })
    await world.app.parts.db.transaction(async (query) => {
      for (let i = 0; i < 40; i++) await jobs.enqueue(query, 'mail.send', mail(String(i)), { organizationId: crowded })
    })
    jobs.wake()
    await expect.poll(() => jobRows(world), soon).toHaveLength(0)
    expect(done).toHaveLength(40)
    expect(done.slice(0, 4).map(Number).sort()).toEqual([0, 1, 2, 3])
  })

  it('takes what a process of before has written, and leaves lanes that only a newer one knows', async () => {
    const done: string[] = []
    const { jobs } = runIn(world, { 'mail.send': async ({ to }) => void done.push(to) })
    const id = crypto.randomUUID()
    const sealed = world.app.parts.vault.seal(JSON.stringify(mail('old')), payloadBinding(id, 'mail.send'))
    await world.query(sql`insert into jobs (id, kind, payload) values (${id}, 'mail.send', ${sealed})`)
    await world.query(sql`insert into jobs (kind, payload, lane) values ('mail.send', 'sealed', 'of_the_future')`)
    jobs.wake()
    await expect.poll(() => jobRows(world), soon).toMatchObject([{ attempts: 0, failed: false }])
    expect(done).toEqual(['old'])
  })
})
