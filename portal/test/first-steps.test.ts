import { createClient } from '@adjoin/contract/client'
import { expect, test } from 'vitest'
import { signIn, signUp } from '../scripts/furnish.ts'
import { expectAccessible } from './accessible.ts'
import { inBrowser } from './in-browser.ts'
import { visit } from './visit.ts'

const orgSlug = 'dawn'
const home = `/organizations/${orgSlug}`
const agency = { email: 'ada@dawn.example', name: 'Ada', organizationName: 'Dawn', organizationSlug: orgSlug }

inBrowser((place) => {
  test('day one has a list of steps that knows what is done, leads to each, and goes when all are', async () => {
    const { token, client } = await signUp(place.service, agency)
    const { page, faults, close } = await visit(place, { token })
    await page.goto(home)
    const step = (name: string) => page.getByRole('link', { name })
    await page.getByText('0 of 5 done').waitFor()
    await expectAccessible(page)
    await step('Create a workspace').first().click()
    await page.waitForURL(`${home}/workspaces#new`)
    await page.getByRole('dialog', { name: 'New workspace' }).waitFor()
    const at = { orgSlug, workspaceSlug: 'globex' }
    await client.createWorkspace({ orgSlug }, { slug: 'globex', name: 'Globex' })
    await page.goto(home)
    await page.getByText('1 of 5 done').waitFor()
    await step('Create a connect link').click()
    await page.waitForURL(`${home}/workspaces/globex/integrations/new`)
    const { id } = await client.createIntegration(at, { provider: 'xandr', name: 'Monetize' })
    await page.goto(home)
    await step('Get the first connection')
      .and(page.locator(`[href$="${id}"]`))
      .click()
    await page.waitForURL(`${home}/workspaces/globex/integrations/${id}`)
    await client.submitIntegrationCredentials({ ...at, id }, { username: 'globex-api', password: 'a-good-password' })
    const { key } = await client.createApiKey({ orgSlug }, { name: 'Reporting', level: 'organization', role: 'viewer' })
    await createClient({ url: place.service.url, headers: { 'x-api-key': key } }).getCurrentApiKey()
    const used = async () => (await client.listApiKeys({ orgSlug })).apiKeys[0]!.lastRequest
    await expect.poll(used).toBeTruthy()
    await page.goto(home)
    await page.getByText('4 of 5 done').waitFor()
    expect(await page.getByRole('link', { name: /^Make the first call \(done\)/ }).count()).toBe(1)
    await client.createOrganizationInvitation({ orgSlug }, { email: 'grace@elsewhere.example', role: 'member' })
    await page.reload()
    await page.getByRole('heading', { name: 'All integrations' }).waitFor()
    await expect.poll(() => page.getByText('Get started').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test('it can be hidden in a browser, and is not shown to those who may not take its steps', async () => {
    const { token } = await signUp(place.service, {
      ...agency,
      email: 'ada@dusk.example',
      organizationName: 'Dusk',
      organizationSlug: 'dusk',
    })
    const { page, faults, close } = await visit(place, { token, viewport: { width: 390, height: 844 } })
    await page.goto('/organizations/dusk')
    await page.getByText('Get started').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Hide' }).click()
    await page.reload()
    await page.getByRole('heading', { name: 'Workspaces' }).waitFor()
    expect(await page.getByText('Get started').count()).toBe(0)
    await close()
    const colleague = await visit(place, { token: (await signIn(place.service, 'grace@dusk.example')).token })
    await colleague.page.goto('/organizations/dusk')
    await colleague.page.getByText('No workspaces yet').waitFor()
    expect(await colleague.page.getByText('Get started').count()).toBe(0)
    expect([...faults, ...colleague.faults]).toEqual([])
    await colleague.close()
  })
})
