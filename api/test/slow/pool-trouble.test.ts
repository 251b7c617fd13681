// A pool whose server is slow, busy, frozen, killed or gone: who waits is told in time, and nothing stays behind.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { withinContext } from '../../src/context.ts'
import { serverOf } from '../../src/db/embedded-process.ts'
import { openPool, unavailable } from '../../src/db/pool.ts'
import { sql } from '../../src/db/sql.ts'
import { stopwatch } from '../stopwatch.ts'
import { backend, createTestPools, failure, type TestPools } from '../test-pools.ts'

let server: TestPools
const open: TestPools['open'] = (...options) => server.open(...options)

beforeAll(async () => {
  server = await createTestPools()
})
afterEach(() => server.endPools())
afterAll(() => server.remove())

/** Milliseconds until the work fails, and how. */
async function failing(work: Promise<unknown>): Promise<{ error: unknown; after: number }> {
  const time = stopwatch()
  const error = await failure(work)
  return { error, after: time() }
}

test('never more connections than allowed, however many callers', async () => {
  const db = open({ max: 3 })
  const calls = Array.from({ length: 60 }, () => db.query(sql`select pg_sleep(0.01)`))
  const seen = db.load()
  await Promise.all(calls)
  expect(seen).toMatchObject({ waiting: 57, total: 3, max: 3 })
  expect(db.load()).toEqual({ waiting: 0, groups: 0, total: 3, idle: 3, max: 3 })
})

test('waiting for a free connection ends, and leaves no one in the queue', async () => {
  const db = open({ max: 1, timeouts: { connect: 200, query: 120_000, statement: 120_000 } })
  // The only connection is there, however slow the machine.
  const pid = await vi.waitFor(() => backend(db), 20_000)
  let ended = false
  const busy = failure(db.query(sql`select pg_sleep(100)`)).then(() => (ended = true))
  expect(unavailable(await failure(db.query(sql`select 1`)))).toBe(true)
  expect([db.load().waiting, ended]).toEqual([0, false])
  await open().query(sql`select pg_cancel_backend(${pid})`)
  await busy
  expect(db.load()).toEqual({ waiting: 0, groups: 0, total: 1, idle: 1, max: 1 })
})

test('a process without a file descriptor left finds the database unavailable', async () => {
  const script = `
    import { openSync } from 'node:fs'
    import { openPool, unavailable } from ${JSON.stringify(import.meta.resolve('../../src/db/pool.ts'))}
    import { sql } from ${JSON.stringify(import.meta.resolve('../../src/db/sql.ts'))}
    const db = openPool({ host: '127.0.0.1', port: 1 })
    try {
      for (;;) openSync('/dev/null')
    } catch {}
    await db.query(sql\`select 1\`).catch((error) => process.stdout.write(JSON.stringify([error.code, unavailable(error)])))`
  const args = ['-c', 'ulimit -n 64 && exec "$0" "$@"', process.execPath, '--input-type=module-typescript', '-e', script]
  const { stdout } = await promisify(execFile)('sh', args)
  expect(JSON.parse(stdout)).toEqual(['EMFILE', true])
})

