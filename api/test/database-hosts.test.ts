import { rmSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { backup } from '../src/admin/backup.ts'
import { openDatabase } from '../src/admin/database.ts'
import { verifyAudit } from '../src/admin/verify-audit.ts'
import { type App, startApp } from '../src/app.ts'
import { type Config, readConfig } from '../src/config.ts'
import { connectionTo } from '../src/db/hosts.ts'
import { openPool } from '../src/db/pool.ts'
import { sql } from '../src/db/sql.ts'
import { newSealKey } from '../src/vault/key-ring.ts'
import { type ServerPair, startPair } from './standby.ts'
import { createTestLog } from './test-log.ts'

let pair: ServerPair
/** A server that takes connections and says nothing, as one that is frozen. */
let silent: { port: number; met: number; close(): void }
beforeAll(async () => {
  pair = await startPair()
  const open = new Set<Socket>()
  const server = createServer((socket) => {
    silent.met++
    open.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  silent = {
    port: (server.address() as { port: number }).port,
    met: 0,
    close: () => {
      for (const socket of open) socket.destroy()
      server.close()
    },
  }
})
afterAll(async () => {
  silent.close()
  await pair.remove()
})

const urlOf = (...ports: number[]) =>
  `postgres://${pair.user}:${pair.password}@${ports.map((port) => `127.0.0.1:${port}`).join(',')}/adjoin?target_session_attrs=read-write`
const open = (...ports: number[]) => {
  const db = openPool(connectionTo(urlOf(...ports)))
  onTestFinished(() => db.end())
  return db
}
const portOf = async (db: ReturnType<typeof open>) =>
  (await db.query<{ port: number }>(sql`select current_setting('port')::int as port`))[0]!.port

const refusalOf = (db: ReturnType<typeof open>) =>
  portOf(db).then(
    () => 'none',
    (error: Error) => error.message,
  )

describe('of several hosts', () => {
  it('the one that accepts changes is taken, wherever it stands', async () => {
    const { primary, standby } = pair.ports
    for (const db of [open(standby, primary), open(primary, standby), open(1, standby, primary)])
      await expect.poll(() => portOf(db)).toBe(primary)
  })

  it('one that says nothing is waited for once, not for each connection', async () => {
    const db = open(silent.port, pair.ports.primary)
    await expect.poll(() => portOf(db)).toBe(pair.ports.primary)
    // One that was found has a quarter of a second before the others are asked too: a busy machine needs longer now and then.
    const asked = async () => {
      const met = silent.met
      await new Promise((resolve) => setTimeout(resolve, 1100)) // what was found is asked again after a second
      await Promise.all(Array.from({ length: 6 }, () => db.transaction((query) => query(sql`select pg_sleep(0.05)`))))
      return silent.met - met
    }
    await expect.poll(asked).toBe(0)
  })

  it('none is taken while there are only standbys, and the refusal names each', async () => {
    const { standby } = pair.ports
    const db = open(1, standby)
    await expect
      .poll(() => refusalOf(db))
      .toMatch(
        new RegExp(
          `^No database server accepts changes \\(127\\.0\\.0\\.1:1: .*ECONNREFUSED.*; 127\\.0\\.0\\.1:${standby}: is a standby\\)$`,
        ),
      )
  })

  it('a wrong password is said as what it is', async () => {
    const db = openPool(connectionTo(urlOf(pair.ports.standby, pair.ports.primary).replace(pair.password, 'wrong')))
    onTestFinished(() => db.end())
    await expect.poll(() => refusalOf(db)).toContain('password authentication failed')
  })
})

describe('the service on a primary and its standby', () => {
  let app: App
  let config: Config
  const log = createTestLog()
  beforeAll(async () => {
    const { primary, standby } = pair.ports
    const env = { NODE_ENV: 'test', PORT: '0', SANDBOX: 'false', DATABASE_URL: urlOf(standby, primary), SEAL_KEYS: newSealKey('k1') }
    config = readConfig(env)
    app = await startApp(config, { log: log.log })
  })
  afterAll(() => app.stop())

  it('migrates, goes on writing after a failover, and so do the commands of operators', async () => {
    const { db } = app.parts
    const write = (name: string) =>
      db
        .transaction((query) => query(sql`insert into organizations (name, slug) values (${name}, ${name})`))
        .then(
          () => true,
          () => false,
        )
    expect(await write('before')).toBe(true)
    const written = (await pair.ask(pair.ports.primary, 'select pg_current_wal_lsn()::text as at')).rows[0].at
    await expect
      .poll(async () => (await pair.ask(pair.ports.standby, `select '${written}'::pg_lsn <= pg_last_wal_replay_lsn() as yes`)).rows[0].yes)
      .toBe(true)

    await pair.failOver()
    await expect.poll(() => write(`after-${Math.random().toString(36).slice(2)}`)).toBe(true)
    expect(await portOf(db)).toBe(pair.ports.standby)
    const names = (await db.query<{ name: string }>(sql`select name from organizations`)).map(({ name }) => name)
    expect(names).toContain('before')

    const opened = await openDatabase(config)
    try {
      expect((await verifyAudit(opened.db, () => {})).chains).toBe(names.length)
      const file = join(tmpdir(), `adjoin-hosts-${process.pid}.backup`)
      onTestFinished(() => rmSync(file, { force: true }))
      const counts = await backup(opened.connection, file, () => {})
      expect(counts.organizations).toBe(names.length)
    } finally {
      await opened.close()
    }
  })
})
