import { expect, test } from 'vitest'
import { consent, signIn, signUp } from '../../scripts/furnish.ts'
import { accountRows, foundRows, type ListedAccount, toggled, unlisted } from '../../src/fence.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const agency = { email: 'ada@engines.example', name: 'Ada', organizationName: 'Engines', organizationSlug: 'engines' }
const globex = { orgSlug: 'engines', workspaceSlug: 'globex' }
const home = '/organizations/engines/workspaces/globex/integrations'

inBrowser((place) => {
  test('an admin limits calls to chosen accounts of the tree, and a change of the mode leaves that as it is', async () => {
    const { token, client } = await signUp(place.service, agency)
    await client.createWorkspace({ orgSlug: 'engines' }, { slug: 'globex', name: 'Globex' })
    const settings = { customerId: '1234567890' }
    const made = await client.createIntegration(globex, { provider: 'google_ads', name: 'Search', settings })
    await consent(place.service.url, made.connectUrl, 'allow')
    const integration = { ...globex, id: made.id }
    const policy = async () => (await client.getIntegration(integration)).callPolicy
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`${home}/${made.id}/settings`)
    await page.getByRole('heading', { name: 'Accounts' }).waitFor()
    await page.getByRole('button', { name: 'Refresh' }).click()
    await page.getByText('Accounts refreshed.', { exact: true }).waitFor()
    const tree = page.getByRole('region', { name: 'Accounts of this connection' })
    await tree.getByText('Example Advertiser').first().waitFor()
    expect(await tree.getByRole('checkbox').count()).toBe(0)
    await page.getByRole('radio', { name: 'Only the chosen ones' }).check()
    await page.getByText('Choose at least one account.').waitFor()
    expect(await page.getByRole('button', { name: 'Update accounts' }).isDisabled()).toBe(true)
    await tree.getByRole('checkbox', { name: /1234567890/ }).check()
    await page.getByText('1 account chosen.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Update accounts' }).click()
    await expect.poll(policy).toEqual({ mode: 'read', accounts: ['1234567890'] })
    // Also if somebody has changed it since the page was read.
    await page.getByRole('radio', { name: /^Off/ }).check()
    await client.setIntegrationCallPolicy(integration, { mode: 'read', accounts: ['1234567890', '9999999999'] })
    await page.getByRole('button', { name: 'Update policy' }).click()
    await expect.poll(policy).toEqual({ mode: 'off', accounts: ['1234567890', '9999999999'] })
    await page.reload()
    await page.getByRole('radio', { name: /^All/ }).check()
    await page.getByRole('button', { name: 'Update accounts' }).click()
    await expect.poll(policy).toEqual({ mode: 'off', accounts: null })
    expect(faults).toEqual([])
    await close()
  })

  test('a setting that waited for the client is picked from the accounts that they connected', async () => {
    const { client, token } = await signIn(place.service, agency.email)
    const made = await client.createIntegration(globex, { provider: 'google_ads', name: 'Picked' })
    await consent(place.service.url, made.connectUrl, 'allow')
    const integration = { ...globex, id: made.id }
    await expect.poll(async () => (await client.listIntegrationAccounts(integration)).refreshedAt).not.toBeNull()
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`${home}/${made.id}/settings`)
    const field = page.getByLabel('Customer ID', { exact: true })
    await field.and(page.locator('[list]')).waitFor()
    await page
      .getByText(/that this connection reaches: click the field/)
      .first()
      .waitFor()
    const { accounts } = await client.listIntegrationAccounts(integration)
    const offered = await page
      .locator(`datalist[id="${await field.getAttribute('list')}"] option`)
      .evaluateAll((options) => options.map((option) => [option.getAttribute('value'), option.getAttribute('label')]))
    expect(offered).toEqual(accounts.filter(({ kind }) => kind === 'account').map(({ id, name }) => [id, `${name} (${id})`]))
    await field.fill('1234567890')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(async () => (await client.getIntegration(integration)).settings.customerId).toBe('1234567890')
    expect(faults).toEqual([])
    await close()
    await client.deleteIntegration(integration)
  })

  test('a member sees what programs may use; systems without a list or a limit say so', async () => {
    const { client, token } = await signIn(place.service, agency.email)
    const grace = await signIn(place.service, 'grace@engines.example')
    const [google] = (await client.listIntegrations(globex)).integrations
    await client.setIntegrationCallPolicy({ ...globex, id: google!.id }, { mode: 'read', accounts: ['1234567890'] })
    const member = await visit(place, { token: grace.token, viewport: { width: 390, height: 844 } })
    await member.page.goto(`${home}/${google!.id}/settings`)
    await member.page.getByText('Programs may use 1 account of them. Only admins of this workspace can change this.').waitFor()
    await expectAccessible(member.page)
    await member.close()

    const connect = async (provider: 'xandr' | 'magnite', fields: Record<string, string>, settings = {}) => {
      const { id } = await client.createIntegration(globex, { provider, name: provider, settings })
      await client.submitIntegrationCredentials({ ...globex, id }, fields)
      return id
    }
    const admin = await visit(place, { token })
    await admin.page.goto(`${home}/${await connect('xandr', { username: 'globex-api', password: 'a-good-password' })}/settings`)
    await admin.page.getByText(/Calls to .*Xandr.* can’t be limited to certain accounts\./).waitFor()
    expect(await admin.page.getByRole('radio', { name: 'Only the chosen ones' }).count()).toBe(0)
    const keys = { accessKey: 'fakeaccesskey0000000000000000000000000f', secretKey: 'fakesecret' }
    const magnite = await connect('magnite', keys, { accountId: '1234567890' })
    await admin.page.goto(`${home}/${magnite}/settings`)
    await admin.page.getByText('Magnite doesn’t offer a list of accounts.').waitFor()
    await admin.page.getByRole('radio', { name: 'Only the chosen ones' }).check()
    await admin.page.getByLabel('Account IDs').fill('publisher/1234567890')
    await expectAccessible(admin.page)
    await admin.page.getByRole('button', { name: 'Update accounts' }).click()
    const allowed = async () => (await client.getIntegration({ ...globex, id: magnite })).callPolicy.accounts
    await expect.poll(allowed).toEqual(['publisher/1234567890'])
    expect([...admin.faults, ...member.faults]).toEqual([])
    await admin.close()
  })
})

