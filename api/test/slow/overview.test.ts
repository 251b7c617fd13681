import { randomUUID } from 'node:crypto'
import { actors, integrationOrders, integrationStatuses, type Output, type WorkspaceRole } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sql } from '../../src/db/sql.ts'
import { mailDigests } from '../../src/features/integrations/mail-digests.ts'
import { keepDays } from '../../src/features/overview/organization-health.ts'
import { reasons } from '../../src/providers/reasons.ts'
import { connected, createSuite, integrate, type Suite, type Tenant } from '../suite.ts'
import type { TestWorkspace } from '../world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

type Found = Output<'listOrganizationIntegrations'>['integrations'][number]
const everything = async (tenant: Tenant, query: object = {}, client = tenant.admin): Promise<Found[]> => {
  const found: Found[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await client.listOrganizationIntegrations({ ...tenant.o, limit: 7, ...query, ...(cursor && { cursor }) })
    found.push(...page.integrations)
    if (!page.nextCursor) return found
    cursor = page.nextCursor
  }
}

async function guestOf({ world, organization }: Tenant, workspace: TestWorkspace, role: WorkspaceRole) {
  const guest = await world.join(organization, 'guest')
  await world.assign(organization, workspace, guest, role)
  return guest
}

/** Integrations in every state that the table knows, written as the service would have left them. */
async function furnish(tenant: Tenant) {
  const { world, organization, workspace, o } = tenant
  const other = await world.workspace(organization)
  const insert = (at: string, name: string, columns: object = {}) => {
    const row = { provider: 'meta_ads', status: 'active', ...columns } as Record<string, unknown>
    return world.query(sql`insert into integrations (organization_id, workspace_id, name, provider, status, status_detail, status_reason, last_error,
        last_error_reason, connected_account, grant_ends_at, grant_end)
      values (${organization.id}, ${at}, ${name}, ${row.provider}, ${row.status}, ${row.detail ?? null}, ${row.reason ?? null}, ${row.lastError ?? null},
        ${row.lastReason ?? null}, ${row.account ?? null}, now() + make_interval(days => ${row.endsIn ?? null}), ${row.endsIn ? 'known' : 'never'})`)
  }
  for (const reason of [...Object.keys(reasons), 'unheard_of'])
    for (const status of integrationStatuses) {
      await insert(workspace.id, `${status} ${reason}`, { status, detail: 'x', reason })
      await insert(other.id, `${status} ${reason} lately`, { status, lastError: 'x', lastReason: reason, provider: 'xandr' })
    }
  for (const status of integrationStatuses) await insert(other.id, `Plain ${status}`, { status })
  for (const endsIn of [2, 9, 30, 80]) await insert(workspace.id, `Ends in ${endsIn}`, { endsIn })
  await insert(workspace.id, 'Müller & Söhne Straße', { account: 'Łódź Reklama (77)' })
  await insert(workspace.id, 'إعلانات', { provider: 'criteo' })
  await insert(workspace.id, 'مُحَمَّد للتجـارة', { account: 'שָׁלוֹם' })
  await integrate(tenant)
  return { o, other }
}

