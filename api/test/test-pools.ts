// Pools on a server of their own, which a test may freeze, kill and fill.
import { type Database, openPool, type PoolOptions } from '../src/db/pool.ts'
import { sql } from '../src/db/sql.ts'
import { PATIENT } from './patience.ts'
import { temporaryServer } from './temporary-server.ts'

export type TestPools = Awaited<ReturnType<typeof createTestPools>>

export async function createTestPools() {
  const server = await temporaryServer()
  const connection = await server.database()
  const pools: Database[] = []
  return {
    ...server,
    open(options: PoolOptions = {}, to = connection): Database {
      const pool = openPool(to, { max: 3, ...options, timeouts: { ...PATIENT, ...options.timeouts } })
      pools.push(pool)
      return pool
    },
    endPools: () => Promise.all(pools.splice(0).map((pool) => pool.end())),
  }
}

/** What the work fails with. */
export const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => Promise.reject(new Error('it succeeded')),
    (error) => error,
  )

export const backend = async (db: Database) => (await db.query<{ pid: number }>(sql`select pg_backend_pid() as pid`))[0]!.pid
