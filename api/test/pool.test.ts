import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { withinContext } from '../src/context.ts'
import { serverOf } from '../src/db/embedded-process.ts'
import { type Database, openPool, type PoolOptions, unavailable, violates } from '../src/db/pool.ts'
import { sql } from '../src/db/sql.ts'
import { DEFAULT_TIMEOUTS } from '../src/db/timeouts.ts'
import { PATIENT } from './patience.ts'
import { stopwatch } from './stopwatch.ts'
import { type TemporaryServer, temporaryServer } from './temporary-server.ts'

let server: TemporaryServer
let connection: pg.ClientConfig
const pools: Database[] = []

beforeAll(async () => {
  server = await temporaryServer()
  connection = await server.database()
})
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.end())))
afterAll(() => server.remove())

function open(options: PoolOptions = {}, to = connection): Database {
  const pool = openPool(to, { max: 3, ...options, timeouts: { ...PATIENT, ...options.timeouts } })
  pools.push(pool)
  return pool
}
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => Promise.reject(new Error('it succeeded')),
    (error) => error,
  )
const backend = async (db: Database) => (await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]!.pid

/** Milliseconds until the work fails, and how. */
async function failing(work: Promise<unknown>): Promise<{ error: unknown; after: number }> {
  const time = stopwatch()
  const error = await failure(work)
  return { error, after: time() }
}

test('values come back as what they are', async () => {
  const at = new Date('2026-01-02T03:04:05.678Z')
  const [row] = await open().query(
    sql`select ${at}::timestamptz as at, count(*) as many, 1.50::numeric as exact, '\\x00ff'::bytea as bytes, ${{ a: [1] }}::jsonb as json`,
  )
  expect(row).toEqual({ at, many: 1, exact: '1.50', bytes: Buffer.from([0, 255]), json: { a: [1] } })
})

test('instants are read in any zone, to the millisecond, and in any year', async () => {
  const read = async (text: string, zone: string) => {
    const db = open({ max: 1 })
    await db.query(sql`select set_config('timezone', ${zone}, false)`)
    return (await db.query<{ at: Date | number }>(sql`select ${text}::timestamptz as at`))[0]!.at
  }
  for (const zone of ['UTC', 'Asia/Kolkata', 'America/New_York']) {
    expect(await read('2026-01-02 03:04:05.678901+00', zone)).toEqual(new Date('2026-01-02T03:04:05.678Z'))
    expect(await read('2026-07-02 03:04:05+00', zone)).toEqual(new Date('2026-07-02T03:04:05Z'))
    expect(await read('12026-01-02 03:04:05+00', zone)).toEqual(new Date('+012026-01-02T03:04:05Z'))
    expect(await read('0044-03-15 12:00:00+00 BC', zone)).toEqual(new Date('-000043-03-15T12:00:00Z'))
    expect(await read('infinity', zone)).toBe(Number.POSITIVE_INFINITY)
  }
})

test('an integer that a number cannot hold is refused, not rounded', async () => {
  const db = open()
  await expect(db.query(sql`select 9007199254740993 as big`)).rejects.toThrow('9007199254740993 is too large for a number')
  expect(await db.query(sql`select 9007199254740991 as big`)).toEqual([{ big: Number.MAX_SAFE_INTEGER }])
})

test('two statements share one wait, in their order, each for itself', async () => {
  const db = open({ max: 1 })
  await db.query(sql`create table steps (n int primary key)`)
  const before = await backend(db)
  const step = (n: number) => sql`insert into steps values (${n}) returning n, (select count(*) from steps) as earlier`
  expect(await db.queryBoth(step(1), step(2))).toEqual([[{ n: 1, earlier: 0 }], [{ n: 2, earlier: 1 }]])
  expect(violates(await failure(db.queryBoth(step(1), step(3))), 'steps_pkey'), 'the first fails').toBe(true)
  expect(violates(await failure(db.queryBoth(step(4), step(2))), 'steps_pkey'), 'the second fails').toBe(true)
  expect(await db.query(sql`select n from steps order by n`), 'and the other one is run').toEqual([{ n: 1 }, { n: 2 }, { n: 3 }, { n: 4 }])
  expect(await backend(db)).toBe(before)
})

