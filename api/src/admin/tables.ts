import pg from 'pg'
import { type Connection, newClient } from '../db/hosts.ts'

export interface BackupTable {
  readonly name: string
  /** What is written; generated columns follow from these. */
  readonly columns: readonly string[]
  /** Numbered by the database itself: the counter must go on behind the highest. */
  readonly numbered: string | undefined
}

/** Rebuilt by themselves: what was applied, who runs, and counters that a crash forgets as well. */
const EXCLUDED_TABLES = ['migrations', 'processes', 'limits', 'waits']

/**
 * Our tables, each behind those it refers to, read from the database itself:
 * one that a migration adds is never forgotten.
 */
export async function tablesOf(client: pg.Client): Promise<BackupTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; numbered: string | null; refers: string[] }>(`
    select c.relname as name,
      array(select a.attname::text from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '' order by a.attnum) as columns,
      (select a.attname::text from pg_attribute a where a.attrelid = c.oid and a.attidentity <> '' and not a.attisdropped) as numbered,
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
  return ordered.map(({ name, columns, numbered }) => ({ name, columns, numbered: numbered ?? undefined }))
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
