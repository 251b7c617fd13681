import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterAll, expect, test, vi } from 'vitest'
import { freePort } from '../../furnishing/free-port.ts'
import { type ConnectedDatabase, connectDatabase } from '../src/db/connect.ts'
import { sql } from '../src/db/sql.ts'
import { folder, open, server, start } from './data-folders.ts'
import { PATIENT } from './patience.ts'

const listening: Server[] = []
afterAll(() => {
  for (const one of listening) one.close()
})

function connect(databaseUrl: string, warnings: unknown[] = []): Promise<ConnectedDatabase> {
  const log = { info: () => {}, warn: (what: unknown) => warnings.push(what) }
  return connectDatabase({ databaseUrl, dataDir: '/nowhere', max: 2, prepare: true, timeouts: PATIENT, log })
}

test('with DATABASE_URL that server is used, and left running', async () => {
  const dataDir = folder()
  const port = await freePort()
  const { connection } = await start(dataDir, { tcpPort: port })
  const connected = await connect(`postgres://adjoin:${connection.password}@127.0.0.1:${port}/postgres`)
  expect(await connected.db.query(sql`select current_database() as name`)).toEqual([{ name: 'postgres' }])
  expect(connected.embedded).toBeUndefined()
  await connected.close()
  await connected.close() // closing twice is closing once
  expect(server(dataDir)).toBeDefined()
})

test('a database that comes up a moment after us is waited for, with one warning', async () => {
  const dataDir = folder()
  const { connection, stop } = await start(dataDir)
  await stop()
  const port = await freePort()
  const warnings: unknown[] = []
  const connecting = connect(`postgres://adjoin:${connection.password}@127.0.0.1:${port}/postgres`, warnings)
  connecting.catch(() => {}) // awaited below
  await vi.waitUntil(() => warnings.length, 20_000)
  await start(dataDir, { tcpPort: port })
  const { db, close } = await connecting
  expect(await db.query(sql`select 1 as fine`)).toEqual([{ fine: 1 }])
  await close()
  expect(warnings).toEqual([expect.stringMatching(/can’t be reached yet, waiting up to 300 s \(connect ECONNREFUSED/)])
})

test('a wrong password is refused at once, and not repeated in the error', async () => {
  const port = await freePort()
  await start(folder(), { tcpPort: port })
  const refused = await connect(`postgres://adjoin:secret-word@127.0.0.1:${port}/postgres`).catch((error: Error) => error)
  expect(refused).toMatchObject({
    message: expect.stringMatching(/password authentication failed for user "adjoin".*Check the user name, the password.* in DATABASE_URL/),
  })
  expect(JSON.stringify(refused) + String((refused as Error).stack)).not.toContain('secret-word')
})

test('a PostgreSQL older than 15 is refused', async () => {
  const version = 'PostgreSQL 14.11 on x86_64-pc-linux-gnu, compiled by gcc, 64-bit'
  const { port } = (await foreignServer(version, '140011')).address() as AddressInfo
  await expect(connect(`postgres://x:x@127.0.0.1:${port}/x`)).rejects.toThrow(
    'DATABASE_URL points to PostgreSQL 14, but Adjoin needs 15 or later. Upgrade it, or use another server.',
  )
})

test('another engine that speaks the protocol is refused by name, whatever version it claims', async () => {
  const version = 'CockroachDB CCL v25.2.1 (x86_64-pc-linux-gnu, built 2025/06/01 00:00:00, go1.23.7)'
  const { port } = (await foreignServer(version, '150000')).address() as AddressInfo
  await expect(connect(`postgres://x:x@127.0.0.1:${port}/x`)).rejects.toThrow(
    'DATABASE_URL points to CockroachDB, which Adjoin does not run on.',
  )
})

test('the embedded database keeps its rows from one run to the next', async () => {
  const dataDir = folder()
  const first = await open(dataDir)
  await first.db.query(sql`create table kept as select 7 as id`)
  await first.close()
  const { db, connection } = await open(dataDir)
  expect(await db.query(sql`select id, current_database() as name from kept`)).toEqual([{ id: 7, name: 'adjoin' }])
  expect(connection.database).toBe('adjoin')
})

/** As much of the protocol as saying one's version takes: no such server is at hand. */
async function foreignServer(version: string, number: string): Promise<Server> {
  const message = (type: string, ...parts: Buffer[]) => {
    const body = Buffer.concat(parts)
    const length = Buffer.alloc(4)
    length.writeInt32BE(body.length + 4)
    return Buffer.concat([Buffer.from(type), length, body])
  }
  const int = (bytes: 2 | 4, value: number) => {
    const buffer = Buffer.alloc(bytes)
    buffer.writeIntBE(value, 0, bytes)
    return buffer
  }
  const ready = message('Z', Buffer.from('I'))
  const welcome = Buffer.concat([message('R', int(4, 0)), ready])
  const column = (name: string, type: number) =>
    Buffer.concat([Buffer.from(`${name}\0`), int(4, 0), int(2, 0), int(4, type), int(2, -1), int(4, -1), int(2, 0)])
  const value = (text: string) => Buffer.concat([int(4, text.length), Buffer.from(text)])
  const answer = Buffer.concat([
    message('1'),
    message('2'),
    message('T', int(2, 3), column('version', 25), column('number', 23), column('citus', 16)),
    message('D', int(2, 3), value(version), value(number), value('f')),
    message('C', Buffer.from('SELECT 1\0')),
    ready,
  ])
  const old = createServer((socket) => {
    socket.once('data', () => {
      socket.write(welcome)
      socket.on('data', (sent) => sent.toString('latin1').startsWith('P') && socket.write(answer))
    })
  }).listen(0, '127.0.0.1')
  listening.push(old)
  await new Promise((resolve) => old.once('listening', resolve))
  return old
}
