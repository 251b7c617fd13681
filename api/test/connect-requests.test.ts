// One link for several integrations, from the agency's side: who sees what, and what becomes of it.
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connected, createSuite, integrate, newCredentials, newcomer, requested, type Suite, type Tenant, tokenOf } from './suite.ts'
import { refusal, sql } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

const expire = ({ organization }: Tenant, requestId: string) =>
  suite.world.query(sql`with r as (update connect_requests set expires_at = now() - interval '1 minute'
      where organization_id = ${organization.id} and id = ${requestId} returning organization_id, id)
    update integrations i set requested_until = now() - interval '1 minute' from connect_items t, r
    where t.organization_id = r.organization_id and t.request_id = r.id and i.organization_id = t.organization_id and i.id = t.integration_id`)

describe('a connect request', () => {
  it('creates its integrations without links of their own, which wait for the client', async () => {
    const tenant = await suite.tenant()
    const { made, at } = await requested(tenant, { clientEmail: 'finance@client.example' })
    expect(made).toMatchObject({
      status: 'open',
      connectUrl: expect.stringMatching(/\/connect\/r\/[\w-]{43}$/),
      clientEmail: 'finance@client.example',
      sentAt: null,
      items: [
        { name: 'Publisher', provider: 'xandr', optional: false, status: 'pending', accessUntil: null },
        { name: 'Search', provider: 'google_ads', optional: true, status: 'pending' },
      ],
    })
    const { integrations } = await tenant.admin.listIntegrations(tenant.w)
    expect(integrations).toMatchObject([
      { id: made.items[0]!.integrationId, status: 'pending', mustAct: 'client', connectLink: null },
      { id: made.items[1]!.integrationId, settings: { customerId: '1234567890' }, connectLink: null },
    ])
    expect(await tenant.admin.listOrganizationIntegrations({ ...tenant.o, mustAct: 'client' })).toMatchObject({
      integrations: [
        { mustAct: 'client', connectRequestId: made.id },
        { mustAct: 'client', connectRequestId: made.id },
      ],
    })
    const here = { ...tenant.w, id: made.items[0]!.integrationId }
    expect(await tenant.viewer.client.getIntegration(here)).toMatchObject({ connectRequestId: made.id })
    expect(await tenant.admin.getConnectRequest(at)).toEqual(made)
    await tenant.admin.cancelConnectRequest(at)
    expect(await tenant.admin.getIntegration(here)).toMatchObject({ connectRequestId: null })
  })

  it('shows its link and the client’s address to members by session alone', async () => {
    const tenant = await suite.tenant()
    const { at } = await requested(tenant, { clientEmail: 'finance@client.example' })
    const key = await suite.world.key(tenant.organization, { level: 'organization', role: 'admin' })
    const hidden = { connectUrl: null, clientEmail: null }
    const shown = { connectUrl: expect.any(String), clientEmail: 'finance@client.example' }
    expect(await tenant.member.client.getConnectRequest(at)).toMatchObject(shown)
    expect(await tenant.viewer.client.getConnectRequest(at)).toMatchObject(hidden)
    expect(await key.client.getConnectRequest(at)).toMatchObject(hidden)
    expect((await key.client.listConnectRequests(tenant.w)).connectRequests).toMatchObject([hidden])
    expect((await tenant.member.client.listConnectRequests({ ...tenant.w, status: 'open' })).connectRequests).toMatchObject([shown])
    expect((await tenant.member.client.listConnectRequests({ ...tenant.w, status: 'partial' })).connectRequests).toEqual([])
  })

  it('asks for an integration that exists, which is part of one open request at a time', async () => {
    const tenant = await suite.tenant()
    const { id: integrationId } = await connected(tenant)
    const body = { title: 'Again', items: [{ integrationId }] }
    const made = await tenant.admin.createConnectRequest(tenant.w, body)
    expect(made.items).toMatchObject([{ integrationId, name: 'Publisher', status: 'pending', connectedAccount: null }])
    expect(await refusal(tenant.admin.createConnectRequest(tenant.w, body))).toMatchObject({ status: 409, code: 'request_open' })
    await tenant.admin.cancelConnectRequest({ ...tenant.w, requestId: made.id })
    const next = await tenant.admin.createConnectRequest(tenant.w, body)
    await expire(tenant, next.id)
    const third = await tenant.admin.createConnectRequest(tenant.w, body)
    expect(await refusal(tenant.admin.renewConnectRequest({ ...tenant.w, requestId: next.id }, {}))).toMatchObject({ code: 'request_open' })
    expect(third.status).toBe('open')
  })

  it.each([
    ['a link in its message', { message: 'See https://evil.example' }, 'message'],
    ['a host in its message', { message: 'Go to evil.example now' }, 'message'],
    ['no item', { items: [] }, 'items'],
    ['an item of neither kind', { items: [{ name: 'x' }] }, 'items.0'],
    ['an item of both kinds', { items: [{ provider: 'xandr' as const, integrationId: randomUUID() }] }, 'items.0'],
    ['an integration of elsewhere', { items: [{ integrationId: randomUUID() }] }, 'items.0.integrationId'],
    ['settings that are none', { items: [{ provider: 'xandr' as const, settings: { nonsense: '1' } }] }, 'items.0.settings.nonsense'],
    ['an end in the past', { items: [{ provider: 'xandr' as const, accessUntil: '2020-01-01' }] }, 'items.0.accessUntil'],
    ['an end too far away', { items: [{ provider: 'xandr' as const, accessUntil: '2199-01-01' }] }, 'items.0.accessUntil'],
  ])('is refused with %s', async (_, wrong, path) => {
    const tenant = await suite.tenant()
    const body = { title: 'Accounts', items: [{ provider: 'xandr' as const }], ...wrong }
    const refused = await refusal(tenant.admin.createConnectRequest(tenant.w, body))
    expect(refused).toMatchObject({ status: 400, problem: { errors: [{ path }] } })
    expect((await tenant.admin.listIntegrations(tenant.w)).integrations).toEqual([])
  })

  it('can be changed until it is over', async () => {
    const tenant = await suite.tenant()
    const { at, items } = await requested(tenant)
    const changed = await tenant.admin.updateConnectRequest(at, { title: 'All of them', language: 'de', clientEmail: 'Ada@Client.example' })
    expect(changed).toMatchObject({ title: 'All of them', language: 'de', clientEmail: 'ada@client.example' })
    const { auditLogs } = await tenant.admin.listAuditLogs({ ...tenant.o, action: 'connect_request.updated' })
    expect(JSON.stringify(auditLogs)).not.toContain('ada@client.example')
    await suite.world.client().declineConnectItem(items[1]!)
    await suite.world.client().submitConnectItemCredentials(items[0]!, newCredentials())
    expect(await tenant.admin.getConnectRequest(at)).toMatchObject({ status: 'complete', completedAt: expect.any(String) })
    for (const act of [() => tenant.admin.updateConnectRequest(at, { title: 'More' }), () => tenant.admin.renewConnectRequest(at, {})])
      expect(await refusal(act())).toMatchObject({ status: 409, code: 'request_closed' })
  })

  it('ends its links when it is canceled, and leaves the integrations', async () => {
    const tenant = await suite.tenant()
    const { at, token, items, made } = await requested(tenant)
    const { connectUrl } = await suite.world.client().passOnConnectItem(items[0]!)
    await tenant.admin.cancelConnectRequest(at)
    expect(await tenant.admin.getConnectRequest(at)).toMatchObject({ status: 'canceled', connectUrl: null })
    expect(await refusal(suite.world.client().getPublicConnectRequest({ token }))).toMatchObject({ status: 404 })
    expect(await refusal(suite.world.client().getConnectLink({ token: tokenOf(connectUrl) }))).toMatchObject({ status: 404 })
    const integration = await tenant.admin.getIntegration({ ...tenant.w, id: made.items[0]!.integrationId })
    expect(integration).toMatchObject({ status: 'pending', mustAct: 'agency' })
  })

  it('is replaced by a renewal, which keeps what is done', async () => {
    const tenant = await suite.tenant()
    const { at, token, items } = await requested(tenant)
    await suite.world.client().submitConnectItemCredentials(items[0]!, newCredentials())
    await expire(tenant, at.requestId)
    expect(await suite.world.client().getPublicConnectRequest({ token })).toMatchObject({ state: 'expired', request: null })
    const renewed = await tenant.admin.renewConnectRequest(at, { expiresInDays: 3 })
    expect(renewed).toMatchObject({ status: 'partial', items: [{ status: 'connected' }, { status: 'pending' }] })
    expect(await refusal(suite.world.client().getPublicConnectRequest({ token }))).toMatchObject({ status: 404 })
    const page = await suite.world.client().getPublicConnectRequest({ token: tokenOf(renewed.connectUrl!) })
    expect(page).toMatchObject({ state: 'ready', request: { items: [{ status: 'connected' }, { status: 'pending' }] } })
  })
})

describe('reminding many at once', () => {
  it('mails each open request that was sent, once', async () => {
    const tenant = await suite.tenant()
    const clientEmail = newcomer()
    const [sent, unsent] = [await requested(tenant, { clientEmail }), await requested(tenant, { clientEmail: newcomer() })]
    await tenant.admin.sendConnectRequest(sent.at)
    const { token: _, ...alone } = await integrate(tenant)
    const ids = [...sent.made.items.map(({ integrationId }) => integrationId), unsent.made.items[0]!.integrationId, alone.id]
    const { results } = await tenant.admin.bulkIntegrations(tenant.o, { action: 'remind', ids })
    expect(results.map(({ outcome, code }) => code ?? outcome)).toEqual(['done', 'done', 'request_missing', 'request_missing'])
    await expect.poll(async () => (await suite.world.mails(clientEmail)).length).toBe(2)
    // Both are sent at once, in any order.
    const subjects = (await suite.world.mails(clientEmail)).map(({ subject }) => subject)
    expect(subjects.filter((subject) => subject.startsWith('Reminder'))).toHaveLength(1)
  })
})
