import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { CommitLost, type Database, openPool, unavailable } from '../src/db/pool.ts'
import { type CuttingProxy, cuttingProxy } from './cutting-proxy.ts'
import { PATIENT } from './patience.ts'
import { newDatabase } from './test-database.ts'
import { createWorld, request, sql, type TestOrganization, type World } from './world.ts'

let world: World
let proxy: CuttingProxy
let organization: TestOrganization
beforeAll(async () => {
  const url = await newDatabase()
  proxy = await cuttingProxy(url)
  world = await createWorld({ databaseUrl: proxy.via(url) })
  organization = await world.organization()
})
afterAll(async () => {
  await world.stop()
  await proxy.close()
})

let count = 0
const newSlug = () => `cut-at-commit-${++count}`
/** How often a workspace was made, and recorded. Poll it: PostgreSQL carries out a COMMIT after the connection was cut. */
const madeAs = async (slug: string) => {
  const [row] = await world.query<{ made: number; recorded: number }>(sql`select
    (select count(*) from workspaces where slug = ${slug}) as made,
    (select count(*) from audit_entries where content like ${`%workspace.created%"${slug}"%`}) as recorded`)
  return [row!.made, row!.recorded]
}
const create = (slug: string, headers: Record<string, string> = {}) =>
  request(`${world.url}/v1/organizations/${organization.slug}/workspaces`, {
    method: 'POST',
    body: JSON.stringify({ name: slug, slug }),
    headers: { ...organization.admin.headers, 'content-type': 'application/json', ...headers },
  })

describe('a transaction whose connection breaks', () => {
  const poolOf = async (): Promise<Database> => {
    const url = await newDatabase()
    const db = openPool({ connectionString: proxy.via(url) }, { timeouts: PATIENT })
    onTestFinished(() => db.end())
    await db.query(sql`create table kept (name text)`)
    return db
  }
  const insert = (db: Database, name: string) => db.transaction((query) => query(sql`insert into kept values (${name})`))

  it.each([['delivered', 1] as const, ['dropped', 0] as const])('at a COMMIT that was %s may have been committed', async (when, rows) => {
    const db = await poolOf()
    proxy.cutCommitOf('a row', when)
    const error = await insert(db, 'a row').catch((one) => one)
    expect(error).toBeInstanceOf(CommitLost)
    expect([error.silent, unavailable(error)]).toEqual([true, true])
    await expect.poll(() => db.query(sql`select name from kept`)).toHaveLength(rows)
  })

  it('or whose engine fails at COMMIT, as Citus does when a worker died, may have been committed', async () => {
    const db = await poolOf()
    await db.query(sql`create function fail() returns trigger language plpgsql as $$ begin
      raise exception 'could not commit transaction for shard 102046 on at least one active node' using errcode = 'XX000'; end $$`)
    await db.query(sql`create constraint trigger fail after insert on kept initially deferred for each row execute function fail()`)
    const error = await insert(db, 'a row').catch((one) => one)
    expect(error).toBeInstanceOf(CommitLost)
    expect([error.silent, unavailable(error)]).toEqual([false, true])
    expect(await db.query(sql`select 1 as lives`)).toEqual([{ lives: 1 }])
  })

  it.each([
    ['server closed the connection unexpectedly', true],
    ['failure on connection marked as essential: 127.0.0.1:5433', true],
    ['cache lookup failed for type 4711', false],
  ])('or a statement that ends with “%s”: is that a server that went away? %s', async (message, away) => {
    const db = await poolOf()
    const error = await db
      .query(sql`select set_config('adjoin.words', ${message}, false)`)
      .then(() => db.query(sql`do $$ begin raise exception '%', current_setting('adjoin.words') using errcode = 'XX000'; end $$`))
      .catch((one) => one)
    expect([error.message, unavailable(error)]).toEqual([message, away])
  })

  it('before its COMMIT was not', async () => {
    const db = await poolOf()
    const outside = new pg.Client({ connectionString: world.config.databaseUrl! })
    await outside.connect()
    onTestFinished(() => outside.end())
    const error = await db
      .transaction(async (query) => {
        const [backend] = await query<{ pid: number }>(sql`select pg_backend_pid() as pid`)
        await outside.query('select pg_terminate_backend($1, 20000)', [backend!.pid]) // waits until it is gone
        for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setTimeout(resolve, 20)) // and until we have read its last word
      })
      .catch((one) => one)
    expect(error).not.toBeInstanceOf(CommitLost)
    expect(unavailable(error)).toBe(true)
  })
})

describe('a change whose COMMIT lost its answer', () => {
  it('is a 503 that says so, and how to find out', async () => {
    const slug = newSlug()
    proxy.cutCommitOf(slug, 'delivered')
    const answer = await create(slug)
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '1'])
    expect(answer.json()).toMatchObject({
      code: 'outcome_unknown',
      detail: expect.stringMatching(/may have been made\..*same `Idempotency-Key`/),
    })
    await expect.poll(() => madeAs(slug)).toEqual([1, 1])
  })

  it('is answered as made where its Idempotency-Key says that it was', async () => {
    const slug = newSlug()
    proxy.cutCommitOf(slug, 'delivered')
    const first = await create(slug, { 'idempotency-key': slug })
    expect([first.status, first.json()]).toEqual([201, expect.objectContaining({ slug })])
    const second = await create(slug, { 'idempotency-key': slug })
    expect([second.status, second.headers.get('idempotency-replayed'), second.text]).toEqual([201, 'true', first.text])
    await expect.poll(() => madeAs(slug)).toEqual([1, 1])
  })

  it.each(['delivered', 'dropped'] as const)('is made once by the client, which repeats it: COMMIT %s', async (when) => {
    const slug = newSlug()
    proxy.cutCommitOf(slug, when)
    const made = await organization.admin.client.createWorkspace({ orgSlug: organization.slug }, { name: slug, slug })
    expect(made.slug).toBe(slug)
    await expect.poll(() => madeAs(slug)).toEqual([1, 1])
  })

  it('is not made twice when the database stayed away, and the repetition says that it was made', async () => {
    const slug = newSlug()
    proxy.cutCommitOf(slug, 'delivered', 1000)
    const first = await create(slug, { 'idempotency-key': slug })
    expect(first.json()).toMatchObject({ status: 503, code: 'outcome_unknown' })
    await expect.poll(async () => (await create(slug, { 'idempotency-key': slug })).json().code).toBe('answer_lost')
    await expect.poll(() => madeAs(slug)).toEqual([1, 1])
  })
})
