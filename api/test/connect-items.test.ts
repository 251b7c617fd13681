// The client's side of a connect request: the list, each item, what is passed on, and the way back.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSuite, newCredentials, PUBLIC, requested, type Suite, type Tenant, tokenOf } from './suite.ts'
import { newAddress, refusal, request, sql } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

const anyone = () => suite.world.client()
const REFUSED = { username: 'disabled-user', password: 'Correct-Horse-1' }
const statuses = async (token: string) => (await anyone().getPublicConnectRequest({ token })).request!.items.map(({ status }) => status)

/** To the consent screen of the twin and back: where the browser is sent. */
async function consentTo(item: { token: string; itemId: string }, decision = 'allow'): Promise<string> {
  const { authorizationUrl } = await anyone().startConnectItemOAuth(item, {})
  const there = await fetch(`${authorizationUrl}&decision=${decision}`, { redirect: 'manual' })
  const back = await fetch(there.headers.get('location')!.replace(PUBLIC, suite.world.url), { redirect: 'manual' })
  return back.headers.get('location')!
}

describe('the list', () => {
  it('says who asks and for what, as often as it is read', async () => {
    const tenant = await suite.tenant()
    const { token, at } = await requested(tenant)
    await tenant.admin.updateConnectRequest(at, {
      message: 'Two minutes each.\nThank you.',
      language: 'fr',
      returnUrl: 'https://agency.example/in',
    })
    const before = await suite.world.query(sql`select to_jsonb(r) from connect_requests r where id = ${at.requestId}`)
    for (let round = 0; round < 3; round++)
      expect(await anyone().getPublicConnectRequest({ token })).toMatchObject({
        state: 'ready',
        organization: { name: tenant.organization.name },
        requester: { name: tenant.organization.admin.name },
        language: 'fr',
        request: {
          title: 'Your ad accounts',
          message: 'Two minutes each.\nThank you.',
          returnUrl: null,
          items: [
            {
              name: 'Publisher',
              provider: { provider: 'xandr', authMethod: 'credentials' },
              status: 'pending',
              callPolicy: { mode: 'read' },
            },
            { name: 'Search', provider: { authMethod: 'oauth', scopes: expect.any(Array) }, optional: true, accessUntil: null },
          ],
        },
      })
    expect(await suite.world.query(sql`select to_jsonb(r) from connect_requests r where id = ${at.requestId}`)).toEqual(before)
  })

  it('is finished step by step: a failure, a form, a consent, and back to the agency', async () => {
    const tenant = await suite.tenant()
    const { token, items, at, made } = await requested(tenant)
    await tenant.admin.updateConnectRequest(at, { returnUrl: 'https://agency.example/in?x=1' })
    const failed = await anyone().submitConnectItemCredentials(items[0]!, REFUSED)
    expect(failed).toMatchObject({ status: 'error', receiptUrl: null, returnUrl: null })
    const [first] = (await anyone().getPublicConnectRequest({ token })).request!.items
    expect(first).toMatchObject({ status: 'failed', reason: failed.reason, mustAct: 'client', detail: expect.any(String), account: null })
    expect(await tenant.admin.getConnectRequest(at)).toMatchObject({ status: 'open', startedAt: expect.any(String) })

    const done = await anyone().submitConnectItemCredentials(items[0]!, newCredentials())
    expect(done).toMatchObject({ status: 'active', receiptUrl: expect.stringMatching(/\/connect\/receipt\/[\w-]{43}$/) })
    expect(await statuses(token)).toEqual(['connected', 'pending'])
    expect(await refusal(anyone().submitConnectItemCredentials(items[0]!, newCredentials()))).toMatchObject({
      status: 409,
      code: 'item_closed',
    })

    const location = await consentTo(items[1]!)
    expect(location).toMatch(new RegExp(`^${made.connectUrl!}#result=`))
    const result = await anyone().getConnectResult({ result: location.split('#result=')[1]! })
    expect(result).toMatchObject({ outcome: 'connected', receiptUrl: expect.stringContaining('/connect/receipt/'), others: [] })
    expect(await anyone().getPublicConnectRequest({ token })).toMatchObject({
      state: 'complete',
      request: {
        returnUrl: null,
        items: [{ status: 'connected', connectedAt: expect.any(String) }, { status: 'connected' }],
      },
    })
    expect(await anyone().takeConnectReturn({ result: location.split('#result=')[1]! })).toEqual({
      returnUrl: `https://agency.example/in?x=1&status=connected&requestId=${at.requestId}`,
    })
  })

  it('comes back with a consent that was declined, to be tried again', async () => {
    const tenant = await suite.tenant()
    const { token, items, made } = await requested(tenant)
    const location = await consentTo(items[1]!, 'deny')
    expect(location).toMatch(new RegExp(`^${made.connectUrl!}#result=`))
    expect((await anyone().getPublicConnectRequest({ token })).request!.items[1]).toMatchObject({
      status: 'failed',
      reason: 'consent_denied',
    })
    expect(await consentTo(items[1]!)).toContain('#result=')
    expect(await statuses(token)).toEqual(['pending', 'connected'])
  })

  it('is closed while the organization is frozen', async () => {
    const tenant = await suite.tenant()
    const { token } = await requested(tenant)
    await tenant.admin.freezeOrganization(tenant.o, { reason: 'A key leaked' })
    expect(await refusal(anyone().getPublicConnectRequest({ token }))).toMatchObject({ status: 404 })
  })
})