const account = (id: string, name: string, parentId: string | null = null, kind = 'account'): ListedAccount => ({
  id,
  name,
  kind,
  parentId,
  currency: null,
  timeZone: null,
  status: null,
  inFence: true,
})

test('a manager stands for the accounts below it, and what the list does not have is kept', () => {
  const rows = accountRows([
    account('9', 'Agency', null, 'manager'),
    account('8', 'Europe', '9', 'manager'),
    account('1', 'Berlin', '8'),
    account('2', 'Paris', '8'),
    account('123-456', 'Boston', '9'),
  ])
  expect(rows.map(({ account, depth, leaves, isLeaf }) => [account.name, depth, leaves.join(), isLeaf])).toEqual([
    ['Agency', 0, '1,2,123-456', false],
    ['Europe', 1, '1,2', false],
    ['Berlin', 2, '1', true],
    ['Paris', 2, '2', true],
    ['Boston', 1, '123-456', true],
  ])
  expect([...toggled(new Set(['7']), rows[1]!, true)]).toEqual(['7', '1', '2'])
  expect([...toggled(new Set(['7', '1', '2', '123-456']), rows[1]!, false)]).toEqual(['7', '123-456'])
  expect(unlisted(rows, new Set(['7', '9', '1']))).toEqual(['7', '9'])
  const found = (search: string) => foundRows(rows, search).map(({ account: { name } }) => name)
  expect(found('paris ')).toEqual(['Agency', 'Europe', 'Paris'])
  expect(found('123456')).toEqual(['Agency', 'Boston'])
  expect(found('')).toHaveLength(5)
  expect(found('nowhere')).toEqual([])
})
