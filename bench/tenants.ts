// Many organizations, alike, made by the database itself:
// each with people, workspaces, integrations, keys and a trail.
import { createHash } from 'node:crypto'
import pg from 'pg'
import { migrate } from '../api/src/db/migrate.ts'
import { newApiKey } from '../api/src/domain/api-key.ts'
import type { Bench } from './setup.ts'

export interface Tenants {
  readonly organizations: number
  /** Of each organization. */
  readonly entries: number
}

/** One organization as a caller knows it. */
export interface BenchTenant {
  readonly id: string
  readonly slug: string
  readonly key: string
  readonly integrationId: string
}

/** Settings of PostgreSQL for loading in bulk; reads need none of them. */
export const BULK = { max_wal_size: '8GB', maintenance_work_mem: '256MB' }

const MEMBERS = 10
const WORKSPACES = 3
export const INTEGRATIONS = 10
const KEYS = 3

/** In the bench's own database, or in another one of its server. */
export async function fillDatabase({ database }: Bench, tenants: Tenants, name?: string): Promise<BenchTenant[]> {
  if (name) await database.operator(`create database ${name}`)
  const connection = { ...database.connection, ...(name && { database: name }) }
  await migrate(connection)
  const client = new pg.Client(connection)
  await client.connect()
  try {
    return await fill(client, tenants)
  } finally {
    await client.end()
  }
}

/**
 * Ids are hashes of names, so that every statement knows those of the others,
 * and lie about in the indexes as random ones do.
 */
async function fill(client: pg.Client, { organizations, entries }: Tenants): Promise<BenchTenant[]> {
  const run = (text: string, ...values: unknown[]) => client.query(text, values)
  // What refers to what is known: no need to look each of them up.
  await run('set session_replication_role = replica')
  await run(`create function pg_temp.id(name text) returns uuid language sql immutable
    as $$ select overlay(overlay(md5(name) placing '4' from 13) placing '8' from 17)::uuid $$`)
  await run(`insert into organizations (id, slug, name, domain)
    select pg_temp.id('organization ' || n), 'org-' || n, 'Organization ' || n, 'org-' || n || '.example' from generate_series(1, ${organizations}) n`)
  await run(`insert into users (id, email, name)
    select pg_temp.id('user ' || n || ' ' || m), 'person-' || m || '@org-' || n || '.example', 'Person ' || m
    from generate_series(1, ${organizations}) n, generate_series(1, ${MEMBERS}) m`)
  await run(`insert into members (organization_id, user_id, role)
    select pg_temp.id('organization ' || n), pg_temp.id('user ' || n || ' ' || m), case m when 1 then 'admin' else 'member' end
    from generate_series(1, ${organizations}) n, generate_series(1, ${MEMBERS}) m`)
  await run(`insert into workspaces (organization_id, id, slug, name)
    select pg_temp.id('organization ' || n), pg_temp.id('workspace ' || n || ' ' || w), 'client-' || w, 'Client ' || w
    from generate_series(1, ${organizations}) n, generate_series(1, ${WORKSPACES}) w`)
  await run(`insert into integrations (organization_id, id, workspace_id, provider, name, status, status_checked_at, settings, connected_at,
      connected_account, created_by, credential, check_due_at)
    select pg_temp.id('organization ' || n), pg_temp.id('integration ' || n || ' ' || i), pg_temp.id('workspace ' || n || ' 1'), 'google_ads',
      'Search campaigns ' || i, 'active', now(), '{"customerId":"1234567890"}', now(), 'ads@org-' || n || '.example',
      pg_temp.id('user ' || n || ' 1'), 'v1.bench.' || repeat('A', 500), now() + interval '1 day'
    from generate_series(1, ${organizations}) n, generate_series(1, ${INTEGRATIONS}) i`)
  const keys = Array.from({ length: organizations }, newApiKey)
  await run(
    `insert into api_keys (organization_id, level, role, name, prefix, key_hash, creator_id)
    select pg_temp.id('organization ' || n), 'organization', 'admin', 'bench ' || k, left(key, 15),
      case k when 1 then sha256(key::bytea) else sha256((key || k)::bytea) end, pg_temp.id('user ' || n || ' 1')
    from unnest($1::text[]) with ordinality as keys (key, n), generate_series(1, ${KEYS}) k`,
    keys,
  )
  await run(`insert into audit_heads (organization_id, sequence, created_at)
    select pg_temp.id('organization ' || n), ${entries}, now() from generate_series(1, ${organizations}) n`)
  await fillTrails(client, `select pg_temp.id('organization ' || n) as id from generate_series(1, ${organizations}) n`, entries)
  await run('vacuum analyze')
  return keys.map((key, i) => ({
    id: idOf(`organization ${i + 1}`),
    slug: `org-${i + 1}`,
    key,
    integrationId: idOf(`integration ${i + 1} 1`),
  }))
}

/** What one change writes; `%…` stands for what differs between two. */
const ENTRY = JSON.stringify({
  id: '%1$s',
  action: 'integration.updated',
  outcome: 'success',
  actor: { type: 'user', id: '%2$s', email: 'person-1@org.example', name: 'Person 1', keyPrefix: null },
  target: { type: 'integration', id: '%3$s', name: 'Search campaigns' },
  workspace: { slug: 'client-1', name: 'Client 1' },
  changes: [{ field: 'name', from: 'Search', to: 'Search campaigns' }],
  context: { via: 'session', ip: '192.0.2.1', userAgent: 'Mozilla/5.0 (X11; Linux x86_64) bench', requestId: '%1$s' },
  metadata: {},
})
/** The columns that PostgreSQL makes of an entry when one is written; for a million it would take minutes. */
const MADE = ['action', 'actor_id', 'actor_email', 'target_type', 'target_id', 'workspace']

/**
 * A trail for each organization that `select` names, loaded in bulk:
 * what is made of each entry is written out, and the indexes are made anew afterwards. Hashes are
 * not chained, since nothing that is measured follows them. What is loaded so is for reading alone.
 */
async function fillTrails(client: pg.Client, select: string, entries: number): Promise<void> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexname as name, indexdef as definition from pg_indexes where tablename = 'audit_entries' and indexname <> 'audit_entries_pkey'`,
  )
  for (const { name } of indexes) await client.query(`drop index ${name}`)
  for (const column of MADE) await client.query(`alter table audit_entries alter column ${column} drop expression`)
  await client.query(
    `insert into audit_entries (organization_id, sequence, created_at, content, previous_hash, hash, ${MADE.join(', ')})
    select o.id, n, now() - (${entries} - n) * interval '1 second', format($1, gen_random_uuid(), o.actor, o.targets[n % 10 + 1]),
      '\\x', sha256(n::text::bytea), 'integration.updated', o.actor, 'person-1@org.example', 'integration', o.targets[n % 10 + 1], 'client-1'
    from (select id, gen_random_uuid()::text as actor, array(select gen_random_uuid()::text from generate_series(1, 10)) as targets
      from (${select}) named) o, generate_series(1, ${entries}) n`,
    [ENTRY],
  )
  for (const { definition } of indexes) await client.query(definition)
}

const idOf = (name: string) =>
  createHash('md5')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})/, '$1-$2-4$3-8$4-')
