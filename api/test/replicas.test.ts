import pg from 'pg'
import { expect, inject, it } from 'vitest'
import { startApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { newSealKey } from '../src/vault/key-ring.ts'
import { PATIENT } from './patience.ts'
import { createTestLog } from './test-log.ts'
import { createWorld, sql } from './world.ts'

it('three processes that start at once on one empty database all serve, and the schema is made once', async () => {
  const server = inject('server')
  const database = `empty_${Date.now()}`
  const operator = new pg.Client({ connectionString: `${server}/postgres` })
  await operator.connect()
  await operator.query(`create database ${database}`)
  await operator.end()

  const config = readConfig({
    NODE_ENV: 'test',
    PORT: '0',
    SANDBOX: 'false',
    DATABASE_URL: `${server}/${database}`,
    SEAL_KEYS: newSealKey('k1'),
  })
  const log = createTestLog()
  const apps = await Promise.all(Array.from({ length: 3 }, () => startApp(config, { log: log.log, timeouts: PATIENT })))
  try {
    const health = () => Promise.all(apps.map(async ({ url }) => (await fetch(`${url}/health`)).status))
    await expect.poll(health).toEqual([200, 200, 200])
    const applied = log.lines.map((line) => JSON.parse(line).applied as string[] | undefined).flatMap((names) => names ?? [])
    expect(applied.length).toBeGreaterThan(5)
    expect(new Set(applied).size).toBe(applied.length)
    const [first, ...others] = apps.map(({ parts }) => parts.secrets.lookup('test', 'the same secret everywhere').toString('hex'))
    expect(others).toEqual([first, first])
  } finally {
    await Promise.all(apps.map((app) => app.stop()))
  }
})

it('a process that does no jobs itself is ready only in full while another one does them', async () => {
  const world = await createWorld({ roles: { api: true, jobs: false } })
  try {
    const health = async () => (await (await fetch(`${world.url}/health`)).json()) as unknown
    expect(await health()).toMatchObject({ status: 'degraded', checks: { database: 'ok', jobs: 'degraded' } })
    const jobs = await world.replica({ roles: { api: false, jobs: true } })
    expect(await health()).toMatchObject({ status: 'ok', checks: { jobs: 'ok' } })
    await jobs.stop()
    expect(await health()).toMatchObject({ status: 'degraded', checks: { jobs: 'degraded' } })
    await world.replica({ roles: { api: false, jobs: true } })
    await world.query(sql`update processes set seen_at = now() - interval '2 minutes' where roles = 'jobs'`) // as after kill -9
    expect(await health()).toMatchObject({ status: 'degraded', checks: { jobs: 'degraded' } })
  } finally {
    await world.stop()
  }
})
