// The links of a connect request end when they should: all ways in that a renewal replaces, and that of a request which is complete.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSuite, newCredentials, requested, type Suite, tokenOf } from './suite.ts'
import { refusal, sql } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

const anyone = () => suite.world.client()
type Requested = Awaited<ReturnType<typeof requested>>

/** Everything that a link which was passed on lets its holder do. */
const waysIn: Record<string, (token: string) => Promise<unknown>> = {
  'is shown': (token) => anyone().getConnectLink({ token }),
  'takes credentials': (token) => anyone().submitConnectCredentials({ token }, newCredentials()),
  'begins a consent': (token) => anyone().startConnectOAuth({ token }, {}),
  'asks for a new link': (token) => anyone().askForNewConnectLink({ token }),
}

describe('renewing a request', () => {
  it.each(Object.entries(waysIn))('ends what was passed on from the old link, which then no longer %s', async (_, way) => {
    const tenant = await suite.tenant()
    const { items, at } = await requested(tenant)
    const passed = await Promise.all(items.map(async (item) => tokenOf((await anyone().passOnConnectItem(item)).connectUrl)))
    const renewed = await tenant.admin.renewConnectRequest(at, {})
    expect(renewed.items.map(({ passedOn }) => passedOn)).toEqual([false, false])
    for (const token of passed) expect(await refusal(way(token))).toMatchObject({ status: 404 })
  })

  it('ends a consent that began with such a link', async () => {
    const tenant = await suite.tenant()
    const { items, at } = await requested(tenant)
    const token = tokenOf((await anyone().passOnConnectItem(items[1]!)).connectUrl)
    const { authorizationUrl } = await anyone().startConnectOAuth({ token }, {})
    const there = await fetch(`${authorizationUrl}&decision=allow`, { redirect: 'manual' })
    await tenant.admin.renewConnectRequest(at, {})
    await fetch(there.headers.get('location')!.replace(/^http:\/\/localhost:3000/, suite.world.url), { redirect: 'manual' })
    expect((await tenant.admin.getConnectRequest(at)).items[1]).toMatchObject({ status: 'pending' })
  })

  it('leaves as many items to be passed on as before', async () => {
    const tenant = await suite.tenant()
    const names = ['a', 'b', 'c', 'd', 'e', 'f']
    const made = await tenant.admin.createConnectRequest(tenant.w, {
      title: 'Six',
      items: names.map((name) => ({ provider: 'xandr' as const, name })),
    })
    const passOn = (token: string, at: number) => anyone().passOnConnectItem({ token, itemId: made.items[at]!.id })
    for (let at = 0; at < 5; at++) await passOn(tokenOf(made.connectUrl!), at)
    const renewed = await tenant.admin.renewConnectRequest({ ...tenant.w, requestId: made.id }, {})
    for (let at = 0; at < 5; at++) await passOn(tokenOf(renewed.connectUrl!), at)
    expect(await refusal(passOn(tokenOf(renewed.connectUrl!), 5))).toMatchObject({ code: 'quota_reached' })
  })
})

describe('the link of a complete request', () => {
  const completed = async (): Promise<Requested & { tenant: Awaited<ReturnType<Suite['tenant']>> }> => {
    const tenant = await suite.tenant()
    const made = await requested(tenant, { clientEmail: 'finance@client.example' })
    await tenant.admin.updateConnectRequest(made.at, { message: 'Two minutes each.', clientName: 'Grace Hopper' })
    await anyone().declineConnectItem(made.items[1]!)
    await anyone().submitConnectItemCredentials(made.items[0]!, newCredentials())
    return { ...made, tenant }
  }

  it('shows that all is done, and nothing of whose accounts or in which words', async () => {
    const { token, tenant } = await completed()
    const shown = await anyone().getPublicConnectRequest({ token })
    expect(shown).toMatchObject({
      state: 'complete',
      organization: { name: tenant.organization.name },
      requester: null,
      request: {
        title: 'Your ad accounts',
        message: null,
        clientName: null,
        returnUrl: null,
        items: [
          { name: 'Publisher', status: 'connected', account: null, expectedAccount: null, accessUntil: null },
          { name: 'Search', status: 'declined', account: null },
        ],
      },
    })
    expect(JSON.stringify(shown)).not.toMatch(/Grace Hopper|Two minutes|Example Member/)
  })

  it('ends on its day, as if it had never been', async () => {
    const { token, at, tenant } = await completed()
    await suite.world.query(sql`update connect_requests set expires_at = now() - interval '1 minute' where id = ${at.requestId}`)
    expect(await refusal(anyone().getPublicConnectRequest({ token }))).toMatchObject({ status: 404 })
    expect(await refusal(anyone().askForNewRequestLink({ token }))).toMatchObject({ status: 404 })
    expect(await tenant.admin.getConnectRequest(at)).toMatchObject({ status: 'complete', connectUrl: null })
  })

  it('is ended by canceling, once; the request stays complete', async () => {
    const { token, at, tenant } = await completed()
    await tenant.admin.cancelConnectRequest(at)
    expect(await refusal(anyone().getPublicConnectRequest({ token }))).toMatchObject({ status: 404 })
    expect(await tenant.admin.getConnectRequest(at)).toMatchObject({ status: 'complete', connectUrl: null, canceledAt: null })
    expect(await refusal(tenant.admin.cancelConnectRequest(at))).toMatchObject({ status: 409, code: 'request_closed' })
    const { auditLogs } = await tenant.admin.listAuditLogs({ ...tenant.o, action: 'connect_request.*' })
    expect(auditLogs[0]).toMatchObject({ action: 'connect_request.link_ended', target: { id: at.requestId } })
  })
})

describe('who asks', () => {
  it('is named while they can see the workspace, and not after they were removed', async () => {
    const tenant = await suite.tenant()
    const items = [{ provider: 'xandr' as const, name: 'Publisher' }]
    const { connectUrl } = await tenant.member.client.createConnectRequest(tenant.w, { title: 'Accounts', items })
    const single = await tenant.member.client.createIntegration(tenant.w, { provider: 'xandr', name: 'Alone' })
    const named = async () => [
      (await anyone().getPublicConnectRequest({ token: tokenOf(connectUrl!) })).requester,
      (await anyone().getConnectLink({ token: tokenOf(single.connectUrl) })).requester,
    ]
    expect(await named()).toEqual([{ name: tenant.member.name }, { name: tenant.member.name }])
    await tenant.admin.removeOrganizationMember({ ...tenant.o, userId: tenant.member.id })
    expect(await named()).toEqual([null, null])
  })
})