describe('the list over all workspaces', () => {
  test('has every integration exactly once in every order, page by page', async () => {
    const tenant = await suite.tenant()
    await furnish(tenant)
    const [all] = await tenant.world.query<{ n: number }>(
      sql`select count(*)::int as n from integrations where organization_id = ${tenant.organization.id}`,
    )
    for (const sort of integrationOrders) {
      const found = await everything(tenant, { sort })
      expect(new Set(found.map(({ id }) => id)).size, sort).toBe(all!.n)
      expect(found.length, sort).toBe(all!.n)
    }
    const segment = ({ status, health }: Found) =>
      status === 'active' && health.grantEndsAt && Date.parse(health.grantEndsAt) < Date.now() + 14 * 86_400_000
        ? 1
        : { error: 0, pending: 2, active: 3, disabled: 4 }[status]
    const needs = (await everything(tenant)).map(segment)
    expect(needs).toEqual(needs.toSorted())
    const names = (await everything(tenant, { sort: 'name' })).map(({ name }) => name.normalize('NFKD').toLowerCase())
    expect(names.slice(0, 5)).toEqual(names.toSorted().slice(0, 5))
    const ends = (await everything(tenant, { sort: 'grantEndsAt' })).map(({ health }) => health.grantEndsAt ?? 'z')
    expect(ends).toEqual(ends.toSorted())
  })

  test('a page begins where the one before it ended, whatever has changed between', async () => {
    const tenant = await suite.tenant()
    await furnish(tenant)
    const first = await tenant.admin.listOrganizationIntegrations({ ...tenant.o, limit: 5 })
    const last = first.integrations.at(-1)!
    await tenant.world.query(
      sql`update integrations set status = 'disabled' where organization_id = ${tenant.organization.id} and id = ${last.id}`,
    )
    const second = await tenant.admin.listOrganizationIntegrations({ ...tenant.o, limit: 5, cursor: first.nextCursor! })
    expect(second.integrations.map(({ name }) => name)).not.toContain(first.integrations[0]!.name)
    expect(second.integrations.every(({ status }) => status === 'error')).toBe(true)
    await expect(tenant.admin.listOrganizationIntegrations({ ...tenant.o, sort: 'name', cursor: first.nextCursor! })).rejects.toMatchObject(
      {
        code: 'invalid_cursor',
      },
    )
  })

  test('filters and counts agree with what each integration says of itself', async () => {
    const tenant = await suite.tenant()
    const { other } = await furnish(tenant)
    const all = await everything(tenant)
    const { counts } = await tenant.admin.listOrganizationIntegrations({ ...tenant.o, counts: 'true', limit: 1 })
    const tally = (keyOf: (one: Found) => string | null) => {
      const sums: Record<string, number> = {}
      for (const key of all.map(keyOf)) if (key !== null) sums[key] = (sums[key] ?? 0) + 1
      return sums
    }
    expect(counts!.total).toBe(all.length)
    expect(counts!.byStatus).toMatchObject(tally(({ status }) => status))
    expect(counts!.byProvider).toEqual(tally(({ provider }) => provider))
    expect(counts!.byMustAct).toMatchObject(tally(({ mustAct }) => mustAct))

    const same = async (query: object, holds: (one: Found) => boolean) => {
      const [found, wanted] = [await everything(tenant, query), all.filter(holds)]
      expect(found.map(({ name }) => name).sort(), JSON.stringify(query)).toEqual(wanted.map(({ name }) => name).sort())
      const { counts } = await tenant.admin.listOrganizationIntegrations({ ...tenant.o, ...query, counts: 'true', limit: 1 })
      expect(counts!.total).toBe(wanted.length)
    }
    for (const status of integrationStatuses) await same({ status }, (one) => one.status === status)
    for (const mustAct of actors) await same({ mustAct }, (one) => one.mustAct === mustAct)
    for (const statusReason of ['grant_revoked', 'throttled', 'unheard_of'])
      await same({ statusReason }, (one) => one.statusReason === statusReason)
    await same({ provider: 'xandr' }, ({ provider }) => provider === 'xandr')
    await same({ category: 'dsp' }, ({ category }) => category === 'dsp')
    await same({ workspace: other.slug }, ({ workspace }) => workspace.slug === other.slug)
    await same({ expiringWithin: 10 }, ({ name }) => ['Ends in 2', 'Ends in 9'].includes(name))
    await same(
      { status: 'error', mustAct: 'client', provider: 'xandr' },
      (one) => one.status === 'error' && one.mustAct === 'client' && one.provider === 'xandr',
    )
  })

  test('words are found without case and diacritics, in any script, in name, account, workspace and ad system', async () => {
    const tenant = await suite.tenant()
    await furnish(tenant)
    const names = async (q: string) => (await everything(tenant, { q })).map(({ name }) => name)
    for (const q of ['sohne', 'SÖHNE', 'muller', 'strasse', 'lodz', 'ŁÓDŹ', 'söhne müller', 'Meta sohne'])
      expect(await names(q), q).toEqual(['Müller & Söhne Straße'])
    expect(await names('إعلانات')).toEqual(['إعلانات'])
    for (const q of ['محمد', 'مُحَمَّد', 'للتجارة', 'للتجاره', 'שלום']) expect(await names(q), q).toEqual(['مُحَمَّد للتجـارة'])
    expect(await names('criteo')).toEqual(['إعلانات'])
    expect(await names('100%')).toEqual([])
    expect(await names('_')).toEqual((await everything(tenant)).filter(({ name }) => name.includes('_')).map(({ name }) => name))
    expect(await names('nothing like it')).toEqual([])
    expect((await names(tenant.workspace.slug)).length).toBe((await everything(tenant, { workspace: tenant.workspace.slug })).length)
  })

  test('guests and their keys see the workspaces they are assigned to, and counts say no more', async () => {
    const tenant = await suite.tenant()
    const { other } = await furnish(tenant)
    const guest = await guestOf(tenant, other, 'viewer')
    const seen = await everything(tenant, {}, guest.client)
    expect(new Set(seen.map(({ workspace }) => workspace.slug))).toEqual(new Set([other.slug]))
    const all = (await everything(tenant)).filter(({ workspace }) => workspace.slug === other.slug)
    expect(seen.length).toBe(all.length)
    const { counts } = await guest.client.listOrganizationIntegrations({ ...tenant.o, counts: 'true' })
    expect(counts!.total).toBe(all.length)
    await expect(guest.client.getOrganizationHealth(tenant.o)).rejects.toMatchObject({ status: 403 })
  })
})

