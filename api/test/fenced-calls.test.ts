/** Calls through an integration that is limited to certain accounts: at the one place where all calls pass. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealCredential } from '../src/features/integrations/credential.ts'
import { fences } from '../src/gateway/fences/index.ts'
import { providers } from '../src/providers/index.ts'
import { credentialOf, type Provider } from '../src/providers/provider.ts'
import { stories } from './provider-stories.ts'
import { createWorld, request, sql, type TestOrganization, type TestWorkspace, type World } from './world.ts'

let world: World
let organization: TestOrganization
let workspace: TestWorkspace
beforeAll(async () => {
  world = await createWorld({ roles: { api: true, jobs: false } }) // checks in the background would be calls as well
  organization = await world.organization()
  workspace = await world.workspace(organization)
})
afterAll(() => world.stop())

const W = () => ({ orgSlug: organization.slug, workspaceSlug: workspace.slug })
const admin = () => organization.admin.client
const OWN = '1234567890'
const MANAGER = '9876543210'

async function connected(id: Provider['id'], settings: Record<string, string> = stories[id].settings): Promise<string> {
  const provider = providers.find((one) => one.id === id)!
  const made = await admin().createIntegration(W(), { provider: id, name: provider.name, settings, callPolicy: { mode: 'full' } })
  const credential = credentialOf(stories[id].fields('plausible'), {
    accessToken: world.twins.mint(id, 'access'),
    accessExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    refreshToken: world.twins.mint(id, 'refresh'),
    scopes: [...provider.scopes],
    obtainedAt: new Date().toISOString(),
  })
  const owner = { organization_id: organization.id, workspace_id: workspace.id, id: made.id }
  await world.query(sql`update integrations set status = 'active', connected_at = now(), credential_version = 1,
    credential = ${sealCredential(world.app.parts, owner, credential)} where organization_id = ${organization.id} and id = ${made.id}`)
  return made.id
}
const limit = (id: string, accounts: string[] | null) => admin().setIntegrationCallPolicy({ ...W(), id }, { mode: 'full', accounts })
const call = async (id: string, path: string, body?: object, headers: Record<string, string> = {}) => {
  const answer = await request(
    `${world.url}/v1/organizations/${organization.slug}/workspaces/${workspace.slug}/integrations/${id}/proxy/${path}`,
    {
      method: body ? 'POST' : 'GET',
      headers: { ...organization.admin.headers, ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    },
  )
  const code = answer.headers.get('adjoin-answer') === 'adjoin' ? (JSON.parse(answer.text) as { code: string }).code : answer.status
  return { code, text: answer.text }
}
const SEARCH = (customer: string) => `v25/customers/${customer}/googleAds:search`
const CAMPAIGNS = { query: 'SELECT campaign.id FROM campaign' }

describe('a call policy', () => {
  it('takes accounts as the ad system writes them, once each', async () => {
    const id = await connected('meta_ads')
    expect((await limit(id, ['act_1234567890', '1234567890'])).callPolicy).toEqual({ mode: 'full', accounts: [OWN] })
    await expect(limit(id, ['1234-567'])).rejects.toMatchObject({ code: 'validation_failed' })
    expect((await limit(id, null)).callPolicy.accounts).toBeNull()
    const { callPolicy } = await admin().createIntegration(W(), {
      provider: 'google_ads',
      name: 'New',
      callPolicy: { mode: 'read', accounts: [OWN] },
    })
    expect(callPolicy).toEqual({ mode: 'read', accounts: [OWN] })
  })

  it.each(providers.map(({ id }) => [id] as const))('of %s says whether it can be limited to accounts, and does so or not', async (id) => {
    const { gateway } = await admin().getProvider({ provider: id })
    const enforced = !['xandr', 'stackadapt', 'adform', 'freewheel'].includes(id)
    expect([gateway?.fence, fences[id] !== null]).toEqual([enforced, enforced])
    if (enforced) return
    const { id: made } = await admin().createIntegration(W(), { provider: id, name: 'New' })
    await expect(limit(made, ['123'])).rejects.toMatchObject({ code: 'fence_unavailable' })
  })
})

describe('a call through a limited integration', () => {
  it('passes with an account that is allowed, and never reaches the ad system with another', async () => {
    const id = await connected('google_ads')
    await limit(id, [OWN])
    expect((await call(id, SEARCH(OWN), CAMPAIGNS)).code).toBe(200)
    const arrived = world.arrivals.length
    const calls: [path: string, body?: object, headers?: Record<string, string>][] = [
      [SEARCH('9999999999'), CAMPAIGNS],
      [SEARCH(OWN), { query: "SELECT campaign.id FROM campaign WHERE campaign.resource_name = 'customers/9999999999/campaigns/1'" }],
      [SEARCH(OWN), { query: 'SELECT customer_client.id FROM customer_client' }],
      [`v25/customers/${OWN}/campaigns:mutate`, { operations: [{ update: { resourceName: 'customers/9999999999/campaigns/1' } }] }],
      [SEARCH(OWN), CAMPAIGNS, { 'login-customer-id': '9999999999' }],
      ['v25/customers:listAccessibleCustomers'],
    ]
    for (const [path, body, headers] of calls) expect([path, (await call(id, path, body, headers)).code]).toEqual([path, 'account_outside'])
    expect(world.arrivals.length).toBe(arrived)
    expect((await call(id, 'v25/googleAdsFields/campaign.id')).code).toBe(200)
  })

  it('goes through a manager only if that is known to lead to the account, also where the settings name it', async () => {
    const id = await connected('google_ads', { customerId: OWN, loginCustomerId: MANAGER })
    await limit(id, [OWN])
    expect((await call(id, SEARCH(OWN), CAMPAIGNS)).code).toBe('account_outside')
    const { accounts } = await admin().refreshIntegrationAccounts({ ...W(), id })
    expect(accounts.filter(({ inFence }) => inFence).map((account) => account.id)).toEqual([OWN])
    expect((await call(id, SEARCH(OWN), CAMPAIGNS)).code).toBe(200)
  })

  it('names the account of its settings where the caller names none', async () => {
    const id = await connected('microsoft_ads')
    const campaigns = 'CampaignManagement/v13/Campaigns/QueryByAccountId'
    await limit(id, [OWN])
    expect((await call(id, campaigns, { AccountId: OWN })).code).toBe(200)
    await limit(id, ['777'])
    expect((await call(id, campaigns, { AccountId: '777' })).code).toBe('account_outside')
  })

  it('may use the handle of a report that was started inside, and no other', async () => {
    const id = await connected('microsoft_ads')
    const reports = 'reporting.api.bingads.microsoft.com/Reporting/v13/GenerateReport'
    const start = { ReportRequest: { Type: 'AccountPerformanceReportRequest', Scope: { AccountIds: [OWN] } } }
    const poll = () => call(id, `${reports}/Poll`, { ReportRequestId: '30000000000000001' })
    // Started before there was a fence: nobody knows for which accounts.
    expect((await call(id, `${reports}/Submit`, start)).code).toBe(200)
    await limit(id, [OWN])
    expect((await poll()).code).toBe('account_outside')
    expect((await call(id, `${reports}/Submit`, start)).code).toBe(200)
    expect((await poll()).code).toBe(200)
    expect((await call(id, `${reports}/Poll`, { ReportRequestId: '30000000000000002' })).code).toBe('account_outside')
    await limit(id, ['777'])
    expect((await poll()).code).toBe('account_outside')
  })

  it('is recorded with the accounts that it names, limited or not', async () => {
    const id = await connected('google_ads')
    expect((await call(id, `v25/customers/${OWN}/campaigns:mutate`, { operations: [] })).code).toBe(200)
    const { auditLogs } = await admin().listAuditLogs({ orgSlug: organization.slug, action: 'integration.change_sent' })
    expect(auditLogs[0]).toMatchObject({ target: { id }, metadata: { account: OWN } })
    expect((await admin().listIntegrationCalls({ ...W(), id })).calls).toMatchObject([{ effect: 'change', account: OWN }])
  })

  it('is refused in the order that is promised: effect first, then the account', async () => {
    const id = await connected('google_ads')
    await admin().setIntegrationCallPolicy({ ...W(), id }, { mode: 'read', accounts: [OWN] })
    expect((await call(id, 'v25/customers/9999999999/campaigns:mutate', { operations: [] })).code).toBe('change_refused')
    expect((await call(id, 'batch', {})).code).toBe('path_refused')
    expect((await call(id, SEARCH('9999999999'), CAMPAIGNS)).code).toBe('account_outside')
    await world.query(
      sql`update integrations set throttled_until = now() + interval '1 minute' where organization_id = ${organization.id} and id = ${id}`,
    )
    expect((await call(id, SEARCH('9999999999'), CAMPAIGNS)).code).toBe('account_outside')
    expect((await call(id, SEARCH(OWN), CAMPAIGNS)).code).toBe('vendor_throttled')
  })

  it('of a system that cannot be limited is not sent at all, should it ever be', async () => {
    const id = await connected('xandr')
    await world.query(sql`update integrations set call_accounts = '{123}' where organization_id = ${organization.id} and id = ${id}`)
    expect((await call(id, 'campaign')).code).toBe('account_outside')
  })
})
