import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from '../../src/db/embedded.ts'
import { installedPrograms, programs } from '../../src/db/embedded-files.ts'
import { run } from '../../src/db/embedded-process.ts'
import { sql } from '../../src/db/sql.ts'
import { folder, launch, open, parent, server, start } from '../data-folders.ts'

const root = process.getuid?.() === 0

test('a first start makes the folder and the database; a clean stop leaves nothing running', async () => {
  const dataDir = join(parent, 'first')
  const { child, said } = launch(dataDir)
  expect(await said()).toEqual({ ready: { adopted: false, uid: process.getuid!() } })
  child.send('close')
  expect(await said()).toEqual({ closed: true })
  await once(child, 'exit')
  expect([server(dataDir), child.exitCode]).toEqual([undefined, 0])
  expect(readFileSync(join(dataDir, 'postgres/server.log'), 'utf8')).toMatch(/database system is shut down\n$/)
  expect(readdirSync(dataDir)).toEqual(['postgres'])
})

test('nobody else may read the password, the log or the socket', async () => {
  const dataDir = folder()
  await start(dataDir)
  const mode = (name: string) => (statSync(join(dataDir, 'postgres', name)).mode & 0o777).toString(8)
  expect([mode('adjoin.password'), mode('server.log'), mode('.s.PGSQL.5432'), mode('.')]).toEqual(['600', '600', '700', '700'])
})

test('a second start on the same folder is refused with the folder and what to do, and disturbs nobody', async () => {
  const dataDir = folder()
  const { db } = await open(dataDir)
  const { said } = launch(dataDir)
  expect(await said()).toEqual({ refused: `Another Adjoin process is using ${dataDir}. Stop it, or choose another DATA_DIR.` })
  expect(await db.query(sql`select 1 as fine`)).toEqual([{ fine: 1 }])
})

test('a folder of another major version is refused untouched', async () => {
  const dataDir = folder()
  const version = join(dataDir, 'postgres/PG_VERSION')
  writeFileSync(version, '16\n')
  const look = () => execFileSync('ls', ['-laR', '--full-time', dataDir], { encoding: 'utf8' })
  const before = look()
  await expect(startEmbedded(dataDir)).rejects.toThrow(
    /was made by PostgreSQL 16, but Adjoin includes 17. Choose another DATA_DIR, or dump it/,
  )
  expect(look()).toBe(before)
})

test('a folder that is not a database is refused', async () => {
  const dataDir = join(parent, 'other')
  mkdirSync(join(dataDir, 'postgres'), { recursive: true })
  await expect(startEmbedded(dataDir)).rejects.toThrow(/is not an Adjoin database. Move it away/)
})

test('a path longer than a socket may have works', async () => {
  const dataDir = join(parent, 'long'.repeat(30), 'data')
  mkdirSync(join(dataDir, '..'))
  const { db, close } = await open(folder(dataDir))
  expect(await db.query(sql`select 1 as fine`)).toEqual([{ fine: 1 }])
  await close()
  expect(server(dataDir)).toBeUndefined()
})

test('the log is begun anew when it has grown over ten megabytes', async () => {
  const dataDir = folder()
  const log = join(dataDir, 'postgres/server.log')
  writeFileSync(log, 'x'.repeat(10 * 1024 * 1024 + 1))
  await start(dataDir)
  expect(statSync(log).size).toBeLessThan(10_000)
})

test('a server that cannot start says why', async () => {
  await expect(start(folder(), { settings: { work_mem: 'plenty' } })).rejects.toThrow(
    /did not start.*ended with 1: .*invalid value for parameter "work_mem": "plenty"/s,
  )
})

describe.runIf(root)('started by root', () => {
  test('the server runs as nobody, inside folders that only root may enter', async () => {
    const dataDir = folder()
    await start(dataDir)
    expect(statSync(`/proc/${server(dataDir)!.pid}`).uid).toBe(65534)
    expect([parent, dataDir].map((path) => statSync(path).uid + (statSync(path).mode & 0o077))).toEqual([0, 0])
  })

  test("in an ordinary user's folder it runs as that user", async () => {
    const dataDir = join(parent, 'theirs')
    mkdirSync(dataDir)
    chownSync(dataDir, 12345, 12345)
    await start(dataDir)
    expect(statSync(`/proc/${server(dataDir)!.pid}`).uid).toBe(12345)
    expect(statSync(join(dataDir, 'postgres/adjoin.password')).uid).toBe(12345)
  })

  test('an ordinary user starts, stops and restarts one too', async () => {
    const home = mkdtempSync(join(tmpdir(), 'adjoin-user-'))
    chownSync(home, 12345, 12345)
    for (const as of [
      { uid: 12345, gid: 12345 },
      { uid: 12345, gid: 12345 },
    ]) {
      const { child, said } = launch(join(home, 'data'), as)
      expect(await said()).toEqual({ ready: { adopted: false, uid: 12345 } })
      child.send('close')
      expect(await said()).toEqual({ closed: true })
    }
    rmSync(home, { recursive: true })
  })

  test("another account's folder is refused with what to do", async () => {
    const dataDir = folder()
    chmodSync(parent, 0o755)
    chownSync(dataDir, 12345, 12345)
    const { said } = launch(dataDir, { uid: 12345, gid: 12345 })
    expect(await said()).toEqual({ refused: expect.stringContaining('belongs to another account. Start Adjoin as its owner') })
    chmodSync(parent, 0o700)
  })

  test('program files in a closed checkout are copied to where the account can run them', async () => {
    const closed = join(parent, 'checkout')
    execFileSync('cp', ['-a', installedPrograms(), closed])
    execFileSync('chmod', ['-R', 'go=', closed])
    const cache = mkdtempSync(join(tmpdir(), 'adjoin-cache-'))
    const nobody = { uid: 65534, gid: 65534 }
    const { bin } = programs(nobody, closed, cache)
    expect(bin.startsWith(cache)).toBe(true)
    await run([join(bin, 'postgres'), '--version'], '/', nobody)
    chmodSync(join(bin, '..'), 0o777)
    expect(() => programs(nobody, closed, cache)).toThrow(/can be changed by accounts other than root. Remove it/)
    rmSync(cache, { recursive: true })
  })
})
