// Two consecutive versions run side by side, and a version can be taken back: a migration adds, and takes
// nothing away that the version before it uses. Read from the catalogue after each file, so no wording escapes it.
import { copyFileSync, mkdtempSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { expect, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { temporaryServer } from '../temporary-server.ts'

const MIGRATIONS = fileURLToPath(new URL('../../src/db/migrations', import.meta.url))
/** Earlier ones were applied before anybody ran two versions side by side. */
const HELD_SINCE = 9

type Column = { table: string; column: string; type: string; required: boolean }
type Rule = { table: string; name: string; columns: string[]; says: string; unique: boolean }
type Catalogue = { columns: Column[]; rules: Rule[]; functions: string[] }

const COLUMNS = `select c.relname as table, a.attname as column, format_type(a.atttypid, a.atttypmod) as type,
    a.attnotnull and not a.atthasdef and a.attidentity = '' as required
  from pg_attribute a join pg_class c on c.oid = a.attrelid
  where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and a.attnum > 0 and not a.attisdropped`
const RULES = `select c.relname as table, r.conname as name, pg_get_constraintdef(r.oid) as says, r.contype in ('p', 'u') as unique,
    array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any(r.conkey)) as columns
  from pg_constraint r join pg_class c on c.oid = r.conrelid where c.relnamespace = 'public'::regnamespace and r.contype in ('c', 'f', 'x', 'u', 'p')
  union all
  select c.relname, i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid), i.indpred is null,
    array(select attname::text from pg_attribute where attrelid = c.oid and attnum = any(i.indkey))
  from pg_index i join pg_class c on c.oid = i.indrelid where c.relnamespace = 'public'::regnamespace and i.indisunique`
const FUNCTIONS = `select p.oid::regprocedure::text as name from pg_proc p where p.pronamespace = 'public'::regnamespace`

async function catalogueOf(client: pg.Client): Promise<Catalogue> {
  const { rows: columns } = await client.query<Column>(COLUMNS)
  const { rows: rules } = await client.query<Rule>(RULES)
  const { rows: functions } = await client.query<{ name: string }>(FUNCTIONS)
  return { columns, rules, functions: functions.map(({ name }) => name) }
}

/** What a program that knows only `before` would meet in `after`. */
function losses(before: Catalogue, after: Catalogue): string[] {
  const knew = (table: string) => before.columns.filter((one) => one.table === table)
  const found: string[] = []
  for (const { table, column, type } of before.columns) {
    const now = after.columns.find((one) => one.table === table && one.column === column)
    if (!now) found.push(`${table}.${column} is gone`)
    else if (now.type !== type) found.push(`${table}.${column} was ${type} and is ${now.type}`)
  }
  for (const { table, column, required } of after.columns) {
    const was = before.columns.find((one) => one.table === table && one.column === column)
    if (knew(table).length && required && !was?.required) found.push(`${table}.${column} must be given`)
  }
  for (const { table, columns, says, unique } of after.rules) {
    const known = knew(table).map(({ column }) => column)
    const rules = before.rules.filter((one) => one.table === table)
    // What is unique by fewer columns is unique by these, too.
    const implied = unique && rules.some((one) => one.unique && one.columns.every((column) => columns.includes(column)))
    const isNew = !implied && !rules.some((one) => one.says === says)
    if (isNew && columns.length && columns.every((column) => known.includes(column))) found.push(`${table}: ${says} is new`)
  }
  for (const name of before.functions) if (!after.functions.includes(name)) found.push(`${name} is gone`)
  return found
}

test('a migration takes nothing away from the version before it, or says in its name which version it needs', async () => {
  const server = await temporaryServer()
  const connection = await server.database()
  const folder = mkdtempSync(join(server.folder, 'migrations-'))
  const client = new pg.Client(connection)
  await client.connect()
  try {
    const found: Record<string, string[]> = {}
    let before: Catalogue = { columns: [], rules: [], functions: [] }
    for (const [at, name] of readdirSync(MIGRATIONS).sort().entries()) {
      copyFileSync(join(MIGRATIONS, name), join(folder, name))
      await migrate(connection, folder)
      const after = await catalogueOf(client)
      const lost = losses(before, after)
      if (at + 1 >= HELD_SINCE && lost.length && !/_needs_\d{4}\.sql$/.test(name)) found[name] = lost
      before = after
    }
    expect(
      found,
      'Add instead, and take away one release later, in a file whose name ends in _needs_NNNN.sql (CONTRIBUTING, Migrations)',
    ).toEqual({})
  } finally {
    await client.end()
    await server.remove()
  }
})
