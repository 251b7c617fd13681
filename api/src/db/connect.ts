// One database, wherever it is: the server of DATABASE_URL, or the embedded one under the data folder.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Embedded, startEmbedded } from './embedded.ts'
import { refuseEngine } from './engine.ts'
import { type Connection, connectionTo } from './hosts.ts'
import { type Database, type OnStatement, openPool, type TraceStatement, unavailable } from './pool.ts'
import { sql } from './sql.ts'
import { DEFAULT_TIMEOUTS, SESSION_PARAMETERS, type Timeouts } from './timeouts.ts'

export interface ConnectedDatabase {
  db: Database
  connection: Connection
  embedded?: Embedded
  close(): Promise<void>
}

interface StartLog {
  info(o: object | string, m?: string): void
  warn(o: object | string, m?: string): void
}

export interface DatabaseOptions {
  databaseUrl?: string
  dataDir: string
  database?: string
  max: number
  prepare: boolean
  sharesFactor?: number | undefined
  onStatement?: OnStatement | undefined
  traceStatement?: TraceStatement | undefined
  timeouts?: Partial<Timeouts>
  /** Aborted when nobody waits for the connection any more. */
  signal?: AbortSignal | undefined
  log: StartLog
}

export async function connectDatabase(options: DatabaseOptions): Promise<ConnectedDatabase> {
  return options.databaseUrl ? connectExternal(options.databaseUrl, options) : connectEmbedded(options)
}

async function connectExternal(databaseUrl: string, { log, signal, ...options }: DatabaseOptions): Promise<ConnectedDatabase> {
  const connection = connectionTo(databaseUrl)
  const db = openPool(connection, options)
  try {
    const [server] = await waitForServer(db, log, signal)
    refuseEngine(server!)
    db.sharded = server!.citus && (await isDistributed(db))
  } catch (error) {
    await db.end()
    throw error
  }
  return { db, connection, close: () => db.end() }
}

/** Has `adjoin-admin distribute` been run here? */
export async function isDistributed(db: Pick<Database, 'query'>): Promise<boolean> {
  const found = await db.query(sql`select 1 from pg_dist_partition where logicalrelid = to_regclass('members') and partmethod = 'h'`)
  return found.length > 0
}

interface ServerRow {
  version: string
  number: number
  citus: boolean
}

/** Waits for a database that starts together with us, as under Compose or when a machine boots. */
async function waitForServer(db: Database, log: StartLog, signal?: AbortSignal): Promise<ServerRow[]> {
  const { start } = db.timeouts
  const began = performance.now()
  for (let warned = false; ; warned = true) {
    try {
      return await db.query<ServerRow>(sql`select version() as version, current_setting('server_version_num')::int as number,
        to_regclass('pg_catalog.pg_dist_partition') is not null as citus`)
    } catch (error) {
      if (isPoolerRefusal(error)) throw new Error(poolerAdvice((error as Error).message), { cause: error })
      if (isRefusedAccount(error)) throw new Error(accountAdvice((error as Error).message), { cause: error })
      if (!unavailable(error)) throw error
      const { message, code } = error as NodeJS.ErrnoException
      const reason = message || code // empty if several addresses were tried
      if (performance.now() - began > start)
        throw new Error(`Can’t reach the database in DATABASE_URL (${reason}). Check the address, and that the database is running.`, {
          cause: error,
        })
      if (!warned) log.warn(`database: can’t be reached yet, waiting up to ${start / 1000} s (${reason})`)
      await sleep(500, undefined, { ...(signal && { signal }) })
    }
  }
}

/** A wrong password, account or database name: waiting would not help. */
const isRefusedAccount = (error: unknown): boolean => /^(?:28|3D)/.test((error as { code?: string }).code ?? '')

const accountAdvice = (reason: string) =>
  `The server in DATABASE_URL refuses this connection (${reason}). Check the user name, the password and the database name in DATABASE_URL.`

/** PgBouncer's words, under a code that else means a connection that broke: waiting would not help. */
const isPoolerRefusal = (error: unknown): boolean => /unsupported startup parameter/.test(String((error as Error).message))

const poolerAdvice = (reason: string) =>
  `The pooler in DATABASE_URL refuses the timeouts that every connection sets (${reason}). Set DATABASE_PREPARE=false, ` +
  `or add this line to the [pgbouncer] section of pgbouncer.ini: ignore_startup_parameters = ${SESSION_PARAMETERS.join(', ')}`

async function connectEmbedded({ dataDir, database = 'adjoin', log, signal, ...options }: DatabaseOptions): Promise<ConnectedDatabase> {
  const server = await startEmbedded(dataDir, { signal })
  log.info(`database: embedded PostgreSQL in ${dataDir}${server.adopted ? ', left running by an earlier process' : ''}`)
  const connection = { ...server.connection, database }
  try {
    await createDatabaseIfMissing(server.connection, database, options.timeouts)
  } catch (error) {
    await server.stop()
    throw error
  }
  const db = openPool(connection, options)
  const watching = restartWhenDead(server, log)
  const close = async () => {
    await watching.end()
    await db.end()
    await server.stop()
  }
  return { db, connection, embedded: server, close }
}

/** A machine on which everything starts at once is slow, and nobody waits for this but the start. */
async function createDatabaseIfMissing(connection: pg.ClientConfig, database: string, timeouts?: Partial<Timeouts>): Promise<void> {
  const { start } = { ...DEFAULT_TIMEOUTS, ...timeouts }
  const client = new pg.Client({ ...connection, connectionTimeoutMillis: 2 * start })
  client.on('error', () => {})
  await client.connect()
  try {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [database])
    if (rowCount === 0) await client.query(`create database ${pg.escapeIdentifier(database)}`)
  } finally {
    await client.end()
  }
}

/**
 * Restarts the server when it dies. Nothing is lost:
 * what was committed is in its log, and other requests are answered with 503.
 */
function restartWhenDead(server: Embedded, log: StartLog): { end(): Promise<void> } {
  const ending = new AbortController()
  const watching = (async () => {
    for (let pause = 250; !ending.signal.aborted; await sleep(pause, undefined, { signal: ending.signal, ref: false }).catch(() => {})) {
      if (server.alive()) continue
      log.warn('database: the embedded PostgreSQL stopped unexpectedly, restarting it')
      const failure = await server.ensure().catch((error: Error) => error)
      if (failure) log.warn(`database: ${failure.message}`)
      else log.info('database: the embedded PostgreSQL is running again')
      pause = failure ? 5000 : 250
    }
  })()
  return {
    end: () => {
      ending.abort()
      return watching
    },
  }
}
