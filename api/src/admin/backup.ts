// A logical backup of our own, since the embedded PostgreSQL comes without pg_dump:
// every table in one snapshot, beside live writes.
import type pg from 'pg'
import type { Connection } from '../db/hosts.ts'
import { sealedColumns } from '../features/infra/sealed-columns.ts'
import { type BackupLine, type Counts, writeBackup } from './backup-file.ts'
import { type BackupTable, columnList, connect, countsOf, quoted, tablesOf } from './tables.ts'

const FETCH = 500

export interface Progress {
  readonly done: number
  readonly total: number
}

export async function backup(
  connection: Connection,
  file: string,
  onProgress: (progress: Progress) => void,
  recipients: readonly string[] = [],
): Promise<Counts> {
  const client = await connect(connection)
  try {
    await client.query(`begin isolation level repeatable read, read only;
      set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC'`)
    const tables = await tablesOf(client)
    const counts = await countsOf(client, tables)
    await writeBackup(file, lines(client, tables, counts, onProgress), recipients)
    await client.query('commit')
    return counts
  } finally {
    await client.end()
  }
}

async function* lines(
  client: pg.Client,
  tables: BackupTable[],
  counts: Counts,
  onProgress: (progress: Progress) => void,
): AsyncGenerator<BackupLine> {
  yield { header: await header(client) }
  const total = Object.values(counts).reduce((sum, n) => sum + n, 0)
  let done = 0
  for (const table of tables) {
    // A cursor holds a few hundred rows at a time, however many there are.
    await client.query(`declare rows no scroll cursor for
      select row_to_json(t)::text as row from (select ${columnList(table)} from ${quoted(table.name)}) t`)
    for (;;) {
      const { rows } = await client.query<{ row: string }>(`fetch ${FETCH} from rows`)
      for (const { row } of rows) yield { table: table.name, row }
      done += rows.length
      onProgress({ done, total })
      if (rows.length < FETCH) break
    }
    await client.query('close rows')
  }
  yield { counts }
}

const hasTable = async (client: pg.Client, name: string): Promise<boolean> =>
  (await client.query<{ found: boolean }>('select to_regclass($1) is not null as found', [name])).rows[0]!.found

async function header(client: pg.Client) {
  const { rows } = await client.query<{ number: number; name: string; now: Date }>(
    'select number, name, now() as now from migrations order by number desc limit 1',
  )
  const { number, name: latest, now } = rows[0]!
  const keyIds = new Set<string>()
  // A backup may be made of an older schema, which lacks what came later.
  for (const { name, counts } of sealedColumns)
    if (await hasTable(client, name.split('.')[0]!))
      for (const { key } of (await client.query<{ key: string }>(counts.texts.join(''))).rows) keyIds.add(key)
  const secrets = (await client.query<{ name: string; sealed: string }>('select name, sealed from service_secrets order by name')).rows
  return {
    format: 'adjoin-backup',
    version: 1,
    createdAt: now.toISOString(),
    schema: { number, name: latest },
    keyIds: [...keyIds].sort(),
    secrets: Object.fromEntries(secrets.map(({ name, sealed }) => [name, sealed])),
  } as const
}
