/** The accounts of a connection: listed at every twin, stored, and compared with what was there before. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sealCredential } from '../src/features/integrations/credential.ts'
import { accountLists } from '../src/providers/accounts/index.ts'
import { type AccountsSource, accountIn, MOST_ACCOUNTS, paged, parameterOf, readAccounts } from '../src/providers/accounts/list.ts'
import { accountSettings } from '../src/providers/accounts/settings.ts'
import { providers } from '../src/providers/index.ts'
import { credentialOf, type Provider } from '../src/providers/provider.ts'
import { stories } from './provider-stories.ts'
import { createWorld, sql, type TestOrganization, type TestWorkspace, type World } from './world.ts'

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
const settingsOf = (id: Provider['id']) => stories[id].settings

/** As a consent or a login would have left it, and not listed yet. */
async function connected(provider: Provider, settings = settingsOf(provider.id), claims = {}): Promise<string> {
  const { id } = await admin().createIntegration(W(), { provider: provider.id, name: provider.name, settings })
  const credential = credentialOf(stories[provider.id].fields('plausible'), {
    accessToken: world.twins.mint(provider.id, 'access', claims),
    accessExpiresAt: new Date(Date.now() + 3_600_000).toISOString(),
    refreshToken: world.twins.mint(provider.id, 'refresh', claims),
    scopes: [...provider.scopes],
    obtainedAt: new Date().toISOString(),
  })
  const owner = { organization_id: organization.id, workspace_id: workspace.id, id }
  await world.query(sql`update integrations set status = 'active', connected_at = now(), credential_version = 1,
    credential = ${sealCredential(world.app.parts, owner, credential)} where organization_id = ${organization.id} and id = ${id}`)
  return id
}
const byId = (id: string) => providers.find((provider) => provider.id === id)!
const changes = async () => {
  const { auditLogs } = await admin().listAuditLogs({ orgSlug: organization.slug, action: 'integration.accounts_changed' })
  return auditLogs
}

/** What the list of each system is like, from the vendor's documentation: it comes in pages, it has something above accounts. Null: none. */
const lists: Record<Provider['id'], readonly ('pages' | 'tree')[] | null> = {
  google_ads: ['pages', 'tree'],
  meta_ads: ['pages', 'tree'],
  microsoft_ads: ['pages', 'tree'],
  amazon_ads: ['tree'],
  tiktok_ads: [],
  linkedin_ads: ['pages'],
  pinterest_ads: ['pages'],
  snapchat_ads: ['pages', 'tree'],
  reddit_ads: ['pages', 'tree'],
  display_video_360: ['pages', 'tree'],
  the_trade_desk: ['pages', 'tree'],
  criteo: [],
  stackadapt: ['pages'],
  adform: ['pages'],
  google_ad_manager: [],
  campaign_manager_360: [],
  xandr: ['pages', 'tree'],
  magnite: null,
  pubmatic: null,
  freewheel: null,
}

describe.each(providers.map((provider) => [provider.id, provider] as const))('%s', (id, provider) => {
  it('lists its accounts, page after page, each below its parent', async () => {
    const integration = await connected(provider)
    const before = await admin().listIntegrationAccounts({ ...W(), id: integration })
    expect(before).toEqual({ accounts: [], listed: accountLists[id] !== null, complete: true, refreshedAt: null })
    const arrived = world.arrivals.length
    const list = lists[id]
    expect(accountLists[id] !== null, '`lists` of this file and api/src/providers/accounts/index.ts must say the same').toBe(list !== null)
    if (!list) {
      await expect(admin().refreshIntegrationAccounts({ ...W(), id: integration })).rejects.toMatchObject({ code: 'accounts_unlisted' })
      expect(world.arrivals.length).toBe(arrived)
      return
    }
    const { accounts, complete, refreshedAt } = await admin().refreshIntegrationAccounts({ ...W(), id: integration })
    expect(complete).toBe(true)
    expect(refreshedAt).not.toBeNull()
    expect(accounts.length).toBeGreaterThan(1)
    expect(accounts.map((account) => account.id)).toContain(accountOf(id))
    expect(accounts.every(({ name, kind, inFence }) => name && kind && inFence)).toBe(true)
    const children = accounts.filter(({ parentId }) => parentId !== null)
    expect(children.length > 0, 'an account is below another: a tree').toBe(list.includes('tree'))
    for (const child of children) expect(accounts.some((one) => one.id === child.parentId && one !== child)).toBe(true)
    for (const [setting, kind] of accountSettings[id]) {
      expect(provider.settingsFields.map(({ name }) => name)).toContain(setting)
      expect(accounts.map((account) => account.kind)).toContain(kind)
    }
    const paths = world.arrivals.slice(arrived).map(({ url }) => url.split('?')[0])
    expect(paths.length > new Set(paths).size, 'a path is asked for again: pages').toBe(list.includes('pages'))
    expect(await admin().listIntegrationAccounts({ ...W(), id: integration })).toEqual({ accounts, listed: true, complete, refreshedAt })
  })
})

