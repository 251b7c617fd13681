import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, request, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ metricsPort: 0 })
})
afterAll(() => world.stop())

const metrics = async () => (await request(`http://127.0.0.1:${world.app.metricsPort}/metrics`)).text

describe('/metrics', () => {
  it('counts requests by the template of their path, so that its size does not grow with what is asked for', async () => {
    const { admin, slug } = await world.organization()
    await request(`${world.url}/v1/organizations/${slug}`, { headers: admin.headers })
    for (let i = 0; i < 20; i++) await request(`${world.url}/nowhere/${i}`, { method: i % 2 ? 'GET' : 'PURGE' })
    const text = await metrics()
    expect(text).toContain('adjoin_requests_total{route="/v1/organizations/:orgSlug",method="GET",status="200"} 1')
    expect(text).toContain('adjoin_requests_total{route="-",method="GET",status="404"} 10')
    expect(text).toMatch(/adjoin_request_seconds_bucket\{le="0\.1",route="\/v1\/organizations\/:orgSlug"\} \d/)
    expect(text).not.toContain(slug)
  })

  it('shows the pool, the jobs and the process', async () => {
    const text = await metrics()
    for (const name of [
      'adjoin_database_connections',
      'adjoin_database_waiting',
      'adjoin_jobs_pending',
      'adjoin_jobs_late_seconds',
      'adjoin_checks_late_seconds',
      'adjoin_requests_in_flight',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_seconds',
    ])
      expect(text).toMatch(new RegExp(`^${name} [\\d.e+-]+$`, 'm'))
  })

  it('tells how long the oldest due job waits, what became of jobs, and what /health says', async () => {
    const id = crypto.randomUUID()
    const value = async (name: string) =>
      Number(
        (await metrics())
          .split('\n')
          .find((line) => line.startsWith(`${name} `))
          ?.split(' ')[1],
      )
    await world.query(
      sql`insert into jobs (id, kind, payload, run_at) values (${id}, 'of.a.newer.version', '', now() - interval '90 seconds')`,
    )
    expect(await value('adjoin_jobs_late_seconds')).toBeGreaterThan(89)
    await world.query(sql`update jobs set leased_until = now() + interval '1 minute' where id = ${id}`)
    expect(await value('adjoin_jobs_late_seconds')).toBeLessThan(60)
    await world.query(sql`delete from jobs where id = ${id}`)

    const { db, jobs } = world.app.parts
    await jobs.enqueue(db.query, 'mail.send', { to: 'ada@agency.example', subject: 'Hello', text: '', html: '' })
    await expect.poll(() => value('adjoin_jobs_total{kind="mail.send",outcome="done"}')).toBe(1)
    await world.query(sql`insert into jobs (kind, payload) values ('mail.send', 'not sealed')`)
    await expect.poll(() => value('adjoin_jobs_total{kind="mail.send",outcome="retried"}')).toBeGreaterThanOrEqual(1)
    await world.query(sql`update jobs set attempts = 36, run_at = now()`)
    await expect.poll(() => value('adjoin_jobs_total{kind="mail.send",outcome="given_up"}')).toBe(1)
    for (const check of ['database', 'mailer', 'jobs']) expect(await value(`adjoin_health{check="${check}"}`)).toBe(1)
  })

  it('is on its own port alone', async () => {
    expect((await request(`${world.url}/metrics`)).status).toBe(404)
    expect((await request(`http://127.0.0.1:${world.app.metricsPort}/v1/me`)).status).toBe(404)
  })

  it('whose port is taken lets no service start whose metrics nobody could read', async () => {
    await expect(world.replica({ metricsPort: world.app.metricsPort! })).rejects.toThrow('choose another METRICS_PORT')
  })
})
