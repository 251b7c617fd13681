import pg from 'pg'
import { type Connection, newClient } from '../db/hosts.ts'

export interface BackupTable {
  readonly name: string
  /** Without generated columns, which PostgreSQL computes again. */
  readonly columns: readonly string[]
  /** Numbered by the database: after a restore, its counter must continue above the highest number. */
  readonly identityColumn: string | undefined
}

/** Rebuilt automatically: the applied migrations, the running processes, and counters that a crash loses as well. */
const EXCLUDED_TABLES = ['migrations', 'processes', 'limits', 'waits']

/**
 * Our tables, each after those it refers to. They are read from the database,
 * so that no table of a new migration is forgotten.
 */
export async function tablesOf(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; identityColumn: string | null; refers: string[] }>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped) as "identityColumn",
      array(select distinct r.relname::text from pg_constraint f join pg_class r on r.oid = f.confrelid
        where f.conrelid = c.oid and f.contype = 'f' and f.confrelid <> f.conrelid) as refers
    from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by c.relname`)
  const waiting = rows.filter(({ name }) => !EXCLUDED_TABLES.includes(name))
  const ordered: typeof rows = []
  while (waiting.length) {
    const next = waiting.findIndex(({ refers }) => refers.every((name) => !waiting.some((other) => other.name === name)))
    if (next < 0) throw new Error(`tables refer to each other in a circle: ${waiting.map(({ name }) => name).join(', ')}`)
    ordered.push(...waiting.splice(next, 1))
  }
  return ordered.map(({ name, columns, identityColumn }) => ({ name, columns, identityColumn: identityColumn ?? undefined }))
}

export const quoted = pg.escapeIdentifier
export const columnList = ({ columns }: BackupTable): string => columns.map(quoted).join(', ')

export async function countsOf(client: pg.Client, tables: readonly BackupTable[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const { rows } = await client.query<{ n: string }>(`select count(*) as n from ${quoted(name)}`)
    counts[name] = Number(rows[0]!.n)
  }
  return counts
}

export async function connect(connection: Connection): Promise<pg.Client> {
  const client = newClient({
    fallback_application_name: 'adjoin-admin',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...connection,
  })
  client.on('error', () => {}) // the statement that was under way rejects
  await client.connect()
  return client
}