describe('an item', () => {
  it('that is optional can be declined, and connected after all', async () => {
    const tenant = await suite.tenant()
    const { token, items, at } = await requested(tenant)
    expect(await refusal(anyone().declineConnectItem(items[0]!))).toMatchObject({ status: 409, code: 'item_required' })
    expect(await anyone().declineConnectItem(items[1]!)).toMatchObject({ status: 'declined' })
    expect(await tenant.admin.getConnectRequest(at)).toMatchObject({ status: 'partial' })
    await consentTo(items[1]!)
    expect(await statuses(token)).toEqual(['pending', 'connected'])
  })

  it('that is passed on shows nothing of the others, and ends with the item', async () => {
    const tenant = await suite.tenant()
    const { token, items, at } = await requested(tenant)
    await tenant.admin.updateConnectRequest(at, { language: 'ja', clientName: 'Grace Hopper' })
    const { connectUrl } = await anyone().passOnConnectItem(items[0]!)
    expect(await anyone().passOnConnectItem(items[0]!)).toMatchObject({ connectUrl })
    const passed = await anyone().getConnectLink({ token: tokenOf(connectUrl) })
    expect(passed).toMatchObject({ state: 'ready', name: 'Publisher', language: 'ja' })
    for (const other of ['Search', 'google_ads', 'Your ad accounts', 'Grace Hopper', token])
      expect(JSON.stringify(passed)).not.toContain(other)
    expect((await anyone().getPublicConnectRequest({ token })).request!.items[0]).toMatchObject({ status: 'pending', passedOn: true })
    expect(await anyone().submitConnectCredentials({ token: tokenOf(connectUrl) }, newCredentials())).toMatchObject({ status: 'active' })
    expect(await refusal(anyone().getConnectLink({ token: tokenOf(connectUrl) }))).toMatchObject({ status: 404 })
    expect(await statuses(token)).toEqual(['connected', 'pending'])
  })

  it('passed on and declined by the sender has no link any more', async () => {
    const { items } = await requested(await suite.tenant())
    const { connectUrl } = await anyone().passOnConnectItem(items[1]!)
    await anyone().declineConnectItem(items[1]!)
    expect(await refusal(anyone().getConnectLink({ token: tokenOf(connectUrl) }))).toMatchObject({ status: 404 })
    expect(await refusal(anyone().passOnConnectItem(items[1]!))).toMatchObject({ code: 'item_closed' })
  })

  it('is connected by whichever way comes first; all others end', async () => {
    const tenant = await suite.tenant()
    const { token, items, made } = await requested(tenant)
    const { connectUrl: passed } = await anyone().passOnConnectItem(items[0]!)
    const at = { ...tenant.w, id: made.items[0]!.integrationId }
    const { connectUrl: single } = await tenant.admin.issueConnectLink(at, {})
    await tenant.admin.submitIntegrationCredentials(at, newCredentials())
    for (const url of [passed, single])
      expect(await refusal(anyone().getConnectLink({ token: tokenOf(url) }))).toMatchObject({ status: 404 })
    expect(await refusal(anyone().submitConnectItemCredentials(items[0]!, newCredentials()))).toMatchObject({ code: 'item_closed' })
    expect(await statuses(token)).toEqual(['connected', 'pending'])
  })

  it('finished a hundred times at once has one winner', async () => {
    const tenant = await suite.tenant()
    const { items } = await requested(tenant)
    const { connectUrl } = await anyone().passOnConnectItem(items[0]!)
    const ways = [
      `/v1/connect/requests/${items[0]!.token}/items/${items[0]!.itemId}/credentials`,
      `/v1/connect/${tokenOf(connectUrl)}/credentials`,
    ]
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        request(`${suite.world.url}${ways[at % 2]}`, {
          method: 'POST',
          address: newAddress(),
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(newCredentials()),
        }),
      ),
    )
    const won = answers.filter(({ status, text }) => status === 200 && JSON.parse(text).status === 'active')
    expect(won).toHaveLength(1)
    expect(await connections(tenant)).toBe(1)
    expect(await suite.world.query(sql`select from receipts where organization_id = ${tenant.organization.id}`)).toHaveLength(1)
  })
})

const connections = async ({ organization }: Tenant) =>
  (await suite.world.query(sql`select from audit_entries where organization_id = ${organization.id} and action = 'integration.connected'`))
    .length

describe('an expired link', () => {
  it('is a doorway: it names who asked, and tells them that a new one is wanted, once a day', async () => {
    // Limits as they are, for these.
    const exact = await createSuite({ limitsFactor: 1 })
    const tenant = await exact.tenant()
    const { token, at, items } = await requested(tenant)
    const client = exact.world.client()
    const { connectUrl } = await client.passOnConnectItem(items[0]!)
    expect(await refusal(client.askForNewRequestLink({ token }))).toMatchObject({ status: 409, code: 'link_live' })
    await exact.world.query(sql`update connect_requests set expires_at = now() - interval '1 minute' where id = ${at.requestId}`)
    expect(await client.getPublicConnectRequest({ token })).toEqual({
      state: 'expired',
      organization: { name: tenant.organization.name },
      requester: { name: tenant.organization.admin.name },
      language: null,
      request: null,
    })
    await client.askForNewRequestLink({ token })
    expect(await refusal(client.askForNewRequestLink({ token }))).toMatchObject({ status: 429 })
    await client.askForNewConnectLink({ token: tokenOf(connectUrl) })
    await expect.poll(async () => (await exact.world.mails(tenant.organization.admin.email)).length).toBe(2)
    const { events } = await tenant.admin.listEvents({ ...tenant.o, after: 'start', types: 'connect_link.asked_for' })
    expect(events).toMatchObject([{ data: { target: { id: at.requestId } } }, { data: { integration: { name: 'Publisher' } } }])
    await exact.stop()
  })
})