/** An account that the twin's login surely reaches: the one of the settings, or the sandbox's own. */
function accountOf(id: Provider['id']): string {
  const [setting] = accountSettings[id].map(([name]) => name)
  return (setting && stories[id].settings[setting]) || '1234567890'
}

describe('the list of accounts', () => {
  it('of Retail Media is the accounts, and Commerce Grid has none', async () => {
    const retail = await connected(byId('criteo'), { service: 'retail_media' })
    const { accounts } = await admin().refreshIntegrationAccounts({ ...W(), id: retail })
    expect(accounts.map(({ id, kind }) => `${kind} ${id}`)).toEqual(['account 1234567890', 'account 2234567', 'account 3234567'])
    const grid = await connected(byId('criteo'), { service: 'commerce_grid' })
    await expect(admin().refreshIntegrationAccounts({ ...W(), id: grid })).rejects.toMatchObject({ code: 'accounts_unlisted' })
  })

  it('tells what appeared and disappeared, but not of the first list', async () => {
    const id = await connected(byId('google_ads'))
    const at = { ...W(), id }
    const before = (await changes()).length
    await admin().refreshIntegrationAccounts(at)
    await admin().refreshIntegrationAccounts(at)
    expect((await changes()).length).toBe(before)
    await world.query(sql`update integration_accounts set id = '1111111111', name = 'Gone' where organization_id = ${organization.id}
      and integration_id = ${id} and id = '3456789012'`)
    await admin().refreshIntegrationAccounts(at)
    const [entry] = await changes()
    expect(entry).toMatchObject({
      actor: { type: 'user' },
      target: { id },
      metadata: {
        appeared: [{ id: '3456789012', kind: 'account' }],
        disappeared: [{ id: '1111111111', name: 'Gone' }],
        appearedCount: 1,
        disappearedCount: 1,
      },
    })
  })

  it('comes by itself after connecting and once a day; drift is the system’s entry', async () => {
    await world.doJobs()
    const { id } = await admin().createIntegration(W(), { provider: 'xandr', name: 'Publisher' })
    const at = { ...W(), id }
    await admin().submitIntegrationCredentials(at, { username: 'api-accounts', password: 'Correct-Horse-1' })
    const listed = () => admin().listIntegrationAccounts(at)
    await expect.poll(async () => (await listed()).accounts.length).toBe(4)
    const due = await world.query<{
      soon: boolean
    }>(sql`select accounts_due_at between now() + interval '23 hours' and now() + interval '25 hours'
      as soon from integrations where organization_id = ${organization.id} and id = ${id}`)
    expect(due).toEqual([{ soon: true }])
    await world.query(
      sql`delete from integration_accounts where organization_id = ${organization.id} and integration_id = ${id} and id = '10'`,
    )
    await world.query(sql`update integrations set accounts_due_at = now() where organization_id = ${organization.id} and id = ${id}`)
    await expect
      .poll(async () => (await changes())[0])
      .toMatchObject({ actor: { type: 'system' }, target: { id }, metadata: { appeared: [{ id: '10' }], disappearedCount: 0 } })
  })

  it('is there to pick from while only a setting is missing', async () => {
    await world.doJobs()
    const { id } = await admin().createIntegration(W(), { provider: 'google_ads', name: 'Search' })
    const { connectUrl } = await admin().issueConnectLink({ ...W(), id }, {})
    const { authorizationUrl } = await world.client().startConnectOAuth({ token: connectUrl.split('/').at(-1)! }, {})
    const there = await fetch(`${authorizationUrl}&decision=allow`, { redirect: 'manual' })
    await fetch(there.headers.get('location')!.replace('http://localhost:3000', world.url), { redirect: 'manual' })
    const at = { ...W(), id }
    expect(await admin().getIntegration(at)).toMatchObject({ status: 'error', statusReason: 'setting_missing' })
    await expect.poll(async () => (await admin().listIntegrationAccounts(at)).accounts.length).toBe(4)
    expect((await admin().refreshIntegrationAccounts(at)).accounts.length).toBe(4)
  })

  it('is asked for again when the settings change: they may be about another service', async () => {
    await world.doJobs()
    const id = await connected(byId('criteo'), { service: 'marketing_solutions' })
    const at = { ...W(), id }
    await admin().refreshIntegrationAccounts(at)
    await admin().updateIntegration(at, { settings: { service: 'retail_media' } })
    const kinds = async () => [...new Set((await admin().listIntegrationAccounts(at)).accounts.map(({ kind }) => kind))]
    await expect.poll(kinds).toEqual(['account'])
  })

  it('is kept when the ad system refuses, throttles or breaks down, and says why', async () => {
    for (const [play, code] of [
      ['throttle', 'vendor_throttled'],
      ['outage', 'vendor_unreachable'],
    ] as const) {
      const id = await connected(byId('google_ads'), settingsOf('google_ads'), { play })
      await expect(admin().refreshIntegrationAccounts({ ...W(), id })).rejects.toMatchObject({ code })
    }
    const id = await connected(byId('meta_ads'), settingsOf('meta_ads'), { play: 'refuse' })
    await expect(admin().refreshIntegrationAccounts({ ...W(), id })).rejects.toMatchObject({ code: 'vendor_refused_credential' })
  })

  it('is not asked for while the organization is frozen, the integration disabled or not connected', async () => {
    const id = await connected(byId('google_ads'))
    const at = { ...W(), id }
    const { id: pending } = await admin().createIntegration(W(), { provider: 'google_ads', name: 'New' })
    await expect(admin().refreshIntegrationAccounts({ ...W(), id: pending })).rejects.toMatchObject({ code: 'integration_unconnected' })
    const arrived = world.arrivals.length
    await admin().freezeOrganization({ orgSlug: organization.slug }, { reason: 'A key leaked' })
    await expect(admin().refreshIntegrationAccounts(at)).rejects.toMatchObject({ code: 'organization_frozen' })
    await admin().thawOrganization({ orgSlug: organization.slug })
    await admin().disableIntegration(at)
    await expect(admin().refreshIntegrationAccounts(at)).rejects.toMatchObject({ code: 'integration_disabled' })
    expect(world.arrivals.length).toBe(arrived)
  })
})