describe('health', () => {
  test('says since when, how its checks went, and when access ends', async () => {
    const tenant = await suite.tenant()
    const at = await connected(tenant)
    const before = (await tenant.admin.getIntegration(at)).health
    expect(before).toMatchObject({ uptime30d: 1, grantEndsAt: null, grantEnd: 'never' })
    await tenant.world.query(sql`update integration_days set rejected = 3 where integration_id = ${at.id}`)
    await tenant.world.query(sql`insert into integration_days values (${tenant.organization.id}, ${at.id}, current_date - 40, 0, 50, 0)`)
    expect((await tenant.admin.getIntegration(at)).health.uptime30d).toBe(0.25)
    await tenant.admin.disableIntegration(at)
    const { since } = (await tenant.admin.getIntegration(at)).health
    expect(Date.parse(since)).toBeGreaterThan(Date.parse(before.since))
    const { token: _, ...unconnected } = await integrate(tenant)
    const { health } = await tenant.admin.getIntegration(unconnected)
    expect(health.uptime30d).toBeNull()
  })

  test('of an organization: the days that are over as they were kept, today as it is', async () => {
    const tenant = await suite.tenant()
    const [active] = [await connected(tenant), await integrate(tenant)]
    const { days } = await tenant.viewer.client.getOrganizationHealth(tenant.o)
    expect(days).toMatchObject([{ active: 1, error: 0, pending: 1, checks: [{ provider: 'xandr', checks: 1, failures: 0 }] }])
    await keepDays(tenant.world.app.parts)
    await tenant.world.query(sql`update organization_days set day = day - 2 where organization_id = ${tenant.organization.id}`)
    await tenant.world.query(sql`update provider_days set day = day - 2 where organization_id = ${tenant.organization.id}`)
    await tenant.admin.disableIntegration(active)
    const { days: later } = await tenant.viewer.client.getOrganizationHealth({ ...tenant.o, days: 30 })
    expect(later.map(({ active, pending }) => [active, pending])).toEqual([
      [1, 1],
      [0, 1],
    ])
    expect(later[0]!.checks).toEqual([{ provider: 'xandr', checks: 1, failures: 0 }])
    expect((await tenant.viewer.client.getOrganizationHealth({ ...tenant.o, days: 1 })).days).toHaveLength(1)
  })

  test('of a workspace: its own checks, by day', async () => {
    const tenant = await suite.tenant()
    const at = await connected(tenant)
    await tenant.world.query(sql`insert into integration_days values (${tenant.organization.id}, ${at.id}, current_date - 3, 4, 2, 1),
      (${tenant.organization.id}, ${at.id}, current_date - 40, 4, 0, 0)`)
    const { days } = await tenant.viewer.client.getWorkspaceHealth(tenant.w)
    expect(days.map(({ day: _, ...counts }) => counts)).toEqual([
      { verified: 4, rejected: 2, unreachable: 1 },
      { verified: 1, rejected: 0, unreachable: 0 },
    ])
    expect((await tenant.admin.getWorkspaceHealth({ ...tenant.w, days: 90 })).days).toHaveLength(3)
    const other = await tenant.world.workspace(tenant.organization)
    expect((await tenant.admin.getWorkspaceHealth({ ...tenant.o, workspaceSlug: other.slug })).days).toEqual([])
  })
})

