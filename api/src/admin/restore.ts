// Restores a backup into an empty database: first the schema as it was then,
// the rows in one transaction, and last the migrations that were added since.
import { copyFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { Connection } from '../db/hosts.ts'
import { migrate } from '../db/migrate.ts'
import type { Progress } from './backup.ts'
import { type Counts, type Header, notBackup, readBackup } from './backup-file.ts'
import { type BackupTable, columnList, connect, countsOf, quoted, tablesOf } from './tables.ts'

const BATCH = 500
const MIGRATIONS = fileURLToPath(new URL('../db/migrations', import.meta.url))

export async function restore(
  connection: Connection,
  file: string,
  onProgress: (progress: Progress) => void,
  identity?: string,
): Promise<Counts> {
  const header = await headerOf(file, identity)
  const client = await connect(connection)
  try {
    await refuseNonEmpty(client, header)
    await migrateTo(header, connection)
    await client.query(
      "begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local timezone = 'UTC'",
    )
    const counts = await load(client, file, onProgress, identity)
    await client.query('commit')
    await migrate(connection)
    return counts
  } finally {
    await client.end()
  }
}

export async function headerOf(file: string, identity?: string): Promise<Header> {
  for await (const line of readBackup(file, identity)) if ('header' in line) return line.header
  throw notBackup(file)
}

/** A restore must never mix its rows with others, or overwrite them. */
async function refuseNonEmpty(client: pg.Client, { schema }: Header): Promise<void> {
  const tables = await tablesOf(client)
  const filled = Object.entries(await countsOf(client, tables)).find(([, n]) => n > 0)
  if (filled)
    throw new Error(
      `The database is not empty: ${filled[0]} has ${filled[1]} rows. Restore into a new one: point DATABASE_URL to it, or choose an empty DATA_DIR. Nothing was changed.`,
    )
  if (!tables.length) return
  const { rows } = await client.query<{ number: number }>('select max(number) as number from migrations').catch(() => ({ rows: [] }))
  if ((rows[0]?.number ?? 0) > schema.number)
    throw new Error(`The database has a newer schema than the backup (${schema.name}). Restore into a new, empty one. Nothing was changed.`)
}

/** Creates the schema of the backup, so that later migrations find its rows as they expect them. */
async function migrateTo({ schema }: Header, connection: Connection): Promise<void> {
  const names = readdirSync(MIGRATIONS).sort().slice(0, schema.number)
  if (names.at(-1) !== schema.name)
    throw new Error(
      `The backup was made by a newer version of Adjoin (${schema.name}). Restore it with that version or a later one. Nothing was changed.`,
    )
  const folder = mkdtempSync(join(tmpdir(), 'adjoin-schema-'))
  try {
    for (const name of names) copyFileSync(join(MIGRATIONS, name), join(folder, name))
    await migrate(connection, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function load(client: pg.Client, file: string, onProgress: (progress: Progress) => void, identity?: string): Promise<Counts> {
  const tables = new Map((await tablesOf(client)).map((table) => [table.name, table]))
  let counts: Counts = {}
  let batch: string[] = []
  let current = ''
  let done = 0
  const flush = async () => {
    if (batch.length) await insert(client, tables.get(current)!, batch)
    done += batch.length
    batch = []
    onProgress({ done, total: done })
  }
  for await (const line of readBackup(file, identity)) {
    if ('counts' in line) counts = line.counts
    if (!('row' in line)) continue
    if (line.table !== current || batch.length === BATCH) await flush()
    current = line.table
    if (!tables.has(current)) throw new Error(`${file} contains a table that this schema does not have: ${current}. Nothing was restored.`)
    batch.push(line.row)
  }
  await flush()
  for (const { name, identityColumn } of tables.values())
    if (identityColumn)
      await client.query(
        `select setval(pg_get_serial_sequence('${quoted(name)}', '${identityColumn}'), coalesce(max(${quoted(identityColumn)}), 0) + 1, false) from ${quoted(name)}`,
      )
  const found = await countsOf(client, [...tables.values()])
  for (const [name, n] of Object.entries(counts))
    if (found[name] !== n) throw new Error(`${name} has ${found[name]} rows instead of ${n}. Nothing was restored.`)
  return counts
}

/**
 * PostgreSQL reads the JSON that it wrote: JavaScript never parses a number, date or bytes, so none changes.
 * A trigger may have written a row before its turn: the directory has one for each key. What is missing at the end is noticed.
 */
async function insert(client: pg.Client, table: BackupTable, rows: string[]): Promise<void> {
  const columns = columnList(table)
  await client.query(
    `insert into ${quoted(table.name)} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${quoted(table.name)}, $1::json) on conflict do nothing`,
    [`[${rows.join(',')}]`],
  )
}
