// Which processes of the service run on a database, and what operators must know of each.
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Parts } from '../../call.ts'
import { isDistributed } from '../../db/connect.ts'
import type { Database } from '../../db/pool.ts'
import { sql } from '../../db/sql.ts'

const SAY_EVERY_MS = 20_000
/** A process that has not said anything for so long has died, or is cut off. */
const GONE_AFTER_SECONDS = 60

export interface RunningProcess {
  readonly host: string
  readonly pid: number
  readonly roles: string
  /** The first one seals. */
  readonly keyIds: readonly string[]
}

/**
 * Says that this process runs, until it stops. Failing to say so stops nothing. One that still takes for one database
 * what was distributed meanwhile would store what no other process finds: it ends, and is started again.
 */
export async function registerProcess(
  { db, log, vault, config }: Pick<Parts, 'db' | 'log' | 'vault' | 'config'>,
  version: string,
): Promise<{ stop(): Promise<void> }> {
  const id = randomUUID()
  const roles = Object.entries(config.roles)
    .flatMap(([role, has]) => (has ? [role] : []))
    .join(',')
  const say = async (): Promise<boolean> => {
    const [said] = await db.query<{ citus: boolean }>(sql`insert into processes (id, host, pid, roles, version, key_ids)
        values (${id}, ${hostname()}, ${process.pid}, ${roles}, ${version}, ${vault.keyIds}::text[])
        on conflict (id) do update set seen_at = excluded.seen_at
        returning to_regclass('pg_catalog.pg_dist_partition') is not null as citus`)
    return said!.citus && !db.sharded && (await isDistributed(db))
  }
  const untold = (error: unknown) => log.debug({ err: error }, 'could not say that this process runs; trying again')
  if (await say().catch(untold)) throw new Error(DISTRIBUTED)
  const timer = setInterval(async () => {
    if (!(await say().catch(untold))) return
    log.fatal(DISTRIBUTED)
    throw new Error(DISTRIBUTED) // nobody catches it: a process that ends with an error is started again, one that stops is not
  }, SAY_EVERY_MS).unref()
  return {
    async stop() {
      clearInterval(timer)
      await db.query(sql`delete from processes where id = ${id}`).catch(() => {}) // then it is forgotten in a minute
    },
  }
}

const DISTRIBUTED = 'the database was distributed over several servers after this process began; start it again'

export const runningProcesses = (db: Pick<Database, 'query'>): Promise<RunningProcess[]> =>
  db.query<RunningProcess>(sql`select host, pid, roles, key_ids as "keyIds" from processes
    where seen_at > now() - make_interval(secs => ${GONE_AFTER_SECONDS}) order by host, started_at, pid`)

/** Asked by readiness of a process that does none itself. */
export async function doesAnyProcessJobs(db: Pick<Database, 'query'>): Promise<boolean> {
  const [row] = await db.query<{ found: boolean }>(sql`select exists (select from processes
    where 'jobs' = any(string_to_array(roles, ',')) and seen_at > now() - make_interval(secs => ${GONE_AFTER_SECONDS})) as found`)
  return row!.found
}

/** `db-1 (process 4711: api,jobs)` */
export const processName = ({ host, pid, roles }: RunningProcess): string => `${host} (process ${pid}: ${roles})`
