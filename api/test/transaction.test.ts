import type pg from 'pg'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type Database, inTransaction, openPool, type PoolOptions, unavailable } from '../src/db/pool.ts'
import { sql } from '../src/db/sql.ts'
import { PATIENT } from './patience.ts'
import { type TemporaryServer, temporaryServer } from './temporary-server.ts'

let server: TemporaryServer
let connection: pg.ClientConfig
const pools: Database[] = []

beforeAll(async () => {
  server = await temporaryServer({ deadlock_timeout: '100ms' })
  connection = await server.database()
})
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.end())))
afterAll(() => server.remove())

function open(options: PoolOptions = {}): Database {
  const pool = openPool(connection, { max: 3, timeouts: PATIENT, ...options })
  pools.push(pool)
  return pool
}
const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => Promise.reject(new Error('it succeeded')),
    (error) => error,
  )

test('a transaction commits whole or not at all', async () => {
  const db = open()
  await db.query(sql`create table kept (id int)`)
  expect(await db.transaction((query) => query(sql`insert into kept values (1) returning id`))).toEqual([{ id: 1 }])
  const refusal = new Error('no')
  const refused = db.transaction(async (query) => {
    await query(sql`insert into kept values (2)`)
    throw refusal
  })
  expect(await failure(refused)).toBe(refusal)
  expect(await db.query(sql`select id from kept`)).toEqual([{ id: 1 }])
  expect(db.load()).toEqual({ waiting: 0, groups: 0, total: 1, idle: 1, max: 3 })
})

test('a transaction that swallowed a failure cannot pass for committed', async () => {
  const db = open()
  await db.query(sql`create table swallowed (id int)`)
  const work = db.transaction(async (query) => {
    await query(sql`insert into swallowed values (1)`)
    await query(sql`select 1 / 0`).catch(() => {})
  })
  await expect(work).rejects.toThrow('was rolled back: a statement in it failed')
  expect(await db.query(sql`select id from swallowed`)).toEqual([])
})

test('a statement that outlives its transaction is refused', async () => {
  const db = open()
  let escaped: (() => Promise<unknown>) | undefined
  await db.transaction(async (query) => {
    escaped = () => query(sql`select 1`)
  })
  await expect(escaped!()).rejects.toThrow('This transaction has ended')
})

test('inside a transaction the pool refuses to wait for a second connection', async () => {
  const db = open({ max: 1 })
  expect(inTransaction()).toBe(false)
  const ended = Promise.withResolvers<void>()
  let later: Promise<boolean> | undefined
  await db.transaction(async () => {
    expect(inTransaction()).toBe(true)
    await expect(db.query(sql`select 1`)).rejects.toThrow('use the query it hands you')
    await expect(db.transaction(async () => {})).rejects.toThrow('hand the outer query on')
    later = ended.promise.then(inTransaction)
  })
  expect(inTransaction()).toBe(false)
  ended.resolve()
  expect(await later).toBe(false) // what a transaction set in motion is free once it has ended
})

test('transactions that lock each other out both succeed', async () => {
  const db = open()
  await db.query(sql`create table seats (id int primary key, taken int not null default 0)`)
  await db.query(sql`insert into seats values (1), (2)`)
  const take = (first: number, second: number) =>
    db.transaction(async (query) => {
      await query(sql`update seats set taken = taken + 1 where id = ${first}`)
      await query(sql`select pg_sleep(0.05)`)
      await query(sql`update seats set taken = taken + 1 where id = ${second}`)
    })
  await Promise.all([take(1, 2), take(2, 1)])
  expect(await db.query(sql`select taken from seats`)).toEqual([{ taken: 2 }, { taken: 2 }])
})

test('a collision is tried three times in all, and never again once commit was sent', async () => {
  const db = open()
  await db.query(
    sql`create function collide() returns trigger language plpgsql as $$ begin raise exception 'again' using errcode = '40001'; end $$`,
  )
  await db.query(sql`create table at_once (id int)`)
  await db.query(sql`create table at_commit (id int)`)
  await db.query(sql`create trigger t after insert on at_once for each row execute function collide()`)
  await db.query(
    sql`create constraint trigger t after insert on at_commit deferrable initially deferred for each row execute function collide()`,
  )
  let runs = 0
  const insert = (table: ReturnType<typeof sql>) =>
    db.transaction((query) => {
      runs++
      return query(sql`insert into ${table} values (1)`)
    })
  expect(unavailable(await failure(insert(sql`at_once`)))).toBe(true)
  expect(runs).toBe(3)
  await failure(insert(sql`at_commit`))
  expect(runs).toBe(4)
  expect(db.load()).toMatchObject({ waiting: 0, total: 1, idle: 1 })
})

test('a single statement that collides is sent three times in all', async () => {
  const db = open()
  await db.query(sql`create sequence tries`) // counts on, whatever is rolled back
  await db.query(sql`create function holds_at(good int) returns text language plpgsql as $$ begin
    if nextval('tries') % good <> 0 then raise exception 'in the way' using errcode = '40P01'; end if; return 'held'; end $$`)
  const holdsAt = (good: number) => sql`select holds_at(${good}) as it`
  expect(await db.query(holdsAt(3))).toEqual([{ it: 'held' }])
  expect(unavailable(await failure(db.query(holdsAt(1000))))).toBe(true)
  expect(await db.query(sql`select last_value::int as tries from tries`)).toEqual([{ tries: 6 }])
  expect(await db.queryBoth(sql`select 1 as one`, holdsAt(7))).toEqual([[{ one: 1 }], [{ it: 'held' }]])
})
