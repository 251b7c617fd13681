// Brings the schema up to date: numbered SQL files, each applied in a transaction of its own,
// and only once, however many replicas start together.
// Only transaction-scoped locks are used, so a pooler in between does not matter.
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import { type Connection, newClient } from './hosts.ts'

interface Migration {
  number: number
  name: string
  checksum: string
  text: string
}
type AppliedMigration = Omit<Migration, 'text'>

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url))
const LOCK_ID = 0x61646a6f // any number, as long as every version of this program uses the same
const ATTEMPTS = 20
const CREATE_TABLE = `create table if not exists migrations
  (number int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`

/** What was applied now, and what a newer version of Adjoin has applied before. */
export type MigrationOutcome = { applied: string[]; newer: string[] }

export async function migrate(connection: Connection, folder = MIGRATIONS): Promise<MigrationOutcome> {
  const migrations = readMigrations(folder)
  const client = newClient({
    fallback_application_name: 'adjoin-migrate',
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    ...connection,
  })
  client.on('error', () => {}) // the statement that was under way rejects
  await client.connect()
  try {
    // Nothing to do is the usual case, and needs no lock.
    let history = await readApplied(client)
    refuseUnknown(migrations, history)
    const applied: string[] = []
    for (const migration of migrations.slice(history.length)) {
      const ours = await inExclusiveTransaction(client, async () => {
        await client.query(CREATE_TABLE)
        history = await readApplied(client) // another replica may have applied some while we waited
        refuseUnknown(migrations, history)
        if (history.some(({ number }) => number === migration.number)) return false
        await applyMigration(client, migration)
        return true
      })
      if (ours) applied.push(migration.name)
    }
    return { applied, newer: history.slice(migrations.length).map(({ name }) => name) }
  } finally {
    await client.end()
  }
}

/**
 * The files in order. Their numbers have no gaps and no duplicates:
 * if two branches both add a number 7, the service does not start.
 */
function readMigrations(folder: string): Migration[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  return names.sort().map((name, i) => {
    const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(name)?.[1])
    if (number !== i + 1)
      throw new Error(
        `${join(folder, name)}: expected ${String(i + 1).padStart(4, '0')}_name.sql here. Renumber the files from 0001 without gaps.`,
      )
    const text = readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')
    return { number, name, text, checksum: createHash('sha256').update(text).digest('hex') }
  })
}

async function readApplied(client: pg.Client): Promise<AppliedMigration[]> {
  const { rows } = await client.query<{ there: boolean }>("select to_regclass('migrations') is not null as there")
  if (!rows[0]?.there) return []
  return (await client.query<AppliedMigration>('select number, name, checksum from migrations order by number')).rows
}

/**
 * Migrations only add, so this version also runs on the schema of a newer one, until one takes something away.
 * Its name then says what a version must know: 0035_drop_old_marks_needs_0031.sql.
 */
const neededBy = (name: string) => Number(/_needs_(\d{4})\.sql$/.exec(name)?.[1] ?? 0)

function refuseUnknown(migrations: Migration[], history: AppliedMigration[]): void {
  const beyond = history.slice(migrations.length).find(({ name }) => neededBy(name) > migrations.length)
  if (beyond) {
    const ours = migrations.at(-1)?.name ?? 'none'
    throw new Error(
      `The database is too new for this version of Adjoin: ${beyond.name} took away what it uses, and the last migration here is ${ours}. ` +
        'Start a newer version, or restore a backup from before the upgrade. Nothing was changed.',
    )
  }
  for (const { number, name, checksum } of history.slice(0, migrations.length)) {
    const ours = migrations[number - 1]!
    if (ours.name !== name || ours.checksum !== checksum)
      throw new Error(
        `Migration ${ours.name} is not what was applied to this database (${name}). ` +
          'An applied migration must not change: restore the file, and put the change into a new one. Nothing was changed.',
      )
  }
}

/**
 * One transaction at a time over all replicas. When a table is busy we roll back and try again:
 * a DDL statement that waits for a lock would make every later reader wait too.
 */
async function inExclusiveTransaction<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  for (let left = ATTEMPTS - 1; ; left--) {
    await client.query(
      "begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0; set local lock_timeout = '15min'",
    )
    try {
      await client.query('select pg_advisory_xact_lock($1)', [LOCK_ID])
      await client.query("set local lock_timeout = '3s'")
      const result = await work()
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback').catch(() => {})
      if ([error, (error as Error).cause].some((one) => (one as pg.DatabaseError | undefined)?.code === '42501'))
        throw new Error(
          'The database schema needs an update, but the account in DATABASE_URL is not allowed to change it. Run `adjoin-admin migrate` with the account that owns the database.',
          { cause: error },
        )
      if (left === 0 || !(error instanceof Error) || (error.cause as pg.DatabaseError | undefined)?.code !== '55P03') throw error
      await sleep(1000)
    }
  }
}

async function applyMigration(client: pg.Client, { number, name, checksum, text }: Migration): Promise<void> {
  try {
    await client.query(text)
  } catch (error) {
    const { message, position } = error as pg.DatabaseError
    const line = position ? ` at line ${text.slice(0, Number(position) - 1).split('\n').length}` : ''
    throw new Error(`Migration ${name} failed${line}: ${message}. It was rolled back completely; earlier migrations stay applied.`, {
      cause: error,
    })
  }
  if (client.getTransactionStatus() !== 'T')
    throw new Error(`Migration ${name} ended its own transaction and may be half applied. Remove begin, commit and rollback from it.`)
  await client.query('insert into migrations (number, name, checksum) values ($1, $2, $3)', [number, name, checksum])
}
