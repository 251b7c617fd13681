import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { unavailable, violates } from '../src/db/pool.ts'
import { sql } from '../src/db/sql.ts'
import { DEFAULT_TIMEOUTS } from '../src/db/timeouts.ts'
import { backend, createTestPools, failure, type TestPools } from './test-pools.ts'

let server: TestPools
const open: TestPools['open'] = (...options) => server.open(...options)

beforeAll(async () => {
  server = await createTestPools()
})
afterEach(() => server.endPools())
afterAll(() => server.remove())

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
