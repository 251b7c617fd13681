// A primary and its streaming standby: two real servers, of which the second can be promoted.
import { execFileSync } from 'node:child_process'
import { chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { freePort } from '../../furnishing/free-port.ts'
import { type Embedded, startEmbedded } from '../src/db/embedded.ts'

export interface ServerPair {
  readonly user: string
  readonly password: string
  readonly ports: { readonly primary: number; readonly standby: number }
  /** One statement on one of them, as an operator would do it. */
  ask(port: number, text: string): Promise<pg.QueryResult>
  /** Ends the primary, and makes the standby the new one. */
  failOver(): Promise<void>
  remove(): Promise<void>
}

const settings = { fsync: 'off', full_page_writes: 'off' }

/** Both hold the database `adjoin`, which is empty. */
export async function startPair(): Promise<ServerPair> {
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-pair-'))
  const [first, second] = [join(folder, 'primary'), join(folder, 'standby')]
  const ports = { primary: await freePort(), standby: await freePort() }
  const running: Embedded[] = []
  const start = async (dataDir: string, tcpPort: number, more = {}) => {
    const server = await startEmbedded(dataDir, { settings: { ...settings, ...more }, tcpPort })
    running.push(server)
    return server
  }
  const fresh = await start(first, ports.primary)
  const { user, password } = fresh.connection as { user: string; password: string }
  const ask = async (port: number, text: string) => {
    const client = new pg.Client({ host: '127.0.0.1', port, user, password, database: 'postgres' })
    await client.connect()
    try {
      return await client.query(text)
    } finally {
      await client.end()
    }
  }
  await ask(ports.primary, 'create database adjoin')
  await fresh.stop()
  execFileSync('cp', ['-a', first, second])
  const primary = await start(first, ports.primary)
  writeFileSync(join(second, 'postgres', 'standby.signal'), '')
  const { uid, gid } = statSync(join(second, 'postgres'))
  chownSync(join(second, 'postgres', 'standby.signal'), uid, gid)
  await start(second, ports.standby, {
    primary_conninfo: `host=127.0.0.1 port=${ports.primary} user=${user} password=${password} application_name=standby`,
  })
  return {
    user,
    password,
    ports,
    ask,
    failOver: async () => {
      await primary.stop()
      await ask(ports.standby, 'select pg_promote()')
    },
    remove: async () => {
      for (const server of running) await server.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
