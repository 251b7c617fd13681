import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { enterInDirectory, organizationOf } from '../src/db/directory.ts'
import { sweep } from '../src/features/infra/sweep.ts'
import { createFullTenant } from './full-tenant.ts'
import { receipted, requested, tokenOf } from './suite.ts'
import { createWorld, sql, type World } from './world.ts'

let world: World
let stored: { table: string; column: string }[]
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 10_000, roles: { api: true, jobs: false } }) // which would sweep as well
  // Every column of a tenant's table by whose hash something is found.
  stored = await world.query(sql`select c.table_name as table, c.column_name as column from information_schema.columns c
    where c.table_schema = 'public' and c.column_name in ('key_hash', 'token_hash') and exists (select 1 from information_schema.columns o
      where o.table_name = c.table_name and o.column_name = 'organization_id') order by 1`)
})
afterAll(() => world.stop())

const text = (statement: string) => world.query<{ n: number }>(sql([statement] as unknown as TemplateStringsArray))

/** How many hashes of a table the directory leads to another organization with, or to none. */
const astray = async ({ table, column }: { table: string; column: string }) =>
  (
    await text(`select count(*)::int as n from ${table} t left join directory d on d.hash = t.${column}
      where t.${column} is not null and d.organization_id is distinct from t.organization_id`)
  )[0]!.n

const triggers = (state: 'disable' | 'enable') =>
  Promise.all(stored.map(({ table }) => text(`alter table ${table} ${state} trigger ${table}_directory`)))

describe('the directory', () => {
  it.each([
    ['on one database by triggers', false],
    ['on several by the service itself', true],
  ])('leads from every hash to its organization, %s', async (_, sharded) => {
    if (sharded) await triggers('disable')
    world.app.parts.db.sharded = sharded
    const tenant = await createFullTenant(world)
    const { organization, workspace } = tenant
    const at = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
    await organization.admin.client.createApiKey({ orgSlug: organization.slug }, { name: 'Key', level: 'organization', role: 'viewer' })
    const suite = { world, organization, admin: organization.admin.client, w: at } as Parameters<typeof requested>[0]
    const { at: request, token, items } = await requested(suite, { clientEmail: 'client@elsewhere.example' })
    await organization.admin.client.sendConnectRequest(request)
    const renewed = await organization.admin.client.renewConnectRequest(request, {})
    await world.client().passOnConnectItem({ ...items[0]!, token: tokenOf(renewed.connectUrl!) })
    await receipted(suite)
    world.app.parts.db.sharded = false
    await triggers('enable')
    for (const one of stored) {
      expect([one.table, (await text(`select count(*)::int as n from ${one.table} where ${one.column} is not null`))[0]!.n]).not.toEqual([
        one.table,
        0,
      ])
      expect([one.table, await astray(one)]).toEqual([one.table, 0])
    }
    expect(token).toHaveLength(43)
  })

  it('is told by the database itself of what is stored, whoever stores it', async () => {
    const { id, admin } = await world.organization()
    const hash = Buffer.alloc(32, 7)
    await world.query(sql`insert into api_keys (organization_id, level, role, name, key_hash, creator_id)
      values (${id}, 'organization', 'viewer', 'Older', ${hash}, ${admin.id})`)
    expect(await organizationOf(world.app.parts.db, hash)).toBe(id)
  })

  it('has a hash for one organization alone', async () => {
    const [one, other] = [await world.organization(), await world.organization()]
    const hash = Buffer.alloc(32, 8)
    await enterInDirectory({ sharded: true }, world.query, one.id, hash)
    await enterInDirectory({ sharded: true }, world.query, one.id, hash)
    await expect(enterInDirectory({ sharded: true }, world.query, other.id, hash)).rejects.toThrow('has this hash for another organization')
    expect(await organizationOf(world.app.parts.db, hash)).toBe(one.id)
  })

  it('forgets what leads nowhere after a month, and nothing else', async () => {
    const { organization } = await createFullTenant(world)
    const gone = Buffer.alloc(32, 9)
    const fresh = Buffer.alloc(32, 10)
    await enterInDirectory({ sharded: true }, world.query, organization.id, gone)
    await world.query(sql`update directory set checked_at = now() - interval '31 days'`)
    await enterInDirectory({ sharded: true }, world.query, organization.id, fresh) // its transaction may not have ended
    await sweep(world.app.parts, 5)
    const nowhere = '00000000-0000-0000-0000-000000000000'
    expect(await organizationOf(world.app.parts.db, gone)).toBe(nowhere)
    expect(await organizationOf(world.app.parts.db, fresh)).toBe(organization.id)
    for (const one of stored) expect([one.table, await astray(one)]).toEqual([one.table, 0])
    expect(
      (
        await text('select count(*)::int as n from invitations i left join directory d on d.hash = uuid_send(i.id) where d.hash is null')
      )[0]!.n,
    ).toBe(0)
  })
})
