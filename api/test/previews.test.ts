import { declaration, operationIds, route, wouldEnd } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../src/db/sql.ts'
import { connected, createSuite, integrate, newcomer, type Suite, type Tenant } from './suite.ts'
import { request } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

type WouldEnd = Awaited<ReturnType<typeof wouldEnd>>
const names = (ends: WouldEnd) =>
  Object.fromEntries(Object.entries(ends).flatMap(([kind, list]) => (list.length ? [[kind, list.map(({ name }) => name).sort()]] : [])))

/** Everything that a preview could have touched. */
const contents = async ({ world, organization }: Tenant) =>
  JSON.stringify(
    await world.query(sql`select (select md5(string_agg(k::text, '' order by k.id)) from (select id, revoked_at from api_keys where organization_id = ${organization.id}) k) as keys,
      (select md5(string_agg(i::text, '' order by i.id)) from (select id, status, updated_at, credential from integrations where organization_id = ${organization.id}) i) as integrations,
      (select md5(string_agg(i::text, '' order by i.id)) from invitations i where organization_id = ${organization.id}) as invitations,
      (select md5(string_agg(m::text, '' order by m.user_id)) from members m where organization_id = ${organization.id}) as members,
      (select md5(string_agg(m::text, '' order by m.user_id)) from workspace_members m where organization_id = ${organization.id}) as assigned,
      (select count(*) from audit_entries where organization_id = ${organization.id}) as entries,
      (select count(*) from jobs) as jobs`),
  )

/** A member with keys, an invitation that they sent, and a workspace with integrations in it. */
async function furnish(tenant: Tenant) {
  const { admin, member, o, w } = tenant
  await tenant.world.assign(tenant.organization, tenant.workspace, member, 'admin')
  await member.client.createApiKey(o, { name: 'Their own', level: 'user' })
  const { key, id } = await member.client.createApiKey(o, {
    name: 'Workspace reports',
    level: 'workspace',
    role: 'viewer',
    workspaceSlug: w.workspaceSlug,
  })
  await admin.createApiKey(o, { name: 'Organization reports', level: 'organization', role: 'viewer' })
  const email = newcomer()
  await member.client.createWorkspaceInvitation(w, { email, role: 'viewer' })
  const active = await connected(tenant)
  await integrate(tenant)
  await tenant.world.client({ 'x-api-key': key }).listIntegrations(w)
  // Its mails are on their way.
  await expect.poll(() => tenant.world.query(sql`select from jobs`)).toEqual([])
  return { active, email, keyId: id }
}

describe('a change that is asked about', () => {
  test('is one of six', () => {
    expect(operationIds.filter((id) => declaration(id).preview).sort()).toEqual(
      [
        'removeOrganizationMember',
        'removeWorkspaceMember',
        'revokeApiKey',
        'deleteWorkspace',
        'deleteIntegration',
        'disableIntegration',
      ].sort(),
    )
  })

  test('says what would end, and leaves everything as it is', async () => {
    const tenant = await suite.tenant()
    const { active, email, keyId } = await furnish(tenant)
    const { admin, member, o, w } = tenant
    const before = await contents(tenant)
    const whole = { integrations: ['Publisher', 'Publisher'], connectLinks: ['Publisher'] }
    expect(names(await wouldEnd(admin, 'deleteWorkspace', w))).toEqual({
      ...whole,
      apiKeys: ['Workspace reports'],
      invitations: [email],
    })
    expect(names(await wouldEnd(admin, 'removeOrganizationMember', { ...o, userId: member.id }))).toEqual({
      apiKeys: ['Their own', 'Workspace reports'],
      invitations: [email],
    })
    expect(names(await wouldEnd(admin, 'removeWorkspaceMember', { ...w, userId: member.id }))).toEqual({
      apiKeys: ['Workspace reports'],
      invitations: [email],
    })
    expect(names(await wouldEnd(admin, 'revokeApiKey', { ...o, id: keyId }))).toEqual({ apiKeys: ['Workspace reports'] })
    expect(names(await wouldEnd(admin, 'deleteIntegration', active))).toEqual({ integrations: ['Publisher'] })
    expect(names(await wouldEnd(admin, 'disableIntegration', active))).toEqual({ integrations: ['Publisher'] })
    expect(await contents(tenant)).toBe(before)
    expect((await admin.getIntegration(active)).status).toBe('active')
  })

  test('needs no confirmation: every operation with a dry run answers one of a place in use, by its path alone', async () => {
    const tenant = await suite.tenant()
    const { active, keyId } = await furnish(tenant)
    const { member, organization, workspace } = tenant
    const values: Record<string, string> = { orgSlug: organization.slug, workspaceSlug: workspace.slug, userId: member.id }
    for (const id of operationIds.filter((id) => declaration(id).query && 'dryRun' in declaration(id).query!.shape)) {
      const [method, path] = route(id)
      const filled = path.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? (id === 'revokeApiKey' ? keyId : active.id))
      const answer = await request(`${suite.world.url}${filled}?dryRun=true`, { method, headers: organization.admin.headers })
      expect([id, answer.status]).toEqual([id, 200])
      expect(Object.values(answer.json<{ wouldEnd: Record<string, unknown[]> }>().wouldEnd).flat().length, id).toBeGreaterThan(0)
    }
    await expect(tenant.admin.deleteWorkspace(tenant.w)).rejects.toMatchObject({ code: 'workspace_in_use' })
  })

  test('names webhooks that lose their owner or their workspace', async () => {
    const tenant = await suite.tenant()
    const { admin, o, w } = tenant
    const other = await tenant.world.join(tenant.organization, 'admin')
    const url = 'http://127.0.0.1:9/hook'
    await other.client.createWebhook(o, { url, description: 'Of everything', types: ['integration.*'] })
    await admin.createWebhook(o, { url, description: 'Of one client', types: ['integration.*'], workspaceSlug: w.workspaceSlug })
    expect(names(await wouldEnd(admin, 'removeOrganizationMember', { ...o, userId: other.id }))).toEqual({ webhooks: ['Of everything'] })
    expect(names(await wouldEnd(admin, 'deleteWorkspace', w))).toEqual({ webhooks: ['Of one client'] })
  })

  test('is refused as the change would be', async () => {
    const tenant = await suite.tenant()
    const { active } = await furnish(tenant)
    const { admin, viewer, o, w } = tenant
    await expect(wouldEnd(viewer.client, 'deleteWorkspace', w)).rejects.toMatchObject({ status: 403 })
    await expect(wouldEnd(viewer.client, 'deleteIntegration', active)).rejects.toMatchObject({ status: 403 })
    await expect(wouldEnd(viewer.client, 'disableIntegration', active)).rejects.toMatchObject({ status: 403 })
    await expect(wouldEnd(admin, 'removeOrganizationMember', { ...o, userId: tenant.organization.admin.id })).rejects.toMatchObject({
      status: 409,
    })
    await expect(wouldEnd(admin, 'revokeApiKey', { ...o, id: active.id })).rejects.toMatchObject({ status: 404 })
  })

  test('and is made afterwards under the same Idempotency-Key', async () => {
    const tenant = await suite.tenant()
    const at = await connected(tenant)
    const options = { idempotencyKey: 'look-then-leap' }
    await tenant.admin.disableIntegration({ ...at, dryRun: 'true' }, options)
    expect((await tenant.admin.disableIntegration(at, options)).status).toBe('disabled')
    expect(names(await wouldEnd(tenant.admin, 'disableIntegration', at))).toEqual({})
    expect(names(await wouldEnd(tenant.admin, 'deleteIntegration', at))).toEqual({ integrations: ['Publisher'] })
  })
})
