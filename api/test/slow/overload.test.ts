import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../../../furnishing/free-port.ts'
import { type Embedded, startEmbedded } from '../../src/db/embedded.ts'
import { DEFAULT_TIMEOUTS } from '../../src/db/timeouts.ts'
import { stopwatch } from '../stopwatch.ts'
import { careless } from '../temporary-server.ts'
import { createWorld, request, sql, type TestPerson, type World } from '../world.ts'

const folder = mkdtempSync(join(tmpdir(), 'adjoin-overload-'))
let server: Embedded
let world: World
let ada: TestPerson
beforeAll(async () => {
  const port = await freePort()
  server = await startEmbedded(folder, { settings: careless, tcpPort: port })
  const { user, password } = server.connection
  const operator = new pg.Client(server.connection)
  await operator.connect()
  await operator.query('create database overload')
  await operator.end()
  world = await createWorld(
    { databaseUrl: `postgres://${user}:${password}@127.0.0.1:${port}/overload`, databasePool: 5 },
    { timeouts: DEFAULT_TIMEOUTS },
  )
  ada = (await world.organization()).admin
})
afterAll(async () => {
  await world.stop()
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

/** The server and everything it has forked. */
const processes = () => {
  const postmaster = Number(readFileSync(join(folder, 'postgres/postmaster.pid'), 'utf8').split('\n', 1)[0])
  const children = readdirSync('/proc').filter((pid) => {
    try {
      return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[1]) === postmaster
    } catch {
      return false
    }
  })
  return [postmaster, ...children.map(Number)]
}

async function frozen<T>(act: () => Promise<T>): Promise<T> {
  const stopped = processes()
  for (const pid of stopped) process.kill(pid, 'SIGSTOP')
  try {
    return await act()
  } finally {
    for (const pid of stopped) process.kill(pid, 'SIGCONT')
  }
}

/** From everywhere: what one address may ask for at once is another matter. */
const timed = async (path: string) => {
  const time = stopwatch()
  const answer = await request(`${world.url}${path}`, { headers: { authorization: ada.headers.authorization! } })
  return { ...answer, seconds: time() / 1000 }
}

const expectUnavailable = (answers: Awaited<ReturnType<typeof timed>>[]) => {
  for (const { status, headers, seconds } of answers) {
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
    expect(headers.get('content-type')).toBe('application/problem+json')
    // 2 to wait for a connection, 5 for its answer: without an end of ours it would be minutes.
    expect(seconds).toBeLessThan(30)
  }
}

describe('while the database is frozen', () => {
  it('every request is told so in time, readiness goes and liveness stays, memory stays flat, and all is well afterwards', async () => {
    expect((await timed('/v1/me')).status).toBe(200)
    const before = process.memoryUsage().rss
    await frozen(async () => {
      const early = Array.from({ length: 30 }, () => timed('/v1/me'))
      const [ready, live] = await Promise.all([timed('/health'), timed('/health/live')])
      expect(live).toMatchObject({ status: 200 })
      expect(live.seconds).toBeLessThan(30)
      expect(ready.status).toBe(503)
      expect(ready.seconds).toBeLessThan(30)
      expect(ready.json()).toMatchObject({ title: 'Service Unavailable', checks: { database: 'down' } })
      expectUnavailable(await Promise.all(early))
      // Far more than can wait: what does not fit is refused at once instead of piling up.
      // Where the machine is so slow that the first have given up when the last arrive, they come again.
      for (let refused = false; !refused; ) {
        const answers = await Promise.all(Array.from({ length: 400 }, () => timed('/v1/me')))
        expectUnavailable(answers)
        refused = answers.some(({ text }) => text.includes('busy'))
      }
    })
    const sinceThaw = stopwatch()
    await expect.poll(async () => (await timed('/v1/me')).status).toBe(200)
    expect(sinceThaw()).toBeLessThan(30_000)
    await expect.poll(async () => (await timed('/health')).status).toBe(200)
    expect((process.memoryUsage().rss - before) / (1 << 20)).toBeLessThan(200)

    await Promise.all(Array.from({ length: 50 }, () => timed('/v1/me')))
    const { max } = world.app.parts.db.load()
    expect(world.app.parts.db.load().total).toBeLessThanOrEqual(max)
    const ours = () => world.query(sql`select from pg_stat_activity where application_name = 'adjoin'`)
    await expect.poll(async () => (await ours()).length <= max).toBe(true)
    expect(world.log.lines.filter((line) => line.includes('"unexpected error"'))).toEqual([])
  })

  it('nothing that was acknowledged is lost, and nothing is made twice', async () => {
    const of = await world.organization()
    const acknowledged: string[] = []
    const creating = Array.from({ length: 40 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 10))
      const client = world.client(of.admin.headers)
      await client.createWorkspace({ orgSlug: of.slug }, { slug: `client-${i}`, name: 'Client' }).then(
        ({ slug }) => acknowledged.push(slug),
        (error) => expect(error.status).toBe(503),
      )
    })
    await new Promise((resolve) => setTimeout(resolve, 150))
    await frozen(() => new Promise((resolve) => setTimeout(resolve, 3000)))
    await Promise.all(creating)
    const rows = await world.query<{ slug: string }>(sql`select slug from workspaces where organization_id = ${of.id}`)
    const slugs = rows.map(({ slug }) => slug)
    for (const slug of acknowledged) expect(slugs).toContain(slug)
    expect(await world.query(sql`select from audit_entries where organization_id = ${of.id}`)).toHaveLength(slugs.length)
  })
})

describe('while the database restarts', () => {
  it('requests wait or are told so, and the service is back by itself', async () => {
    const operator = new pg.Client({ connectionString: world.config.databaseUrl })
    operator.on('error', () => {})
    await operator.connect()
    const answers = Array.from({ length: 100 }, async (_, i) => {
      await new Promise((resolve) => setTimeout(resolve, i * 5))
      return timed('/v1/me')
    })
    await operator.query('select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and backend_type = $1', [
      'client backend',
    ])
    await operator.end()
    for (const { status } of await Promise.all(answers)) expect([200, 503]).toContain(status)
    expect((await timed('/v1/me')).status).toBe(200)
  })
})
