import { settingsFor } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { consent as consentAtTwin } from '../../furnishing/front-door.ts'
import { accountsListed, choosing, createSuite, PUBLIC, type Suite, type Tenant, tokenOf } from './suite.ts'
import { newAddress, refusal, request, sql } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

const anyone = () => suite.world.client({ 'x-forwarded-for': newAddress() })
const OWN = '1234567890'
const BELOW = '3456789012'
const MANAGER = '9876543210'
const get = (tenant: Tenant, id: string) => tenant.admin.getIntegration({ ...tenant.w, id })
const entries = async (tenant: Tenant, id: string) =>
  (await tenant.admin.listAuditLogs({ ...tenant.o, limit: 50 })).auditLogs.filter(({ target }) => target.id === id)

/** As a page does it: until the ad system has been asked. */
const listed = (result: string, search?: string) =>
  expect
    .poll(() => anyone().listConnectAccounts({ result, ...(search !== undefined && { search }) }))
    .toMatchObject({ listing: false })
    .then(() => anyone().listConnectAccounts({ result, ...(search !== undefined && { search }) }))

describe('a client who has consented', () => {
  it('chooses the account, which is verified, and the connection works', async () => {
    const tenant = await suite.tenant()
    const { id, result } = await choosing(tenant)
    expect(await get(tenant, id)).toMatchObject({ status: 'error', statusReason: 'setting_missing', settings: {} })
    expect(await anyone().getConnectResult({ result })).toMatchObject({ outcome: 'connected', choosesAccount: true })
    const { accounts } = await listed(result)
    expect(accounts).toContainEqual({ id: OWN, name: 'Example Advertiser' })
    expect(await anyone().chooseConnectAccount({ result }, { accountId: OWN })).toEqual({
      connectedAccount: `Example Advertiser (${OWN})`,
      detail: null,
      reason: null,
      mustAct: null,
    })
    expect(await get(tenant, id)).toMatchObject({ status: 'active', settings: { customerId: OWN, loginCustomerId: MANAGER } })
    const after = await anyone().getConnectResult({ result })
    expect(after).toMatchObject({ choosesAccount: false, connectedAccount: `Example Advertiser (${OWN})` })
    expect(await anyone().getReceipt({ token: tokenOf(after.receiptUrl!) })).toMatchObject({ account: `Example Advertiser (${OWN})` })
    expect((await entries(tenant, id))[0]).toMatchObject({
      action: 'integration.updated',
      actor: { type: 'client' },
      changes: [
        { field: 'settings', from: {}, to: { customerId: OWN, loginCustomerId: MANAGER } },
        { field: 'status', from: 'error', to: 'active' },
      ],
      metadata: { account: OWN },
    })
  })

  it('does not have to know the manager above the account', async () => {
    const tenant = await suite.tenant()
    const { id, result } = await choosing(tenant)
    await anyone().chooseConnectAccount({ result }, { accountId: BELOW })
    expect(await get(tenant, id)).toMatchObject({ settings: { customerId: BELOW, loginCustomerId: MANAGER } })
  })

  it('finds one of many by its name or its number, however that is written', async () => {
    const tenant = await suite.tenant()
    const { id, result } = await choosing(tenant)
    await accountsListed(tenant, { id })
    await suite.world.query(sql`insert into integration_accounts (organization_id, integration_id, kind, id, name)
      select ${tenant.organization.id}, ${id}, 'account', (7000000000 + n)::text, 'Store ' || n from generate_series(1, 60) n`)
    const all = await listed(result)
    expect([all.accounts.length, all.more]).toEqual([50, true])
    expect((await listed(result, 'store 42')).accounts).toEqual([{ id: '7000000042', name: 'Store 42' }])
    expect((await listed(result, '700-000-0043')).accounts).toEqual([{ id: '7000000043', name: 'Store 43' }])
    expect(await listed(result, '%')).toMatchObject({ accounts: [], more: false })
  })

  it('keeps choosing while an account does not work: nothing is stored, and the attempt is recorded', async () => {
    const tenant = await suite.tenant()
    const { id, result } = await choosing(tenant)
    await accountsListed(tenant, { id })
    await suite.world.query(sql`insert into integration_accounts (organization_id, integration_id, kind, id, name)
      values (${tenant.organization.id}, ${id}, 'account', '5550001111', 'Closed')`)
    const answer = await anyone().chooseConnectAccount({ result }, { accountId: '5550001111' })
    expect(answer).toMatchObject({ connectedAccount: null, reason: expect.any(String), mustAct: expect.any(String) })
    expect(await get(tenant, id)).toMatchObject({ status: 'error', statusReason: 'setting_missing', settings: {} })
    expect((await entries(tenant, id))[0]).toMatchObject({
      action: 'integration.connect_failed',
      outcome: 'failure',
      actor: { type: 'client' },
      metadata: { account: '5550001111', reason: answer.reason },
    })
    expect(await anyone().chooseConnectAccount({ result }, { accountId: OWN })).toMatchObject({ reason: null })
  })

  it('chooses once: the same again has the same answer and no entry, another is refused', async () => {
    const tenant = await suite.tenant()
    const { id, result } = await choosing(tenant)
    await listed(result)
    const first = await anyone().chooseConnectAccount({ result }, { accountId: OWN })
    const before = await entries(tenant, id)
    expect(await anyone().chooseConnectAccount({ result }, { accountId: OWN })).toEqual(first)
    expect((await refusal(anyone().chooseConnectAccount({ result }, { accountId: BELOW }))).code).toBe('account_chosen')
    expect((await refusal(anyone().listConnectAccounts({ result }))).code).toBe('account_chosen')
    expect(await entries(tenant, id)).toHaveLength(before.length)
  })

  it('of many choices at once one counts', async () => {
    const tenant = await suite.tenant()
    const { id, result } = await choosing(tenant)
    await Promise.allSettled(
      Array.from({ length: 8 }, (_, n) => anyone().chooseConnectAccount({ result }, { accountId: n % 2 ? OWN : BELOW })),
    )
    expect((await entries(tenant, id)).filter(({ action }) => action === 'integration.updated')).toHaveLength(1)
    expect(await get(tenant, id)).toMatchObject({ status: 'active' })
  })

  it('takes only what was listed, and the expected account alone where it is among that', async () => {
    const tenant = await suite.tenant()
    const { id, result } = await choosing(tenant)
    for (const accountId of [MANAGER, '1', 'x'])
      expect((await refusal(anyone().chooseConnectAccount({ result }, { accountId }))).code).toBe('validation_failed')
    await suite.world.query(sql`update integrations set expected_account = '123-456-7890' where id = ${id}`)
    expect((await listed(result)).accounts.map((account) => account.id)).toEqual([OWN])
    expect((await refusal(anyone().chooseConnectAccount({ result }, { accountId: BELOW }))).code).toBe('validation_failed')
  })

  it('is on our page for it before the agency’s, which comes afterwards', async () => {
    const tenant = await suite.tenant()
    const returnUrl = 'https://agency.example/done'
    const { id, connectUrl } = await tenant.admin.createIntegration(tenant.w, { provider: 'google_ads', name: 'Search', returnUrl })
    const back = (await consentAtTwin(suite.world.url, connectUrl, 'allow')).replace(PUBLIC, suite.world.url)
    const { headers } = await request(back)
    const [, result] = /\/connect\/result#(.+)$/.exec(headers.get('location')!)!
    expect(await anyone().getConnectResult({ result: result! })).toMatchObject({
      choosesAccount: true,
      returnUrl: `${returnUrl}?status=connected&integrationId=${id}`,
    })
  })

  it('chooses for an item of a request as well', async () => {
    const tenant = await suite.tenant()
    const made = await tenant.admin.createConnectRequest(tenant.w, {
      title: 'More',
      items: [{ provider: 'google_ads' }, { provider: 'xandr' }],
    })
    const itemId = made.items[0]!.id
    const { authorizationUrl } = await anyone().startConnectItemOAuth({ token: tokenOf(made.connectUrl!), itemId }, {})
    const there = await fetch(`${authorizationUrl}&decision=allow`, { redirect: 'manual' })
    const { headers } = await request(there.headers.get('location')!.replace(PUBLIC, suite.world.url))
    const [, result] = /#result=(.+)$/.exec(headers.get('location')!)!
    await listed(result!)
    expect(await anyone().chooseConnectAccount({ result: result! }, { accountId: OWN })).toMatchObject({ reason: null })
    const { request: shown } = await anyone().getPublicConnectRequest({ token: tokenOf(made.connectUrl!) })
    expect(shown!.items[0]).toMatchObject({ status: 'connected', account: `Example Advertiser (${OWN})` })
  })
})