test('slow statements and locked rows end in time, and the connection stays', async () => {
  const db = open({ max: 1, timeouts: { statement: 3000, lock: 100, query: 60_000 } })
  const before = await backend(db)
  expect(unavailable(await failure(db.query(sql`select pg_sleep(30)`)))).toBe(true)
  expect(await backend(db)).toBe(before)
  const other = open()
  await other.query(sql`create table locked (id int)`)
  const [locked, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const holder = other.transaction(async (query) => {
    await query(sql`lock table locked`)
    locked.resolve()
    await holding.promise
  })
  await locked.promise
  expect(unavailable(await failure(db.query(sql`select id from locked`)))).toBe(true)
  expect(await backend(db)).toBe(before)
  holding.resolve()
  await holder
  expect(db.load()).toEqual({ waiting: 0, groups: 0, total: 1, idle: 1, max: 1 })
})

test('after a time-out on our side the connection is never used again: the server may still be at the old statement', async () => {
  const db = open({ max: 1, timeouts: { query: 5000, statement: 120_000 } })
  const before = await vi.waitFor(() => backend(db), 20_000)
  const { error, after } = await failing(db.query(sql`select pg_sleep(60)`))
  expect(unavailable(error)).toBe(true)
  expect(after).toBeLessThan(50_000)
  await expect.poll(() => backend(db)).not.toBe(before)
  const inside = async () => {
    const { error, after } = await failing(db.transaction((query) => query(sql`select pg_sleep(60)`)))
    expect(unavailable(error)).toBe(true)
    return after
  }
  await expect.poll(inside).toBeLessThan(9500) // no rollback is sent after it: that would always wait as long again
  await expect.poll(() => db.query(sql`select 1 as fine`)).toEqual([{ fine: 1 }])
})

test('a transaction that dawdles is ended by the server and fails as unavailable', async () => {
  const db = open({ timeouts: { idleInTransaction: 100 } })
  const begun = Promise.withResolvers<number>()
  const ended = begun.promise.then((pid) =>
    expect.poll(() => open({ max: 1 }).query(sql`select pid from pg_stat_activity where pid = ${pid}`)).toEqual([]),
  )
  const dawdle = db.transaction(async (query) => {
    const [at] = await query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
    begun.resolve(at!.pid)
    await ended
    await query(sql`select 2`)
  })
  expect(unavailable(await failure(dawdle))).toBe(true)
  expect(await db.query(sql`select 1 as fine`)).toEqual([{ fine: 1 }])
})

test('a request that has waited long enough gets no further statement, and nothing of its transaction stays', async () => {
  const db = open({ max: 1 })
  await db.query(sql`create table waited (id int)`)
  const slow = () =>
    db.transaction(async (query) => {
      await query(sql`insert into waited values (1)`)
      await query(sql`select pg_sleep(0.3)`)
    })
  const refused = await failure(withinContext({ budget: { leftMs: 200 } }, slow))
  expect([refused, unavailable(refused)]).toEqual([refused, true])
  expect(await db.query(sql`select id from waited`)).toEqual([])
  await slow() // nobody waits for a job
  expect(await db.query(sql`select id from waited`)).toEqual([{ id: 1 }])
})

test('an idle connection that is killed is dropped unseen', async () => {
  const db = open({ max: 1 })
  await kill(await backend(db))
  await expect.poll(() => db.load().total).toBe(0)
  expect(await db.query(sql`select 1 as fine`)).toEqual([{ fine: 1 }])
})

test('busy connections that are killed fail their callers as unavailable, and the next callers succeed', async () => {
  const db = open({ timeouts: { statement: 120_000, idleInTransaction: 120_000 } })
  const killed = Promise.withResolvers<void>()
  const statement = failure(db.query(sql`select pg_sleep(100), 'to be killed'`))
  const transaction = failure(db.transaction((query) => query(sql`select pg_sleep(100), 'to be killed'`)))
  const between = failure(
    db.transaction(async (query) => {
      await query(sql`select 'to be killed'`)
      await killed.promise
      await query(sql`select 1`)
    }),
  )
  const targets = sql`select pid from pg_stat_activity where query like '%to be killed%' and pid <> pg_backend_pid()`
  const watcher = open()
  await expect.poll(async () => (await watcher.query(targets)).length).toBe(3)
  for (const { pid } of await watcher.query<{ pid: number }>(targets)) await kill(pid)
  killed.resolve()
  for (const error of await Promise.all([statement, transaction, between])) expect([error, unavailable(error)]).toEqual([error, true])
  expect(await Promise.all([1, 2, 3].map((n) => db.query(sql`select ${n}::int as n`)))).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]])
  expect(db.load()).toMatchObject({ waiting: 0, total: 3, idle: 3 })
})

test('a frozen server fails every caller within the time-outs; thawed, it serves again, and no connection has leaked', async () => {
  const db = open({ max: 3, timeouts: { connect: 300, query: 600 } }, await server.database())
  await expect.poll(() => Promise.all([1, 2].map(() => db.query(sql`select pg_sleep(0.02)`)))).toHaveLength(2)
  const frozen = processes()
  for (const pid of frozen) process.kill(pid, 'SIGSTOP')
  try {
    const longest = async () => {
      const outcomes = await Promise.all(Array.from({ length: 40 }, () => failing(db.query(sql`select 1`))))
      expect(outcomes.filter(({ error }) => !unavailable(error))).toEqual([])
      return Math.max(...outcomes.map(({ after }) => after))
    }
    await expect.poll(longest).toBeLessThan(10_000)
    await expect.poll(() => db.load()).toMatchObject({ waiting: 0, total: 0 })
  } finally {
    for (const pid of frozen) process.kill(pid, 'SIGCONT')
  }
  const serving = async () => {
    await Promise.all(Array.from({ length: 20 }, () => db.query(sql`select 1`)))
    return db.load()
  }
  await expect.poll(serving).toMatchObject({ waiting: 0, total: 3, idle: 3 })
  const ours = sql`select count(*) as n from pg_stat_activity where datname = current_database()`
  await expect.poll(() => db.query(ours)).toEqual([{ n: 3 }])
})

test('a server that is not there is unavailable at once', async () => {
  const db = openPool({ ...server.connection, port: 5431 }, { timeouts: { connect: 60_000 } })
  const { error, after } = await failing(db.query(sql`select 1`))
  expect([unavailable(error), after < 30_000]).toEqual([true, true])
  await db.end()
  expect(unavailable(await failure(db.query(sql`select 1`)))).toBe(true) // we are closing
})

test('only what passes by itself counts as unavailable', () => {
  const coded = (code: string, more = {}) => Object.assign(new Error('x'), { code, ...more })
  for (const code of [
    '08006',
    '53300',
    '57P01',
    '57P02',
    '57P03',
    '57014',
    '55P03',
    '25P03',
    '25006',
    '40001',
    'ECONNREFUSED',
    'ECONNRESET',
    'EPIPE',
  ])
    expect([code, unavailable(coded(code))]).toEqual([code, true])
  expect(unavailable(coded('ENOENT', { syscall: 'connect' }))).toBe(true)
  for (const code of ['23505', '22P02', '42P01', '28P01', '0A000', 'XX000']) expect([code, unavailable(coded(code))]).toEqual([code, false])
  for (const error of [coded('ENOENT', { syscall: 'open' }), new Error('x'), undefined, null, 'Query read timeout', { code: 53300 }])
    expect(unavailable(error)).toBe(false)
})

const kill = (pid: number) => server.operator('select pg_terminate_backend($1)', [pid])

/** The postmaster and all its children. */
function processes(): number[] {
  const { pid } = serverOf(join(server.folder, 'postgres'))!
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
  return [pid, ...children]
}
