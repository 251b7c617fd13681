import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn, signUp } from '../scripts/furnish.ts'
import { inBrowser } from './in-browser.ts'
import { expectAccessible, visit } from './visit.ts'

const agency = { email: 'ada@engines.example', name: 'Ada', organizationName: 'Engines', organizationSlug: 'engines' }
const globex = { orgSlug: 'engines', workspaceSlug: 'globex' }
const home = '/organizations/engines/workspaces/globex'

const act = async (page: Page, action: string) => {
  await page.getByRole('button', { name: /^Actions for / }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
const badge = (page: Page, status: string) => page.getByRole('main').locator('header').getByText(status, { exact: true })

inBrowser((place) => {
  test('an integration is chosen, created, connected by a member, verified, disabled, enabled and deleted', async () => {
    const { token, client } = await signUp(place.service, agency)
    await client.createWorkspace({ orgSlug: 'engines' }, { slug: 'globex', name: 'Globex' })
    const { page, faults, close } = await visit(place, { token })
    await page.goto(home)
    await page.getByText('No integrations yet').waitFor()
    await page.getByRole('link', { name: 'New integration' }).click()
    await page.getByLabel('Search ad systems').fill('xan')
    await page.getByRole('link', { name: /Microsoft Monetize/ }).click()
    await page.getByLabel('Name').fill('Monetize')
    await page.getByLabel('Member ID').fill('not a number')
    await page.getByRole('button', { name: 'Create integration and link' }).click()
    await page.getByText('Member ID is not in the right format').waitFor()
    expect(faults.splice(0), 'the browser itself notes the refusal').toEqual([expect.stringContaining('400 (Bad Request)')])
    await page.getByLabel('Member ID').fill('')
    await page.getByRole('button', { name: 'Create integration and link' }).click()
    await page.getByRole('heading', { name: 'Monetize' }).waitFor()
    await page.getByText('Waiting for your client').waitFor()
    const link = await page.getByTestId('link').innerText()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Replace…' }).click()
    await page.getByLabel('Link expires after').selectOption('1')
    await page.getByRole('button', { name: 'Replace', exact: true }).click()
    await expect.poll(() => page.getByTestId('link').innerText()).not.toBe(link)
    expect((await fetch(link.replace('/connect/', '/v1/connect/'))).status).toBe(404)

    await page.getByRole('button', { name: 'Enter credentials yourself…' }).click()
    await page.getByLabel('Username').fill('ada')
    await page.getByLabel('Password', { exact: true }).fill('refuse-this-one')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await page.getByText('was not connected').waitFor()
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('')
    await page.getByLabel('Password', { exact: true }).fill('a-good-password')
    await page.getByRole('button', { name: 'Connect', exact: true }).click()
    await badge(page, 'active').waitFor()
    await page.getByText('The link was used').waitFor()

    await page.getByRole('button', { name: 'Verify now' }).click()
    await page.getByText('The connection works').first().waitFor()
    await page.getByLabel('Owner').selectOption({ label: 'Ada' })
    await page.getByText('Ada now gets the emails about this integration.').first().waitFor()
    await page.getByText('of checks in the last 30 days').waitFor()
    const strip = page.getByRole('slider', { name: 'Checks by day' })
    await strip.focus()
    expect(await strip.getAttribute('aria-valuetext')).toMatch(/: 3 checks, 1 failed\. .*rejected/)
    await strip.press('ArrowLeft')
    await page.getByText(/: no checks$/).waitFor()
    await page.getByText('Show as a table').last().click()
    await page
      .getByRole('table', { name: 'Checks by day' })
      .getByRole('cell', { name: /rejected/ })
      .waitFor()
    await expectAccessible(page)
    await page.getByLabel('Member ID').fill('42')
    await page.getByRole('button', { name: 'Save' }).click()
    await badge(page, 'error').waitFor()
    await page.getByText('You need to act').waitFor()
    await page.getByLabel('Member ID').fill('1234567890')
    await page.getByRole('button', { name: 'Save' }).click()
    await badge(page, 'active').waitFor()

    await act(page, 'Disable…')
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await badge(page, 'disabled').waitFor()
    await page.getByRole('button', { name: 'Enable' }).click()
    await badge(page, 'active').waitFor()
    await act(page, 'Delete…')
    await page.getByText('Example Member (1234567890)').last().waitFor()
    await page.getByRole('button', { name: 'Delete permanently' }).click()
    await page.getByText('No integrations yet').waitFor()
    expect((await client.listIntegrations(globex)).integrations).toEqual([])
    expect(faults).toEqual([])
    await close()
  })

  test('the list is filtered by what stands in the address, and a viewer is offered nothing they may not do', async () => {
    const { client } = await signIn(place.service, agency.email)
    for (const provider of ['xandr', 'google_ads'] as const) await client.createIntegration(globex, { provider, name: `Our ${provider}` })
    const grace = await signIn(place.service, 'grace@engines.example')
    const { id: userId } = await grace.client.getMe()
    await client.updateOrganizationMember({ orgSlug: 'engines', userId }, { role: 'viewer' })
    const { page, faults, close } = await visit(place, { token: grace.token, viewport: { width: 390, height: 844 } })
    await page.goto(`${home}?provider=xandr`)
    await page.getByText('1 of 2 shown.').waitFor()
    await page.getByLabel('Ad system').selectOption('')
    await page.getByLabel('Search integrations').fill('google')
    await page.waitForURL(`${home}?search=google`)
    await page.getByRole('link', { name: 'Our google_ads' }).click()
    await page.getByRole('heading', { name: 'Our google_ads' }).waitFor()
    await page.getByTestId('link').waitFor()
    expect(await page.getByRole('main').getByRole('button').allInnerTexts()).toEqual(['Copy link', 'Run call', 'Copy curl'])
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })
})
