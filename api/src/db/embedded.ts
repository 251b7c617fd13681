// A real PostgreSQL under the data folder, for development and tests: made, started, adopted, stopped.
import { createHash } from 'node:crypto'
import { closeSync, constants, existsSync, mkdirSync, openSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { accountFor, checkFolder, createFolder, programs, user } from './embedded-files.ts'
import { endOrphans, insidePath, serverOf, startServer, stopServer } from './embedded-process.ts'

export interface Embedded {
  /** Where the server listens: the host is its socket's folder. */
  connection: pg.ClientConfig
  /** It was running already: a process before us was killed. */
  adopted: boolean
  /** False from the moment the server, or our hold on it, is gone. */
  alive(): boolean
  /** Brings the server back when it has died; costs nothing while it lives. */
  ensure(): Promise<void>
  stop(): Promise<void>
}

export interface EmbeddedOptions {
  /** More of PostgreSQL's own settings; tests switch fsync off. */
  settings?: Record<string, string>
  /** Listens on loopback too. */
  tcpPort?: number
  /** Aborted when it is no longer wanted: what was started until then is stopped. */
  signal?: AbortSignal | undefined
}

const LOCK_ID = 0x61646a6f // the advisory lock that says: this process has the folder
const START_MS = 30_000
const FAILED_START_MS = 2000
const TAKEOVER_MS = 1000 // for the backend of a killed predecessor to notice and let go

export async function startEmbedded(dataDir: string, options: EmbeddedOptions = {}): Promise<Embedded> {
  const { settings = {}, tcpPort, signal } = options
  const dir = join(resolve(dataDir), 'postgres')
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const as = accountFor(existsSync(dir) ? dir : dataDir)
  const files = programs(as)
  if (!existsSync(dir)) await createFolder(dir, files, as, settings['fsync'] !== 'off')
  signal?.throwIfAborted()
  const password = checkFolder(dir, files.major)

  const port = tcpPort ?? 5432 // names the socket, too
  const socket = socketFolder(dir)
  const connection: pg.ClientConfig = { host: socket.outside, port, user, password, database: 'postgres', ssl: false }
  const all = {
    listen_addresses: tcpPort === undefined ? '' : '127.0.0.1',
    port: String(port),
    unix_socket_directories: socket.inside,
    unix_socket_permissions: '0700',
    log_error_verbosity: 'terse', // a DETAIL line quotes the row
    ...settings,
  }

  const adopted = serverOf(dir) !== undefined
  let lockClient: pg.Client | undefined
  let stopped = false

  /** Connects and takes the lock, which the kernel lets go with our last breath. */
  const takeLock = async (at: number): Promise<'ours' | 'taken' | Error> => {
    const client = new pg.Client({ ...connection, port: at, connectionTimeoutMillis: 2000, query_timeout: 2000 })
    client.on('error', () => {})
    client.on('end', () => {
      if (lockClient === client) lockClient = undefined
    })
    try {
      await client.connect()
      const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_lock($1) as ours', [LOCK_ID])
      if (rows[0]?.ours) lockClient = client
      return lockClient === client ? 'ours' : 'taken'
    } catch (error) {
      return error as Error
    } finally {
      if (lockClient !== client) await client.end().catch(() => {})
    }
  }

  const startAndLock = async (): Promise<void> => {
    const began = Date.now()
    let start: ReturnType<typeof startServer> | undefined
    let taken: number | undefined
    for (; !stopped && !lockClient; await sleep(start?.failed() ? 300 : 30)) {
      const server = serverOf(dir)
      const outcome = await takeLock(server?.port || port)
      if (outcome === 'ours') {
        if (!server || server.port === port) return
        await stopServer(dir) // adopted, but listening elsewhere than we were asked to
        lockClient = undefined
      } else if (outcome === 'taken') {
        taken ??= Date.now()
        if (Date.now() - taken > TAKEOVER_MS)
          throw new Error(`Another Adjoin process is using ${dataDir}. Stop it, or choose another DATA_DIR.`)
      } else {
        const said = start?.failed()
        // What a predecessor still holds, it will let go.
        const waiting = said === undefined || /shared memory|lock file/.test(said)
        if (Date.now() - began > (waiting ? START_MS : FAILED_START_MS)) {
          const reason = said ?? outcome.message
          throw new Error(`The PostgreSQL in ${dir} did not start (see its server.log): ${reason}`, { cause: outcome })
        }
        if (serverOf(dir) || (start && !said)) continue // on its way
        endOrphans(dir)
        start = startServer(files.bin, dir, all, as)
      }
    }
  }

  let underway: Promise<void> | undefined
  const ensure = async (): Promise<void> => {
    if (lockClient || stopped) return
    underway ??= startAndLock().finally(() => {
      underway = undefined
    })
    await underway
  }

  const stop = async (): Promise<void> => {
    if (stopped) return
    // The lock may have been lost a moment ago. Without it the server is another's, and not ours to stop.
    if (!lockClient && serverOf(dir)) await ensure().catch(() => {})
    stopped = true
    await underway?.catch(() => {})
    if (lockClient) await stopServer(dir)
    await lockClient?.end().catch(() => {})
    socket.close()
  }

  try {
    await ensure()
    if (signal?.aborted) await stop()
    signal?.throwIfAborted()
  } catch (error) {
    socket.close()
    throw error
  }
  return { connection, adopted, alive: () => lockClient !== undefined, ensure, stop }
}

/**
 * How to reach the server of a data folder that another process runs:
 * for operators' commands beside a live service.
 */
export function runningEmbedded(dataDir: string): pg.ClientConfig | undefined {
  const dir = join(resolve(dataDir), 'postgres')
  const server = existsSync(dir) ? serverOf(dir) : undefined
  if (!server) return undefined
  const password = checkFolder(dir, programs(accountFor(dir)).major)
  return { host: socketFolder(dir).outside, port: server.port, user, password, ssl: false }
}

/**
 * The folder of the socket as the server and as its clients call it.
 * A socket's path may have some 100 bytes, a data folder's more.
 */
function socketFolder(dir: string): { inside: string; outside: string; close(): void } {
  const short = Buffer.byteLength(join(dir, '.s.PGSQL.65535')) <= 103
  const close = () => {}
  if (process.platform === 'linux') {
    if (short) return { inside: insidePath(dir), outside: dir, close }
    const fd = openSync(dir, constants.O_RDONLY | constants.O_DIRECTORY) // an open folder has a short name
    return { inside: insidePath(dir), outside: `/proc/${process.pid}/fd/${fd}`, close: () => closeSync(fd) }
  }
  if (short) return { inside: dir, outside: dir, close }
  const folder = `/tmp/adjoin-${createHash('sha256').update(dir).digest('hex').slice(0, 16)}`
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  return { inside: folder, outside: folder, close }
}