describe('reading a list', () => {
  const source = { secrets: ['ya29.secret-token'] } as unknown as Omit<AccountsSource, 'read'>

  it('ends at ten thousand, and says that there are more', async () => {
    const answer = await readAccounts(async function* () {
      for (let i = 0; i <= MOST_ACCOUNTS; i++) yield accountIn({ id: String(i) }, 'account', ['id'])!
    }, source)
    expect(answer).toMatchObject({ outcome: 'listed', complete: false })
    expect('accounts' in answer && answer.accounts.length).toBe(MOST_ACCOUNTS)
  })

  it('keeps no secret that a system repeats', async () => {
    const answer = await readAccounts(async function* () {
      yield accountIn({ id: 'x-ya29.secret-token' }, 'account', ['id'])!
      yield accountIn({ id: '1', name: 'One ya29.secret-token' }, 'account', ['id'], { name: ['name'] })!
    }, source)
    expect(answer).toMatchObject({ accounts: [{ id: '1', name: 'One •••' }] })
    expect(JSON.stringify(answer)).not.toContain('secret-token')
  })

  it('leaves out ids that nobody could type, and knows one account by two managers', async () => {
    const answer = await readAccounts(async function* () {
      yield accountIn({ id: 'a b' }, 'account', ['id'])!
      yield accountIn({ id: '1', name: 'One\u202e' }, 'account', ['id'], { name: ['name'], roots: ['7'] })!
      yield accountIn({ id: '1' }, 'account', ['id'], { roots: ['8'] })!
    }, source)
    expect(answer).toMatchObject({ accounts: [{ id: '1', name: 'One', roots: ['7', '8'] }] })
  })

  it('never calls the address of a next page, but takes its parameter', async () => {
    expect(parameterOf('https://evil.example/x?cursor=abc', 'cursor')).toBe('abc')
    const read: number[] = []
    for await (const item of paged(1, async (page: number) => ({ items: [page], next: page < 3 ? page + 1 : null })))
      read.push(item as number)
    expect(read).toEqual([1, 2, 3])
  })
})
