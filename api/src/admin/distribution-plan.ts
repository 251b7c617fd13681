// What it takes to distribute a database over the workers of a Citus cluster, as statements, derived from what is there.
import type pg from 'pg'

export interface PlannedStep {
  /** What it does, for people. */
  readonly what: string
  readonly statement: string
}

/** On every node, because tenant tables refer to them. */
const REFERENCE = ['organizations', 'users']
/** Counters over all organizations, and the way to each: they have an organization, and stay on the coordinator. */
const GLOBAL = ['directory', 'quota_shares', 'waits']
/** On the coordinator, and written together with tenant tables: Citus must know of them to commit both or neither. */
const WRITTEN_WITH_TENANTS = ['idempotency', 'jobs']

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`

interface Catalog {
  /** Tables of tenants, in the order of their names. */
  readonly tenants: readonly string[]
  /** What Citus knows: `h` is distributed, `n` is on every node or on the coordinator. */
  readonly known: ReadonlyMap<string, string>
  /** Unique over all organizations, which no distributed table can be. */
  readonly unique: readonly { table: string; name: string; constraint: boolean }[]
  /** By whose hash something is found: the directory must lead there. */
  readonly hashes: readonly { table: string; hash: string }[]
  /** Triggers that write to the directory, which a shard cannot. */
  readonly triggers: readonly { table: string; name: string }[]
  /** Triggers of whole statements, which would also keep local rows that have moved from being removed: they are made again. */
  readonly statementTriggers: readonly { table: string; name: string; definition: string }[]
  /** References between tenant tables: they are made again when both are distributed. */
  readonly references: readonly { table: string; name: string; definition: string }[]
}

async function readCatalog(client: pg.Client): Promise<Catalog> {
  const rows = async <R extends object>(text: string): Promise<R[]> => (await client.query<R>(text)).rows
  const tables = await rows<{ name: string }>(`select c.relname as name from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'organization_id' and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition order by 1`)
  const tenants = tables.map(({ name }) => name).filter((name) => !GLOBAL.includes(name))
  const list = tenants.map(quote).join(', ')
  const oids = `select c.oid from pg_class c where c.relnamespace = 'public'::regnamespace and c.relname in (${list})`
  const known = await rows<{ name: string; method: string }>(
    'select c.relname as name, p.partmethod as method from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid',
  )
  return {
    tenants,
    known: new Map(known.map(({ name, method }) => [name, method])),
    unique: await rows(`select i.indrelid::regclass::text as table, coalesce(k.conname, c.relname) as name, k.oid is not null as constraint
      from pg_index i join pg_class c on c.oid = i.indexrelid left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('u', 'p')
      where i.indrelid in (${oids}) and i.indisunique and not exists (select 1 from pg_attribute a
        where a.attrelid = i.indrelid and a.attname = 'organization_id' and a.attnum = any (i.indkey)) order by 1, 2`),
    hashes: await rows(`select c.table_name as table, c.column_name as hash from information_schema.columns c
      where c.table_schema = 'public' and c.table_name in (${list}) and c.column_name in ('key_hash', 'token_hash')
      union all select 'invitations', 'uuid_send(id)' order by 1, 2`),
    triggers: await rows(`select t.tgrelid::regclass::text as table, t.tgname as name from pg_trigger t join pg_proc p on p.oid = t.tgfoid
      where t.tgrelid in (${oids}) and p.proname like '%\\_in\\_directory' order by 1, 2`),
    statementTriggers: await rows(`select t.tgrelid::regclass::text as table, t.tgname as name, pg_get_triggerdef(t.oid) as definition
      from pg_trigger t where t.tgrelid in (${oids}) and not t.tgisinternal and t.tgtype & 1 = 0 order by 1, 2`),
    references: await rows(`select f.conrelid::regclass::text as table, f.conname as name, pg_get_constraintdef(f.oid) as definition
      from pg_constraint f where f.contype = 'f' and f.conrelid in (${oids}) and f.confrelid in (${oids}) order by 1, 2`),
  }
}

/** What is still to do; nothing where everything is distributed. */
export async function distributionPlan(client: pg.Client, shards: number | undefined): Promise<PlannedStep[]> {
  const { tenants, known, unique, hashes, triggers, statementTriggers, references } = await readCatalog(client)
  const missing = tenants.filter((name) => known.get(name) !== 'h')
  if (!missing.length) return []
  const steps: PlannedStep[] = []
  const add = (what: string, statement: string) => steps.push({ what, statement })
  const first = tenants.find((name) => known.get(name) === 'h')

  add('allow triggers that look at their own row alone', 'set local citus.enable_unsafe_triggers = on')
  const sequential = "citus.multi_shard_modify_mode = 'sequential'"
  add('one shard after the other, because of the references', `set local ${sequential}`)
  if (shards !== undefined) add('shards', `set local citus.shard_count = ${shards}`)
  for (const { table, hash } of hashes.filter((one) => missing.includes(one.table))) {
    add(`${table}: what the directory lacks`, enterAll(table, hash))
    add(`${table}: what the directory has for another organization`, refuseAstray(table, hash))
  }
  for (const { table, name } of triggers) add(`${table}: the service writes to the directory itself`, `drop trigger ${name} on ${table}`)
  for (const { table, name } of statementTriggers) add(`${table}: a trigger that comes back`, `drop trigger ${name} on ${table}`)
  for (const { table, name, constraint } of unique)
    add(`${table}: unique in the directory instead`, constraint ? `alter table ${table} drop constraint ${name}` : `drop index ${name}`)
  for (const { table, name } of references) add(`${table}: a reference that comes back`, `alter table ${table} drop constraint ${name}`)
  for (const name of REFERENCE)
    if (!known.has(name) || known.get(name) !== 'n' || !(await isReference(client, name)))
      add(`${name}: on every node`, `select create_reference_table(${quote(name)})`)
  for (const name of WRITTEN_WITH_TENANTS)
    if (!known.has(name)) add(`${name}: on the coordinator`, `select citus_add_local_table_to_metadata(${quote(name)})`)
  missing.forEach((name, i) => {
    const beside = first ?? (i === 0 ? 'none' : missing[0]!)
    add(
      `${name}: distributed by organization`,
      `select create_distributed_table(${quote(name)}, 'organization_id', colocate_with => ${quote(beside)})`,
    )
  })
  for (const { table, name, definition } of references)
    add(`${table}: its reference again`, `alter table ${table} add constraint ${name} ${definition}`)
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name')
  add(
    'what looks at every organization may then change what is on every node, in the same transaction',
    `alter database ${rows[0]!.name} set ${sequential}`,
  )
  for (const statement of LOCKS) add('locks on the coordinator: a row of these tables is on every node', statement)
  for (const name of missing)
    add(`${name}: free the space of the rows that have moved`, `select truncate_local_data_after_distributing_table(${quote(name)})`)
  for (const { table, definition } of statementTriggers) add(`${table}: its trigger again`, definition)
  return steps
}

const enterAll = (table: string, hash: string) =>
  `insert into directory (hash, organization_id) select ${hash}, organization_id from ${table} where ${hash} is not null on conflict do nothing`

const refuseAstray = (table: string, hash: string) => `do $$ begin
  if exists (select 1 from ${table} t join directory d on d.hash = ${hash} where d.organization_id <> t.organization_id) then
    raise exception 'the directory has entries of ${table} under another organization; delete those from directory, and run this again';
  end if;
end $$`

async function isReference(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query("select 1 from pg_dist_partition where logicalrelid = $1::regclass and repmodel = 't'", [name])
  return rowCount === 1
}

const lock = (
  name: string,
  argument: string,
  space: number,
) => `create or replace function ${name}(${argument} uuid) returns void language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtextextended(${argument}::text, ${space}));
end $$`
const LOCKS = [lock('lock_organization', 'organization', 29001), lock('lock_person', 'person', 29002)]
