// The feed of events: what a reader that follows `next` gets, and who gets what.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, Output } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSuite, integrate, newCredentials, type Suite, type Tenant } from './suite.ts'
import { refusal, sql } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

type Page = Output<'listEvents'>
const typesOf = ({ events }: Pick<Page, 'events'>) => events.map(({ type }) => type)
const rename = (tenant: Tenant, name: string) => tenant.admin.updateWorkspace(tenant.w, { name })
/** Everything from a place on, page by page. */
async function follow(client: Pick<Client, 'listEvents'>, o: { orgSlug: string }, after = 'start', limit = 2) {
  const all: Page['events'] = []
  for (let from = after; ; ) {
    const page = await client.listEvents({ ...o, after: from, limit })
    all.push(...page.events)
    if (page.next === page.head) return all
    from = page.next
  }
}

describe('the feed', () => {
  it('tells of every entry once, oldest first, with the integration as it was at that moment', async () => {
    const tenant = await suite.tenant()
    const { token: _, ...at } = await integrate(tenant)
    await tenant.admin.submitIntegrationCredentials(at, newCredentials())
    await tenant.admin.updateIntegration(at, { name: 'Renamed' })
    const events = await follow(tenant.admin, tenant.o)
    expect(typesOf({ events })).toEqual(['integration.created', 'integration.connected', 'integration.updated'])
    expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    const { organization, workspace } = tenant
    expect(events[0]).toMatchObject({
      organization: { slug: organization.slug },
      workspace: { id: workspace.id, slug: workspace.slug, name: workspace.name },
      actor: { type: 'user', name: 'Ada' },
      data: {
        integration: {
          id: at.id,
          name: 'Publisher',
          provider: 'xandr',
          status: 'pending',
          statusReason: null,
          mustAct: 'client',
          connectedAccount: null,
        },
      },
    })
    expect(events[1]!.data).toMatchObject({
      integration: { name: 'Publisher', status: 'active', mustAct: null, connectedAccount: expect.any(String) },
      changes: [{ field: 'status', from: 'pending', to: 'active' }],
    })
    expect(events[2]!.data.integration).toMatchObject({ name: 'Renamed', status: 'active' })
    expect(JSON.stringify(events)).not.toContain('/connect/')
  })

  it('begins now, at the beginning, or at a time', async () => {
    const tenant = await suite.tenant()
    await rename(tenant, 'One')
    const now = await tenant.admin.listEvents(tenant.o)
    expect(now).toMatchObject({ events: [], next: now.head })
    await sleep(5)
    const { now: time } = (await suite.world.query<{ now: Date }>(sql`select clock_timestamp() as now`))[0]!
    await rename(tenant, 'Two')
    const twos = [{ data: { changes: [{ to: 'Two' }] } }]
    expect((await tenant.admin.listEvents({ ...tenant.o, after: now.next })).events).toMatchObject(twos)
    expect((await tenant.admin.listEvents({ ...tenant.o, after: time.toISOString() })).events).toMatchObject(twos)
    expect((await tenant.admin.listEvents({ ...tenant.o, after: '2999-01-01T00:00:00Z' })).events).toEqual([])
    expect((await tenant.admin.listEvents({ ...tenant.o, after: 'start' })).events).toHaveLength(2)
  })

  it('gives the asked types, and passes the others over', async () => {
    const tenant = await suite.tenant()
    await rename(tenant, 'One')
    await integrate(tenant)
    await rename(tenant, 'Two')
    const ask = (types: string) => tenant.admin.listEvents({ ...tenant.o, after: 'start', types })
    expect(typesOf(await ask('integration.*'))).toEqual(['integration.created'])
    expect(typesOf(await ask('workspace.updated,integration.created'))).toEqual([
      'workspace.updated',
      'integration.created',
      'workspace.updated',
    ])
    const none = await ask('api_key.*')
    expect(none).toMatchObject({ events: [], next: none.head })
    expect(await refusal(ask('nonsense.*'))).toMatchObject({ status: 400, problem: { errors: [{ path: 'types' }] } })
  })

  it('takes only its own cursors', async () => {
    const [mine, other] = [await suite.tenant(), await suite.tenant()]
    await rename(mine, 'One')
    const { next } = await mine.admin.listEvents({ ...mine.o, after: 'start' })
    const tries: [Client, object][] = [
      [other.admin, other.o],
      [mine.admin, { ...mine.o, after: next.replace(/^./, (first) => (first === '1' ? '2' : '1')) }],
      [mine.admin, { ...mine.o, after: 'nonsense' }],
      [mine.admin, { ...mine.o, after: '2026-13-45T00:00:00Z' }],
    ]
    for (const [client, params] of tries)
      expect(await refusal(client.listEvents({ after: next, ...params } as never))).toMatchObject({ status: 400, code: 'invalid_cursor' })
    expect(await refusal(mine.admin.listWorkspaceEvents({ ...mine.w, after: next }))).toMatchObject({ code: 'invalid_cursor' })
  })

  it('shows entries that older versions wrote with their changes alone', async () => {
    const { admin, o, organization, workspace } = await suite.tenant()
    const changes = [{ field: 'status', from: 'active', to: 'error' }]
    const content = {
      id: '7b0c6f5e-8f43-4f0c-9d7e-0a4b8a1f6c11',
      action: 'integration.status_changed',
      outcome: 'success',
      actor: { type: 'system', id: null, email: null, name: 'Adjoin', keyPrefix: null },
      target: { type: 'integration', id: '7b0c6f5e-8f43-4f0c-9d7e-0a4b8a1f6c12', name: 'Search' },
      workspace: { slug: workspace.slug, name: workspace.name },
      changes,
      context: { via: 'job', ip: null, userAgent: null, requestId: null },
      metadata: {},
    }
    await suite.world.query(sql`select append_audit_entry(${organization.id}, ${JSON.stringify(content)}, null, false)`)
    const { events } = await admin.listEvents({ ...o, after: 'start' })
    expect(events).toMatchObject([{ type: 'integration.status_changed', workspace: { id: null, slug: workspace.slug } }])
    expect(events[0]!.data).toEqual({ changes })
  })
})

