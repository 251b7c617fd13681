import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { globalRows, sweep, tenantRows } from '../src/features/infra/sweep.ts'
import { createWorld, onTestFinished, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } }) // which would sweep as well
})
afterAll(() => world.stop())

const visits = async () => (await world.query<{ n: number }>(sql`select count(*) as n from connect_visits`))[0]!.n
const ended = (count: number) =>
  world.query(sql`insert into connect_visits (id, expires_at)
    select gen_random_uuid(), now() - interval '1 hour' from generate_series(1, ${count}::int)`)

test('however much has gathered is swept, a batch at a time, and what lives on stays', async () => {
  await world.query(sql`insert into connect_visits (id, expires_at) values (gen_random_uuid(), now() + interval '1 hour')`)
  await ended(23)
  world.looks.length = 0
  await sweep(world.app.parts, 5)
  expect(await visits()).toBe(1)
  expect(world.looks.filter((text) => text.startsWith('delete from connect_visits'))).toHaveLength(5)
})

test('a row that somebody holds is left for the next time, and keeps nothing else', async () => {
  await ended(3)
  const operator = new pg.Client({ connectionString: world.config.databaseUrl })
  await operator.connect()
  onTestFinished(() => operator.end())
  await operator.query(
    `begin; select from connect_visits where id = (select id from connect_visits where expires_at < now() limit 1) for update`,
  )
  await sweep(world.app.parts)
  expect(await visits()).toBe(2)
  await operator.query('rollback')
  await sweep(world.app.parts)
  expect(await visits()).toBe(1)
})

test('of sessions go those that ended a month ago at the latest', async () => {
  const { id } = await world.person()
  const session = (label: string, made: string, used: string, over: string | null) =>
    world.query(sql`insert into sessions (token_hash, user_id, method, ip, created_at, last_used_at, ended_at)
      values (sha256(${label}::bytea), ${id}, 'magic-link', ${label}, now() - ${made}::interval, now() - ${used}::interval, now() - ${over}::interval)`)
  await session('used to its very end', '61 days', '31 days', null)
  await session('signed out long ago', '90 days', '80 days', '70 days')
  await session('ended within the month', '59 days', '29 days', null)
  await session('signed out lately', '31 days', '2 days', '1 day')
  await session('alive', '29 days', '1 hour', null)
  await sweep(world.app.parts)
  const left = await world.query<{ ip: string }>(sql`select ip from sessions where user_id = ${id} and ip is not null order by ip`)
  expect(left.map(({ ip }) => ip)).toEqual(['alive', 'ended within the month', 'signed out lately'])
})

test('what every request moves is in no index: a use costs one row', async () => {
  const indexed = await world.query<{ column: string }>(sql`select distinct a.attrelid::regclass || '.' || a.attname as column
    from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey)
    where i.indrelid in ('sessions'::regclass, 'api_keys'::regclass) order by 1`)
  const columns = indexed.map(({ column }) => column)
  expect(columns).toContain('sessions.created_at')
  for (const moving of ['sessions.last_used_at', 'api_keys.last_request_at']) expect(columns).not.toContain(moving)
})

test('rows are removed by the primary key of their table', async () => {
  const keys = await world.query<{ table: string; columns: string }>(sql`select i.indrelid::regclass::text as table,
    array_to_string(array(select a.attname from unnest(i.indkey) with ordinality as k (n, nth)
      join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.n order by nth), ', ') as columns from pg_index i where i.indisprimary`)
  const keyOf = new Map(keys.map(({ table, columns }) => [table, columns]))
  for (const { from, key } of globalRows) expect([from.texts[0], key.texts[0]]).toEqual([from.texts[0], keyOf.get(from.texts[0]!)])
  for (const { from, key } of tenantRows)
    expect([from.texts[0], `organization_id, ${key.texts[0]}`]).toEqual([from.texts[0], keyOf.get(from.texts[0]!)])
})
