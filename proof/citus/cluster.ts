// A Citus cluster of a proof's own: a coordinator and two workers, on loopback, in folders that go away with it.
import { execFileSync } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { endOrphans, type ProcessAccount, run, serverOf, startServer, stopServer } from '../../api/src/db/embedded-process.ts'
import { freePort } from '../../furnishing/free-port.ts'
import { removeScratch, scratchFolder } from '../scratch.ts'

const NODES = 3
const USER = 'adjoin'
/** PostgreSQL refuses root. */
const ACCOUNT: ProcessAccount = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

/** Where packages put PostgreSQL: a folder for each version. */
const PLACES = ['/usr/lib/postgresql', '/usr/local/pgsql', '/opt/homebrew/opt']

/** The programs of a PostgreSQL that has Citus: those of `CITUS_BIN`, or of the newest in the usual places. */
export function findCitus(): string | undefined {
  const { CITUS_BIN } = process.env
  const usual = PLACES.filter((place) => existsSync(place)).flatMap((place) => [
    join(place, 'bin'),
    ...readdirSync(place)
      .sort()
      .reverse()
      .map((version) => join(place, version, 'bin')),
  ])
  return (CITUS_BIN ? [CITUS_BIN] : usual).find(hasCitus)
}

function hasCitus(bin: string): boolean {
  if (!existsSync(join(bin, 'postgres')) || !existsSync(join(bin, 'pg_config'))) return false
  const share = execFileSync(join(bin, 'pg_config'), ['--sharedir'], { encoding: 'utf8' }).trim()
  return existsSync(join(share, 'extension/citus.control'))
}

export interface CitusNode {
  readonly port: number
  /** Without a database. */
  readonly url: string
  /** As fate would: with everything that it runs. */
  kill(): void
  start(): Promise<void>
}

export interface CitusCluster {
  readonly coordinator: CitusNode
  readonly workers: readonly CitusNode[]
  /** A database on every node, which the coordinator distributes over the workers. */
  createDatabase(name: string): Promise<string>
  /** One statement on the coordinator, as an operator would do it. */
  operator<R extends pg.QueryResultRow>(database: string, text: string, values?: unknown[]): Promise<R[]>
  remove(): Promise<void>
}

export async function startCluster(bin: string, settings: Record<string, string> = {}): Promise<CitusCluster> {
  const folder = scratchFolder('citus')
  if (ACCOUNT.uid !== undefined) chownSync(folder, ACCOUNT.uid, ACCOUNT.gid!)
  const nodes: (CitusNode & { dir: string })[] = []
  try {
    for (let i = 0; i < NODES; i++) nodes.push(await startNode(bin, join(folder, `node-${i}`), settings))
  } catch (error) {
    for (const { dir } of nodes) await stopServer(dir)
    throw error
  }
  const coordinator = nodes[0]!
  const workers = nodes.slice(1)
  return {
    coordinator,
    workers,
    operator: (database, text, values) => ask(`${coordinator.url}/${database}`, text, values),
    createDatabase: async (name) => {
      for (const { url } of nodes) {
        await ask(`${url}/postgres`, `create database ${name}`)
        await ask(`${url}/${name}`, 'create extension citus')
      }
      const here = `${coordinator.url}/${name}`
      await ask(here, 'select citus_set_coordinator_host($1, $2)', ['127.0.0.1', coordinator.port])
      for (const { port } of workers) await ask(here, 'select citus_add_node($1, $2)', ['127.0.0.1', port])
      return here
    },
    remove: async () => {
      await Promise.all(nodes.map(({ dir }) => stopServer(dir)))
      removeScratch(folder)
    },
  }
}

async function startNode(bin: string, dir: string, settings: Record<string, string>): Promise<CitusNode & { dir: string }> {
  mkdirSync(dir, { mode: 0o700 })
  if (ACCOUNT.uid !== undefined) chownSync(dir, ACCOUNT.uid, ACCOUNT.gid!)
  await run([join(bin, 'initdb'), '-D', dir, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'], dir, ACCOUNT)
  const port = await freePort()
  const url = `postgres://${USER}@127.0.0.1:${port}`
  const start = async () => {
    const { failed } = startServer(bin, dir, { ...SETTINGS, ...settings, port: String(port), unix_socket_directories: '' }, ACCOUNT)
    for (const until = Date.now() + 60_000; ; await sleep(100)) {
      const fault = failed()
      if (fault) throw new Error(fault)
      if ((await ask(`${url}/postgres`, 'select 1').catch(() => [])).length) return
      if (Date.now() > until) throw new Error(`the node in ${dir} did not start within a minute`)
    }
  }
  await start()
  return {
    dir,
    port,
    url,
    start,
    kill: () => {
      process.kill(serverOf(dir)!.pid, 'SIGKILL')
      endOrphans(dir)
    },
  }
}

/** As Citus wants it: two-phase commits need room, and shards move by logical replication. */
const SETTINGS = {
  shared_preload_libraries: 'citus',
  listen_addresses: '127.0.0.1',
  max_connections: '300',
  max_prepared_transactions: '600',
  max_worker_processes: '100',
  wal_level: 'logical',
  max_replication_slots: '64',
  max_wal_senders: '64',
}

async function ask<R extends pg.QueryResultRow>(connectionString: string, text: string, values: unknown[] = []): Promise<R[]> {
  const client = new pg.Client({ connectionString })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<R>(text, values)).rows
  } finally {
    await client.end()
  }
}
