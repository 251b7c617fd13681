import { expect, test } from 'vitest'
import { codeOf } from '../../../furnishing/front-door.ts'
import { signIn, signUp } from '../../scripts/furnish.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const agency = { email: 'ada@tides.example', name: 'Ada', organizationName: 'Tides', organizationSlug: 'tides' }
const orgSlug = agency.organizationSlug
const home = `/organizations/${orgSlug}`

inBrowser((place) => {
  test('a session that ends under a form says so, and what was typed is sent after signing in in another tab', async () => {
    const { token, client } = await signUp(place.service, agency)
    const { page, close } = await visit(place, { token })
    await page.goto(`${home}/workspaces`)
    await page.getByRole('button', { name: 'New workspace' }).click()
    await page.getByLabel('Name').fill('Globex')
    await client.signOut()
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'New workspace' })
    await dialog.getByText('Your session has ended').waitFor()
    await expect.poll(() => page.evaluate('document.activeElement.innerText')).toContain('Your session has ended')
    await expectAccessible(page)
    const opened = page.waitForEvent('popup')
    await dialog.getByRole('link', { name: 'Sign in again' }).click()
    const tab = await opened
    const before = new Date()
    await tab.getByLabel('Email').fill(agency.email)
    await tab.keyboard.press('Enter')
    await tab.getByLabel('6-digit code').fill(codeOf(await place.service.mailTo(agency.email, before)))
    await tab.waitForURL(home)
    await tab.close()
    await expect.poll(() => page.getByRole('banner').getByText('Your session has ended').count()).toBe(0)
    expect(await page.getByLabel('Name').inputValue()).toBe('Globex')
    await page.getByRole('button', { name: 'Create', exact: true }).click()
    await page.waitForURL(`${home}/workspaces/globex`)
    await close()
  })

  test('a refusal that belongs to no field takes the focus', async () => {
    const { token, client } = await signIn(place.service, agency.email)
    const { page, close } = await visit(place, { token, viewport: { width: 390, height: 500 } })
    await page.goto(`${home}/api-keys`)
    await page.getByRole('button', { name: 'New key' }).first().click()
    await page.getByLabel('Name').fill('Reporting')
    await page.getByLabel('Access').selectOption('workspace')
    await client.deleteWorkspace({ orgSlug, workspaceSlug: 'globex' })
    await page.getByRole('button', { name: 'Create key' }).click()
    const notice = page.getByRole('dialog').getByRole('alert').first()
    await notice.waitFor()
    await expect.poll(() => notice.evaluate((element) => element.getBoundingClientRect().top >= 0)).toBe(true)
    await expect.poll(() => notice.evaluate((element) => element.closest(':focus-within') !== null)).toBe(true)
    expect(await page.getByLabel('Name').inputValue()).toBe('Reporting')
    await close()
  })

  test('an open page says that the service is away, tries again, and is up to date when it is back', async () => {
    const { token, client } = await signIn(place.service, agency.email)
    const { page, close } = await visit(place, { token })
    await page.clock.install()
    await page.goto(`${home}/workspaces`)
    await page.getByText('No workspaces yet').waitFor()
    await page.route('**/v1/**', (route) => route.abort())
    await page.clock.fastForward(31_000)
    await page.getByRole('banner').getByText('We can’t reach Adjoin.').waitFor()
    await expectAccessible(page)
    await client.createWorkspace({ orgSlug }, { slug: 'hooli', name: 'Hooli' })
    await page.unroute('**/v1/**')
    await page.clock.fastForward(5000)
    await page.getByRole('link', { name: 'Hooli' }).waitFor()
    await expect.poll(() => page.getByText('We can’t reach Adjoin.').count()).toBe(0)
    await close()
  })
})
