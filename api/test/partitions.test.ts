// Large tables may be partitioned by their operators: nothing may depend on a table being in one piece.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../src/features/infra/sweep.ts'
import { createWorld, sql, type World } from './world.ts'

const PARTITIONS = 8
const TABLES = ['audit_entries', 'integration_checks']

let world: World
const run = <R extends object>(statement: string) => world.query<R>(sql([statement] as unknown as TemplateStringsArray))

/** As an operator would do it: the same columns, keys, references and triggers, in parts. */
async function partition(table: string): Promise<void> {
  const definitions = await run<{ definition: string }>(`select pg_get_triggerdef(oid) as definition from pg_trigger
    where tgrelid = '${table}'::regclass and not tgisinternal
    union all select format('alter table ${table} add constraint %I %s', conname, pg_get_constraintdef(oid)) from pg_constraint
    where conrelid = '${table}'::regclass and contype = 'f'`)
  await run(`alter table ${table} rename to ${table}_whole`)
  await run(`create table ${table} (like ${table}_whole including all) partition by hash (organization_id)`)
  for (let i = 0; i < PARTITIONS; i++)
    await run(`create table ${table}_${i} partition of ${table} for values with (modulus ${PARTITIONS}, remainder ${i})`)
  await run(`drop table ${table}_whole`)
  for (const { definition } of definitions) await run(definition)
}

beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } }) // which would sweep as well
  for (const table of TABLES) await partition(table)
})
afterAll(() => world.stop())

describe('in eight partitions', () => {
  it('the sweep removes what has ended, and not one row that has not', async () => {
    for (let i = 0; i < 12; i++) {
      const organization = await world.organization()
      const workspace = await world.workspace(organization)
      const at = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
      const { id } = await organization.admin.client.createIntegration(at, { provider: 'xandr', name: 'Seat' })
      // Dead and living ones take turns, so that the places of the dead in one partition are those of the living in another.
      await world.query(sql`insert into integration_checks (organization_id, integration_id, kind, outcome, status, duration_ms, checked_at)
        select ${organization.id}, ${id}, 'check', 'verified', 'active', 1,
          case when (n + ${i}::int) % 2 = 0 then now() - interval '91 days' else now() end from generate_series(1, 30) as n`)
    }
    expect((await run('select distinct tableoid from integration_checks')).length).toBeGreaterThan(3)
    await sweep(world.app.parts, 7)
    const [left] = await run<{
      living: number
      dead: number
    }>(`select count(*) filter (where checked_at > now() - interval '90 days')::int as living,
      count(*) filter (where checked_at <= now() - interval '90 days')::int as dead from integration_checks`)
    expect(left).toEqual({ living: 180, dead: 0 })
  })

  it('audit entries stay as they are, by the table and by each of its partitions', async () => {
    const [before] = await run<{ n: number }>('select count(*)::int as n from audit_entries')
    expect(before!.n).toBeGreaterThan(10)
    const parts = await run<{ name: string }>('select distinct tableoid::regclass::text as name from audit_entries')
    expect(parts.length).toBeGreaterThan(3)
    for (const table of ['audit_entries', ...parts.map(({ name }) => name)])
      for (const change of [`update ${table} set content = content`, `delete from ${table}`])
        await expect(run(change), change).rejects.toThrow('audit entries are append-only')
    expect(await run('select count(*)::int as n from audit_entries')).toEqual([before])
  })
})
