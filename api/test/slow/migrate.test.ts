import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { type TemporaryServer, temporaryServer } from '../temporary-server.ts'

const MIGRATIONS = fileURLToPath(new URL('../../src/db/migrations', import.meta.url))

let server: TemporaryServer
beforeAll(async () => {
  server = await temporaryServer()
})
afterAll(() => server.remove())

function folder(files: Record<string, string>): string {
  const path = mkdtempSync(join(server.folder, 'migrations-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(path, name), text)
  return path
}

async function rows(connection: pg.ClientConfig, text: string): Promise<unknown[]> {
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return (await client.query({ text, rowMode: 'array' })).rows.map((row: unknown[]) => (row.length === 1 ? row[0] : row))
  } finally {
    await client.end()
  }
}

const users = { '0001_users.sql': '-- people\ncreate table users (id int primary key);\ninsert into users values (1);' }
const names = { '0002_names.sql': '-- what they are called\nalter table users add column name text;' }
const history = 'select number, name from migrations order by number'

test('applies every file in order, once, and remembers it', async () => {
  const connection = await server.database()
  expect(await migrate(connection, folder(users))).toEqual({ applied: ['0001_users.sql'], newer: [] })
  expect(await migrate(connection, folder({ ...users, ...names }))).toEqual({ applied: ['0002_names.sql'], newer: [] })
  expect(await migrate(connection, folder({ ...users, ...names }))).toEqual({ applied: [], newer: [] })
  expect(await rows(connection, history)).toEqual([
    [1, '0001_users.sql'],
    [2, '0002_names.sql'],
  ])
})

test('three replicas that start together on an empty database apply each file once between them', async () => {
  const connection = await server.database()
  const slow = {
    '0001_slow.sql': 'create table slow (id int); select pg_sleep(0.3); insert into slow values (1);',
    '0002_more.sql': 'insert into slow values (2);',
  }
  const path = folder(slow)
  const outcomes = await Promise.all([migrate(connection, path), migrate(connection, path), migrate(connection, path)])
  expect(outcomes.flatMap(({ applied }) => applied).sort()).toEqual(['0001_slow.sql', '0002_more.sql'])
  expect(await rows(connection, 'select id from slow order by id')).toEqual([1, 2])
})

test('a program older than the schema starts as long as the schema only has more, and is told what', async () => {
  const connection = await server.database()
  await migrate(connection, folder({ ...users, ...names }))
  expect(await migrate(connection, folder(users))).toEqual({ applied: [], newer: ['0002_names.sql'] })
  expect(await rows(connection, history)).toHaveLength(2)
})

test('a program that uses what a newer version took away refuses to start and changes nothing', async () => {
  const connection = await server.database()
  const contract = { ...users, ...names, '0003_drop_ids_needs_0002.sql': 'alter table users drop column id;' }
  await migrate(connection, folder(contract))
  expect(await migrate(connection, folder({ ...users, ...names }))).toEqual({ applied: [], newer: ['0003_drop_ids_needs_0002.sql'] })
  await expect(migrate(connection, folder(users))).rejects.toThrow(
    /too new for this version of Adjoin: 0003_drop_ids_needs_0002.sql took away what it uses, and the last migration here is 0001_users.sql. Start a newer version/,
  )
  expect(await rows(connection, history)).toHaveLength(3)
})

test('an applied file that was changed is refused, and the files after it are not applied', async () => {
  const connection = await server.database()
  await migrate(connection, folder(users))
  const changed = folder({ '0001_users.sql': `${users['0001_users.sql']}\n-- edited`, ...names })
  await expect(migrate(connection, changed)).rejects.toThrow(/0001_users.sql is not what was applied.*put the change into a new one/)
  expect(await rows(connection, history)).toHaveLength(1)
})

test('an applied file that was renamed is refused', async () => {
  const connection = await server.database()
  await migrate(connection, folder(users))
  await expect(migrate(connection, folder({ '0001_people.sql': users['0001_users.sql'] }))).rejects.toThrow(
    /0001_people.sql is not what was applied/,
  )
})

test('line ends of another system do not count as a change', async () => {
  const connection = await server.database()
  await migrate(connection, folder(users))
  expect(await migrate(connection, folder({ '0001_users.sql': users['0001_users.sql'].replaceAll('\n', '\r\n') }))).toEqual({
    applied: [],
    newer: [],
  })
})

test('a broken migration is rolled back whole, named with its line, and mended by the next start', async () => {
  const connection = await server.database()
  const broken = { '0002_broken.sql': 'create table half (id int);\n\nalter table nowhere add column x int;' }
  await expect(migrate(connection, folder({ ...users, ...broken }))).rejects.toThrow(
    /^Migration 0002_broken.sql failed: relation "nowhere" does not exist. It was rolled back completely; earlier migrations stay applied.$/,
  )
  expect(await rows(connection, "select to_regclass('half') is null")).toEqual([true])
  expect(await rows(connection, history)).toEqual([[1, '0001_users.sql']])
  await expect(migrate(connection, folder({ ...users, '0002_broken.sql': '-- a\nselect 1;\nselect from;; selec' }))).rejects.toThrow(
    /failed at line 3: syntax error/,
  )
  expect(await migrate(connection, folder({ ...users, '0002_broken.sql': 'create table half (id int);' }))).toEqual({
    applied: ['0002_broken.sql'],
    newer: [],
  })
})

test('a migration may not end its own transaction', async () => {
  const connection = await server.database()
  await expect(migrate(connection, folder({ '0001_commits.sql': 'create table a (id int); commit;' }))).rejects.toThrow(
    /ended its own transaction/,
  )
})

test('an account that may not change the schema starts on one that is up to date, and is told who must act on one that is not', async () => {
  const connection = await server.database()
  const path = folder(users)
  await server.operator("create role runner login password 'runner'")
  const runner = { ...connection, user: 'runner', password: 'runner' }
  await expect(migrate(runner, path)).rejects.toThrow('Run `adjoin-admin migrate` with the account that owns the database')
  await migrate(connection, path)
  await rows(connection, 'grant select on migrations to runner')
  expect(await migrate(runner, path)).toEqual({ applied: [], newer: [] })
  await expect(migrate(runner, folder({ ...users, ...names }))).rejects.toThrow('is not allowed to change it')
  expect(await rows(connection, history)).toEqual([[1, '0001_users.sql']])
})

test('numbers with a gap, doubled, or missing are refused before the database is asked', async () => {
  const nowhere = { host: '/nowhere' }
  const wrong: Record<string, string>[] = [{ ...users, '0003_c.sql': '' }, { ...users, '0001_other.sql': '' }, { 'later.sql': '' }]
  for (const files of wrong) await expect(migrate(nowhere, folder(files))).rejects.toThrow(/Renumber the files from 0001 without gaps/)
})

test('a process killed in the middle leaves nothing, and the next start goes on from there', async () => {
  const connection = await server.database()
  const path = folder({
    ...users,
    '0002_long.sql': 'create table long (id int); select pg_advisory_xact_lock(4711);',
    '0003_last.sql': 'create table last (id int);',
  })
  const script = join(path, 'replica.ts')
  writeFileSync(
    script,
    `import { migrate } from '${join(import.meta.dirname, '../../src/db/migrate.ts')}'\nawait migrate(...JSON.parse(process.argv[2]))`,
  )
  const holder = new pg.Client(connection)
  await holder.connect()
  await holder.query('select pg_advisory_lock(4711)')
  const replica = fork(script, [JSON.stringify([connection, path])])
  const busy = "select from pg_stat_activity where query like '%pg_advisory_xact_lock(4711)%' and pid <> pg_backend_pid()"
  await expect.poll(async () => (await server.operator(busy)).rowCount).toBe(1)
  replica.kill('SIGKILL')
  await once(replica, 'exit')
  await holder.end()
  expect(await rows(connection, history)).toEqual([[1, '0001_users.sql']])
  expect(await migrate(connection, path)).toEqual({ applied: ['0002_long.sql', '0003_last.sql'], newer: [] })
})

test('a table in use is not fought over: the migration steps aside and comes back', async () => {
  const connection = await server.database()
  await migrate(connection, folder(users))
  const reader = new pg.Client(connection)
  await reader.connect()
  await reader.query('begin; select id from users')
  const migrating = migrate(connection, folder({ ...users, ...names }))
  await expect.poll(async () => (await server.operator("select from pg_stat_activity where wait_event = 'relation'")).rowCount).toBe(1)
  await expect.poll(async () => (await server.operator("select from pg_stat_activity where wait_event = 'relation'")).rowCount).toBe(0)
  await reader.query('commit')
  await reader.end()
  expect(await migrating).toEqual({ applied: ['0002_names.sql'], newer: [] })
})

test('a key that an older process stores while the directory is made is in it as well', async () => {
  const connection = await server.database()
  const before = readdirSync(MIGRATIONS).filter((name) => name < '0029')
  await migrate(connection, folder(Object.fromEntries(before.map((name) => [name, readFileSync(join(MIGRATIONS, name), 'utf8')]))))
  const old = new pg.Client(connection)
  await old.connect()
  await old.query("insert into organizations (slug, name) values ('acme', 'Acme')")
  await old.query("insert into users (email, name) values ('ada@acme.example', 'Ada')")
  await old.query(
    `begin; insert into api_keys (organization_id, level, name, key_hash, creator_id) select o.id, 'user', 'Key', 'hash', u.id from organizations o, users u`,
  )
  const migrating = migrate(connection)
  const waiting = "select count(*)::int from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()"
  await expect.poll(() => rows(connection, waiting)).toEqual([1])
  await old.query('commit')
  await old.end()
  await migrating
  expect(await rows(connection, "select hash = 'hash' from directory")).toEqual([true])
})