describe('nobody else', () => {
  it('sees accounts: not with a made-up result, one of a failure, or one that a newer connection replaced', async () => {
    const tenant = await suite.tenant()
    const { id, result } = await choosing(tenant)
    const tries = async (of: string) => [
      (await refusal(anyone().listConnectAccounts({ result: of }))).status,
      (await refusal(anyone().chooseConnectAccount({ result: of }, { accountId: OWN }))).status,
    ]
    expect(await tries(`${result.slice(0, -2)}AA`)).toEqual([404, 404])
    await suite.world.query(sql`update integrations set connected_at = connected_at + interval '1 second' where id = ${id}`)
    expect(await tries(result)).toEqual([404, 404])
  })

  it('is written to that a setting is missing while the client may be choosing', async () => {
    const tenant = await suite.tenant()
    const { result } = await choosing(tenant)
    await listed(result)
    await anyone().chooseConnectAccount({ result }, { accountId: OWN })
    const subjects = async () => (await suite.world.mails(tenant.organization.admin.email)).map(({ subject }) => subject)
    await expect.poll(subjects).toContain('Search: Google Ads is connected')
    await suite.world.query(sql`update jobs set run_at = now() where share = ${tenant.organization.id}`)
    await expect
      .poll(() => suite.world.query(sql`select from jobs where share = ${tenant.organization.id} and failed_at is null`))
      .toHaveLength(0)
    expect((await subjects()).filter((subject) => subject.startsWith('Search:'))).toEqual(['Search: Google Ads is connected'])
  })
})

it('an account’s settings are found among its parents', () => {
  const accounts = [
    { id: '1', kind: 'customer', parentId: null },
    { id: '2', kind: 'account', parentId: '1' },
  ]
  const [first, others] = [{ setting: 'accountId', kind: 'account' }, [{ setting: 'customerId', kind: 'customer' }]]
  expect(settingsFor(accounts, accounts[1]!, first, others)).toEqual({ accountId: '2', customerId: '1' })
})