describe('many at once', () => {
  test('each is judged, changed and recorded by itself', async () => {
    const tenant = await suite.tenant()
    const [active, { token: _, ...pending }] = [await connected(tenant), await integrate(tenant)]
    const unknown = randomUUID()
    const ids = [active.id, pending.id, unknown, active.id]
    const bulk = async (action: 'verify' | 'disable' | 'enable' | 'issueConnectLink', more = {}, client = tenant.member.client) =>
      (await client.bulkIntegrations(tenant.o, { action, ids, ...more })).results.map(({ outcome, code }) => code ?? outcome)
    expect(await bulk('verify')).toEqual(['queued', 'integration_unconnected', 'not_found'])
    const [due] = await tenant.world.query<{ due: boolean }>(
      sql`select check_due_at <= now() or status_checked_at > now() - interval '1 minute' as due from integrations where id = ${active.id}`,
    )
    expect(due!.due).toBe(true)
    expect(await bulk('disable', { dryRun: true })).toEqual(['done', 'done', 'not_found'])
    expect((await tenant.admin.getIntegration(active)).status).toBe('active')
    expect(await bulk('disable')).toEqual(['done', 'done', 'not_found'])
    expect(await bulk('disable')).toEqual(['unchanged', 'unchanged', 'not_found'])
    expect(await bulk('issueConnectLink')).toEqual(['integration_disabled', 'integration_disabled', 'not_found'])
    expect(await bulk('enable')).toEqual(['queued', 'done', 'not_found'])
    expect((await tenant.admin.getIntegration(active)).status).toBe('active')
    const link = (await tenant.admin.getIntegration(pending)).connectLink!.connectUrl
    expect(await bulk('issueConnectLink')).toEqual(['done', 'done', 'not_found'])
    expect((await tenant.admin.getIntegration(pending)).connectLink!.connectUrl).not.toBe(link)
    expect(await bulk('disable', {}, tenant.viewer.client)).toEqual(['role_too_low', 'role_too_low', 'not_found'])
    const guest = await guestOf(tenant, await tenant.world.workspace(tenant.organization), 'admin')
    expect(await bulk('disable', {}, guest.client)).toEqual(['not_found', 'not_found', 'not_found'])
    const { auditLogs } = await tenant.admin.listAuditLogs({ ...tenant.o, action: 'integration.disabled' })
    expect(auditLogs).toHaveLength(2)
    expect(auditLogs[0]).toMatchObject({ workspace: { slug: tenant.workspace.slug } })
  })
})