describe('who sees what', () => {
  it('admins everything; others integrations and workspaces, where they can see them', async () => {
    const tenant = await suite.tenant()
    const { world } = suite
    const { admin, organization, o, w, workspace, viewer } = tenant
    const guest = await world.join(organization, 'guest')
    await world.assign(organization, workspace, guest, 'viewer')
    const hidden = await world.workspace(organization)
    await integrate(tenant)
    await admin.createIntegration({ ...o, workspaceSlug: hidden.slug }, { provider: 'xandr', name: 'Hidden' })
    await admin.createApiKey(o, { name: 'Reports', level: 'organization', role: 'viewer' })
    const key = async (options: Parameters<typeof world.key>[1]) => (await world.key(organization, options)).client
    const seen = async (client: Client) => typesOf(await client.listEvents({ ...o, after: 'start' }))
    const everything = ['integration.created', 'integration.created', 'api_key.created']
    expect(await seen(admin)).toEqual(everything)
    expect(await seen(await key({ level: 'organization', role: 'admin' }))).toEqual(everything)
    expect(await seen(await key({ level: 'user' }))).toEqual(everything)
    expect(await seen(viewer.client)).toEqual(everything.slice(0, 2))
    expect(await seen(await key({ level: 'organization', role: 'member' }))).toEqual(everything.slice(0, 2))
    expect(await seen(guest.client)).toEqual(everything.slice(0, 1))
    expect(await seen(await key({ level: 'user', creator: guest }))).toEqual(everything.slice(0, 1))
    const ofWorkspace = await key({ level: 'workspace', role: 'viewer', workspace })
    expect(typesOf(await ofWorkspace.listWorkspaceEvents({ ...w, after: 'start' }))).toEqual(['integration.created'])
    expect(await refusal(ofWorkspace.listEvents(o))).toMatchObject({ status: 401 })
    expect(await refusal(guest.client.listWorkspaceEvents({ ...o, workspaceSlug: hidden.slug }))).toMatchObject({ status: 404 })
  })

  it('a workspace that takes over a slug does not take over its past', async () => {
    const { admin, o, viewer, organization } = await suite.tenant()
    const at = { ...o, workspaceSlug: 'reborn' }
    await admin.createWorkspace(o, { name: 'First', slug: 'reborn' })
    await admin.createIntegration(at, { provider: 'xandr', name: 'Of the first' })
    await admin.deleteWorkspace(at)
    const { id } = await admin.createWorkspace(o, { name: 'Second', slug: 'reborn' })
    await admin.createIntegration(at, { provider: 'xandr', name: 'Of the second' })
    const expected = ['workspace.created', 'integration.created']
    const { events } = await viewer.client.listEvents({ ...o, after: 'start' })
    expect(typesOf({ events })).toEqual(expected)
    expect(events.every(({ workspace }) => workspace!.id === id)).toBe(true)
    expect(typesOf(await admin.listWorkspaceEvents({ ...at, after: 'start' }))).toEqual(expected)
    expect(await follow(admin, o)).toHaveLength(5)
    // The same for entries that do not say which workspace they are about.
    await suite.world.query(sql`alter table audit_entries disable trigger user`)
    await suite.world.query(
      sql`update audit_entries set content = replace(content, '"workspaceId"', '"formerly"') where organization_id = ${organization.id}`,
    )
    await suite.world.query(sql`alter table audit_entries enable trigger user`)
    expect(typesOf(await viewer.client.listEvents({ ...o, after: 'start' }))).toEqual(expected)
  })
})