test('a refused statement costs no connection and tells which constraint refused it', async () => {
  const db = open({ max: 1 })
  await db.query(sql`create table names (name text constraint names_unique unique, constraint names_short check (length(name) < 9))`)
  await db.query(sql`insert into names values ('ann')`)
  const before = await backend(db)
  const twice = await failure(db.query(sql`insert into names values ('ann')`))
  const long = await failure(db.query(sql`insert into names values ('much too long')`))
  expect([violates(twice, 'names_unique'), violates(twice, 'names_short'), violates(long, 'names_short')]).toEqual([true, false, true])
  expect(unavailable(twice)).toBe(false)
  expect(await backend(db)).toBe(before)
})

test('each distinct text is prepared once, and every session has its time-outs', async () => {
  const texts: string[] = []
  const db = open({ max: 1, timeouts: DEFAULT_TIMEOUTS, onStatement: (text) => texts.push(text) })
  for (const n of [1, 2]) await db.query(sql`select ${n}::int as n`)
  const [prepared] = await db.query(sql`select count(*) filter (where statement = 'select $1::int as n') as n from pg_prepared_statements`)
  expect(prepared).toEqual({ n: 1 })
  const settings = sql`select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l, current_setting('idle_in_transaction_session_timeout') as i`
  expect(await db.query(settings)).toEqual([{ s: '4s', l: '2s', i: '10s' }])
  expect(texts.slice(0, 2)).toEqual(['select $1::int as n', 'select $1::int as n'])
})

test('a statement reads the same the first time, when it asks for the shape of its rows, and every time after', async () => {
  const db = open({ max: 1 })
  const read = (n: number) =>
    db.query(sql`select i, nullif(i, 2) as gap, ${'x'}::text as same, i::text as same from generate_series(1, ${n}::int) i`)
  const rows = [
    { i: 1, gap: 1, same: '1' },
    { i: 2, gap: null, same: '2' },
    { i: 3, gap: 3, same: '3' },
  ]
  for (const n of [2, 0, 3, 1]) expect(await read(n)).toEqual(rows.slice(0, n))
})

test('a statement without rows, a refused one and one whose value cannot be read leave the next ones alone', async () => {
  const db = open({ max: 1 })
  await db.query(sql`create table odd (n int8 primary key)`)
  const put = (n: string) => db.query(sql`insert into odd values (${n})`)
  const read = () => db.query(sql`select n from odd order by n`)
  for (const n of ['1', '2']) expect(await put(n)).toEqual([])
  expect(violates(await failure(put('2')), 'odd_pkey')).toBe(true)
  expect(await read()).toEqual([{ n: 1 }, { n: 2 }])
  await put('9007199254740993')
  for (let i = 0; i < 2; i++) await expect(read()).rejects.toThrow('too large for a number')
  await db.query(sql`delete from odd where n > ${2}`)
  expect(await read()).toEqual([{ n: 1 }, { n: 2 }])
  expect(await db.query(sql``)).toEqual([])
})

test('an error tells which caller asked', async () => {
  const asking = () => open().query(sql`select 1 / ${0}::int`)
  const error = (await failure((async () => await asking())())) as Error
  expect(error.message).toBe('division by zero')
  expect(error.stack).toContain('pool.test.ts')
})

test('behind a pooler nothing is prepared, sessions stay untouched and transactions bring their own time-outs', async () => {
  const db = open({ max: 1, prepare: false, timeouts: DEFAULT_TIMEOUTS })
  await db.query(sql`select ${1}::int as n`)
  expect(await db.query(sql`select count(*) as n from pg_prepared_statements`)).toEqual([{ n: 0 }])
  const settings = sql`select current_setting('statement_timeout') as s, current_setting('lock_timeout') as l`
  expect(await db.query(settings)).toEqual([{ s: '0', l: '0' }])
  expect(await db.transaction((query) => query(settings))).toEqual([{ s: '4s', l: '2s' }])
  expect(await db.query(settings)).toEqual([{ s: '0', l: '0' }])
})

test('a column changed under a prepared statement costs one failure, not every one after it', async () => {
  const db = open({ max: 1 })
  await db.query(sql`create table changing (id int)`)
  const read = () => db.query(sql`select id from changing`)
  await read()
  await open().query(sql`alter table changing alter column id type text`)
  await failure(read())
  expect(await read()).toEqual([])
})

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
  const pid = await vi.waitFor(() => backend(db), 60_000)
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
    import { openPool, unavailable } from ${JSON.stringify(import.meta.resolve('../src/db/pool.ts'))}
    import { sql } from ${JSON.stringify(import.meta.resolve('../src/db/sql.ts'))}
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
  const before = await vi.waitFor(() => backend(db), 60_000)
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
  const db = openPool({ ...connection, port: 5431 }, { timeouts: { connect: 60_000 } })
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