describe('who looks after an integration', () => {
  const subjects = async (tenant: Tenant, email: string) => (await tenant.world.mails(email)).map(({ subject }) => subject)
  const fail = async (tenant: Tenant, at: { orgSlug: string; workspaceSlug: string; id: string }) => {
    const { status } = await tenant.admin.submitIntegrationCredentials(at, { username: 'someone', password: 'refuse-this-password' })
    expect(status).toBe('error')
  }

  test('is somebody who sees the workspace, and no longer once they do not', async () => {
    const tenant = await suite.tenant()
    const { token: _, ...at } = await integrate(tenant)
    const guest = await guestOf(tenant, tenant.workspace, 'viewer')
    const stranger = await guestOf(tenant, await tenant.world.workspace(tenant.organization), 'admin')
    await expect(tenant.admin.updateIntegration(at, { ownerId: stranger.id })).rejects.toMatchObject({ code: 'validation_failed' })
    await expect(tenant.admin.updateIntegration(at, { ownerId: randomUUID() })).rejects.toMatchObject({ code: 'validation_failed' })
    const owner = async () => (await tenant.admin.getIntegration(at)).owner
    expect((await tenant.admin.updateIntegration(at, { ownerId: guest.id })).owner).toEqual({ userId: guest.id, name: guest.name })
    await tenant.admin.removeWorkspaceMember({ ...tenant.w, userId: guest.id })
    expect(await owner()).toBeNull()
    await tenant.admin.updateIntegration(at, { ownerId: tenant.member.id })
    await tenant.admin.updateOrganizationMember({ ...tenant.o, userId: tenant.member.id }, { role: 'viewer' })
    expect(await owner()).toMatchObject({ userId: tenant.member.id })
    await tenant.admin.removeOrganizationMember({ ...tenant.o, userId: tenant.member.id })
    expect(await owner()).toBeNull()
  })

  test('gets its mails; else the creator, else the workspace’s admins', async () => {
    const tenant = await suite.tenant()
    const { token: _, ...at } = await integrate(tenant)
    await tenant.admin.updateIntegration(at, { ownerId: tenant.viewer.id })
    await fail(tenant, at)
    expect(await subjects(tenant, tenant.viewer.email)).toEqual(['Publisher: Microsoft Monetize (Xandr) needs attention'])

    const orphan = { ...tenant.w, id: (await tenant.member.client.createIntegration(tenant.w, { provider: 'xandr', name: 'Orphan' })).id }
    await tenant.admin.removeOrganizationMember({ ...tenant.o, userId: tenant.member.id })
    await fail(tenant, orphan)
    expect((await subjects(tenant, tenant.organization.admin.email))[0]).toBe('Orphan: Microsoft Monetize (Xandr) needs attention')
  })

  test('in one mail a day, or in none, if they choose so', async () => {
    const tenant = await suite.tenant()
    const { organization, viewer, world } = tenant
    await viewer.client.setMyNotifications({ mode: 'daily' })
    expect((await viewer.client.getMe()).notifications).toEqual({ mode: 'daily' })
    for (const _ of [1, 2]) {
      const { token: _token, ...at } = await integrate(tenant)
      await tenant.admin.updateIntegration(at, { ownerId: viewer.id })
      await fail(tenant, at)
    }
    await mailDigests(world.app.parts)
    await world.query(sql`update notices set at = at - interval '1 day' where organization_id = ${organization.id}`)
    await Promise.all([mailDigests(world.app.parts), mailDigests(world.app.parts)])
    expect(await subjects(tenant, viewer.email)).toEqual(['Agency: 2 integrations stopped working'])
    await viewer.client.setMyNotifications({ mode: 'off' })
    const { token: _, ...at } = await integrate(tenant)
    await tenant.admin.updateIntegration(at, { ownerId: viewer.id })
    await fail(tenant, at)
    await expect.poll(() => world.query(sql`select from jobs where share = ${organization.id} and failed_at is null`)).toEqual([])
    expect(await subjects(tenant, viewer.email)).toHaveLength(1)
  })
})
