import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, test } from 'vitest'
import { serverOf } from '../../src/db/embedded-process.ts'
import { sql } from '../../src/db/sql.ts'
import { folder, launch, open, parent, server, start } from '../data-folders.ts'
import type { Said } from '../embedded-child.ts'
import { stopwatch } from '../stopwatch.ts'

test('after kill -9 of our process the server is adopted and no acknowledged row is lost', async () => {
  const dataDir = folder()
  const { child, said } = launch(dataDir)
  await said()
  let acknowledged = 0
  child.on('message', (message: Said) => {
    if ('acknowledged' in message) acknowledged = message.acknowledged
  })
  child.send('write')
  await expect.poll(() => acknowledged).toBeGreaterThan(50)
  const before = server(dataDir)!.pid
  child.kill('SIGKILL')
  await once(child, 'exit')
  const { db, embedded } = await open(dataDir)
  expect([embedded!.adopted, server(dataDir)!.pid]).toEqual([true, before])
  const [row] = await db.query<{ n: number }>(sql`select count(*) as n from rows where id <= ${acknowledged}`)
  expect(row!.n).toBe(acknowledged)
})

test('after kill -9 of the server under write load it is back within five seconds and no acknowledged row is lost', async () => {
  const { db, connection, embedded } = await open(folder())
  await db.query(sql`create table rows (id int primary key)`)
  const busy = new pg.Client(connection) // a backend that does not notice that its postmaster died
  busy.on('error', () => {})
  await busy.connect()
  const endless = busy.query('select count(*) from generate_series(1, 1000000000) a, generate_series(1, 1000) b').catch(() => 'killed')
  const acknowledged: number[] = []
  let next = 0
  let writing = true
  const writer = async () => {
    while (writing) {
      const id = ++next
      await db.query(sql`insert into rows values (${id})`).then(
        () => acknowledged.push(id),
        () => sleep(20),
      )
    }
  }
  const writers = Array.from({ length: 6 }, writer)
  await expect.poll(() => acknowledged.length).toBeGreaterThan(100)
  const running = () => serverOf(embedded!.connection.host!)?.pid
  const seconds: number[] = []
  do {
    const before = running()!
    process.kill(before, 'SIGKILL')
    const time = stopwatch()
    await expect.poll(running, { interval: 10 }).not.toBeOneOf([undefined, before])
    // Until then orphaned backends may have gone on, and what they acknowledged counts too.
    const soFar = acknowledged.length
    await expect.poll(() => acknowledged.length, { interval: 10 }).toBeGreaterThan(soFar + 20)
    seconds.push(time() / 1000)
    // A machine that is busy with others may need longer now and then, but not each time.
  } while (Math.min(...seconds) >= 5 && seconds.length < 5)
  expect(Math.min(...seconds)).toBeLessThan(5)
  writing = false
  await Promise.all(writers)
  expect(await endless).toBe('killed')
  const [row] = await db.query<{ n: number }>(sql`select count(*) as n from rows where id = any(${acknowledged})`)
  expect(row!.n).toBe(acknowledged.length)
})

test('when only our hold on the folder is lost, it is taken back', async () => {
  const dataDir = folder()
  const { db, embedded } = await open(dataDir)
  const before = server(dataDir)!.pid
  await db.query(sql`select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory'`)
  await expect.poll(() => embedded!.alive(), { interval: 1 }).toBe(false)
  await expect.poll(() => embedded!.alive()).toBe(true)
  expect(server(dataDir)!.pid).toBe(before)
  const { said } = launch(dataDir)
  expect(await said()).toEqual({ refused: expect.stringContaining('Another Adjoin process is using') })
})

test('of two that start together on an empty folder one wins, and the winner works', async () => {
  const dataDir = join(parent, 'together')
  const launched = [launch(dataDir), launch(dataDir)]
  const outcomes = await Promise.all(launched.map(({ said }) => said()))
  expect(outcomes.filter((outcome) => 'ready' in outcome)).toHaveLength(1)
  expect(outcomes.filter((outcome) => 'refused' in outcome && outcome.refused.startsWith('Another Adjoin process is using'))).toHaveLength(
    1,
  )
  const winner = launched[outcomes.findIndex((outcome) => 'ready' in outcome)]!
  winner.child.send('write')
  expect(await winner.said()).toEqual({ acknowledged: 1 })
  expect(readdirSync(dataDir)).toEqual(['postgres'])
})

test('an initdb killed half-way leaves nothing that matters', async () => {
  const dataDir = join(parent, 'half')
  const { child } = launch(dataDir)
  const half = () => execFileSync('find', [parent, '-path', '*half/postgres.new-*/PG_VERSION'], { encoding: 'utf8' }).trim()
  await expect.poll(half, { interval: 5 }).not.toBe('')
  process.kill(-child.pid!, 'SIGKILL') // initdb is of the same group
  await once(child, 'exit')
  expect(readdirSync(dataDir)).toEqual([expect.stringMatching(/^postgres.new-/)])
  expect((await start(dataDir)).adopted).toBe(false)
})

test('Ctrl-C reaches our processes and not the server', async () => {
  const dataDir = folder()
  const { child, said } = launch(dataDir)
  await said()
  process.kill(-child.pid!, 'SIGINT') // what a terminal does: the whole group
  child.send('write')
  expect(await said()).toEqual({ acknowledged: 1 })
})

test('on request it listens on loopback, for those who know the password; a server adopted on another port moves', async () => {
  const dataDir = folder()
  const { child, said } = launch(dataDir)
  await said()
  child.kill('SIGKILL')
  await once(child, 'exit')
  const port = 20_000 + Math.floor(Math.random() * 10_000)
  const { adopted, connection } = await start(dataDir, { tcpPort: port })
  expect([adopted, server(dataDir)!.port]).toEqual([true, port])
  const over = { ...connection, host: '127.0.0.1' }
  const client = new pg.Client(over)
  await client.connect()
  expect((await client.query('show server_version')).rows).toHaveLength(1)
  await client.end()
  await expect(new pg.Client({ ...over, password: 'wrong' }).connect()).rejects.toThrow('password authentication failed')
})
