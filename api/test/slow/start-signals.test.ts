// A start that is stopped, or that can't listen, leaves nothing running and nothing behind that the next start trips over.
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { serverOf, stopServer } from '../../src/db/embedded-process.ts'
import { startSupervised } from '../supervised.ts'

function dataFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-signals-'))
  onTestFinished(async () => {
    await stopServer(join(folder, 'postgres'))
    rmSync(folder, { recursive: true, force: true })
  })
  return folder
}

async function start(dataDir: string, more: Record<string, string> = {}) {
  const service = await startSupervised({ DATA_DIR: dataDir, ...more })
  onTestFinished(service.kill)
  return service
}

/** Programs whose working directory lies in the folder: initdb and PostgreSQL, with their children. */
const programsIn = (folder: string) =>
  readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readlinkSync(`/proc/${pid}/cwd`).startsWith(folder)
    } catch {
      return false
    }
  })

const stages: readonly (readonly [stage: string, signal: NodeJS.Signals, isReached: (folder: string) => boolean])[] = [
  [
    'initdb runs',
    'SIGINT',
    (folder) => readdirSync(folder).some((name) => name.startsWith('postgres.new-')) && programsIn(folder).length > 0,
  ],
  ['PostgreSQL starts', 'SIGHUP', (folder) => serverOf(join(folder, 'postgres')) !== undefined],
  ['PostgreSQL listens', 'SIGTERM', (folder) => existsSync(join(folder, 'postgres/.s.PGSQL.5432'))],
]

it.each(stages)(
  'stopped while %s (%s), a first start ends with everything that it had started, and the next one works',
  async (_, signal, isReached) => {
    const folder = dataFolder()
    const { supervisor, ended, output } = await start(folder)
    await expect.poll(() => isReached(folder), { interval: 2 }).toBe(true)
    supervisor.kill(signal)
    expect(await ended).toBe(0)
    expect(programsIn(folder)).toEqual([])
    expect(output()).not.toContain('could not start')

    const again = await start(folder)
    await expect.poll(again.answers).toBe(200)
    again.supervisor.kill('SIGTERM')
    expect(await again.ended).toBe(0)
    expect(programsIn(folder)).toEqual([])
  },
)

it.each(['PORT', 'METRICS_PORT'])('with a taken %s, a start says so before it makes a database', async (setting) => {
  const other = createServer().listen(0, '127.0.0.1')
  await once(other, 'listening')
  onTestFinished(() => void other.close())
  const { port } = other.address() as { port: number }
  const folder = dataFolder()
  const { ended, output } = await start(folder, { [setting]: String(port) })
  expect(await ended).toBe(1)
  expect(output()).toMatch(new RegExp(`Port ${port}.* is already in use by another program`))
  expect(readdirSync(folder)).toEqual([])
})

it.each([
  [
    'a folder that nobody can write to',
    { DATA_DIR: '/dev/null/adjoin' },
    /Can’t write to DATA_DIR, \/dev\/null\/adjoin \(\w+\)\. Choose a folder/,
  ],
  [
    'an unknown database',
    { DATABASE_URL: 'nobody-made-it' },
    /refuses this connection \(database "nobody-made-it" does not exist\)\. Check/,
  ],
  [
    'a misspelled setting',
    { ADJOIN_GOGLE_ADS_CLIENT_ID: 'x' },
    /ADJOIN_GOGLE_ADS_CLIENT_ID is not a setting\. Did you mean ADJOIN_GOOGLE_ADS_CLIENT_ID\?/,
  ],
])('with %s, a start ends with a sentence that says what to do', async (_, settings: Record<string, string>, sentence) => {
  const database = new URL(inject('server'))
  if (settings.DATABASE_URL) database.pathname = settings.DATABASE_URL
  const { ended, output } = await start(dataFolder(), { ...settings, ...(settings.DATABASE_URL && { DATABASE_URL: database.href }) })
  expect(await ended).toBe(1)
  expect(output()).toMatch(sentence)
})
