import pg from 'pg'
import { expect, test } from 'vitest'
import { consent, signIn, signUp } from '../../scripts/furnish.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const agency = { email: 'ada@engines.example', name: 'Ada', organizationName: 'Engines', organizationSlug: 'engines' }
const globex = { orgSlug: 'engines', workspaceSlug: 'globex' }
const pageOf = (id: string) => `/organizations/engines/workspaces/globex/integrations/${id}`

/** Reading again happens every 15 seconds; a page that comes to the front does it at once. */
const comeBack = 'document.dispatchEvent(new Event("visibilitychange"))'

inBrowser((place) => {
  test('what somebody types survives the client’s connecting and a colleague’s change, which is told', async () => {
    const { token, client } = await signUp(place.service, agency)
    await client.createWorkspace({ orgSlug: 'engines' }, { slug: 'globex', name: 'Globex' })
    const made = await client.createIntegration(globex, { provider: 'google_ads', name: 'Search' })
    const integration = { ...globex, id: made.id }
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`${pageOf(made.id)}/settings`)
    const [name, customer, url] = [
      page.getByLabel('Name', { exact: true }),
      page.getByLabel('Customer ID', { exact: true }),
      page.getByLabel('Return URL'),
    ]
    await name.fill('Search, Europe')
    await consent(place.service.url, made.connectUrl, 'allow')
    await page.waitForTimeout(5_100)
    await page.evaluate(comeBack)
    await page.getByRole('main').locator('header').getByText('error', { exact: true }).first().waitFor()
    expect(await name.inputValue()).toBe('Search, Europe')
    expect(await page.getByText('Someone else changed these settings in the meantime').count()).toBe(0)
    const tabs = page.getByRole('navigation', { name: 'Search' })
    await tabs.getByRole('link', { name: 'Checks' }).click()
    await page.getByRole('list', { name: 'Checks' }).waitFor()
    await tabs.getByRole('link', { name: 'Settings' }).click()
    await expect.poll(() => name.inputValue()).toBe('Search, Europe')

    await client.updateIntegration(integration, { name: 'Search, Asia', settings: { customerId: '1234567890' } })
    await page.waitForTimeout(5_100)
    await page.evaluate(comeBack)
    await page.getByText('Someone else changed these settings in the meantime').waitFor()
    await page.getByText('Customer ID is now “1234567890”. Name is now “Search, Asia”. We kept what you typed.').waitFor()
    expect([await name.inputValue(), await customer.inputValue()]).toEqual(['Search, Europe', '1234567890'])
    await expectAccessible(page)
    await url.fill('https://agency.example/back')
    await page.getByRole('button', { name: 'Discard what I typed' }).click()
    expect([await name.inputValue(), await url.inputValue()]).toEqual(['Search, Asia', ''])

    // Dashes are removed by the service: that is no change by somebody else.
    await customer.fill('123-456-7890')
    await page.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => customer.inputValue()).toBe('1234567890')
    expect(await page.getByText('Someone else changed these settings in the meantime').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test('checks appear after the first connect without a reload, and are found, sorted and opened', async () => {
    const { token, client } = await signIn(place.service, agency.email)
    const made = await client.createIntegration(globex, { provider: 'xandr', name: 'Monetize' })
    const integration = { ...globex, id: made.id }
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`${pageOf(made.id)}/checks`)
    await page.getByText('No checks yet').waitFor()
    await expectAccessible(page)
    await client.submitIntegrationCredentials(integration, { username: 'globex-api', password: 'refuse-this' })
    await client.submitIntegrationCredentials(integration, { username: 'globex-api', password: 'a-good-password' })
    await page.waitForTimeout(5_100)
    await page.evaluate(comeBack)
    const rows = page.getByRole('list', { name: 'Checks' }).getByRole('listitem')
    await expect.poll(() => rows.count()).toBe(2)

    const db = new pg.Client({ connectionString: place.database })
    await db.connect()
    await db.query(
      `insert into integration_checks (organization_id, integration_id, kind, outcome, status, duration_ms, checked_at)
        select organization_id, id, 'check', 'verified', 'active', 9000 + n, now() - n * interval '1 day' from integrations, generate_series(1, 60) n where id = $1`,
      [made.id],
    )
    await db.end()
    await page.goto(`${pageOf(made.id)}/checks`)
    await page.getByText('62 checks').waitFor()
    expect(await rows.count()).toBe(50)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => rows.count()).toBe(62)
    await page.getByLabel('Order').selectOption('Slowest first')
    await page.waitForURL(/sort=slowest/)
    await expect.poll(() => rows.first().innerText()).toContain('9.1 s')
    await page.getByLabel('Result').selectOption('Failed')
    await page.getByLabel('Search checks').fill('rejected')
    await page.getByText('1 of 62 checks').waitFor()
    expect([...new URL(page.url()).searchParams].sort().join(' ')).toBe('outcome,rejected q,rejected sort,slowest')
    await page.reload()
    await page.getByText('1 of 62 checks').waitFor()
    // Anywhere in the row.
    await rows.first().click({ position: { x: 500, y: 15 } })
    await rows.first().getByText('Connecting', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Result').selectOption('Not reached')
    await page.getByRole('button', { name: 'Show all 62' }).click()
    await page.getByText('62 checks', { exact: true }).waitFor()
    const strip = page.getByRole('slider', { name: 'Checks by day' })
    await strip.focus()
    await strip.press('ArrowLeft')
    await strip.press('Enter')
    await page.getByText('1 of 62 checks').waitFor()
    await page.getByRole('button', { name: /^Show all days/ }).click()
    await page.getByText('62 checks', { exact: true }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('the setting that a connection waits for is marked at its field', async () => {
    const { token, client } = await signIn(place.service, agency.email)
    const made = await client.createIntegration(globex, { provider: 'google_ads', name: 'Half set up' })
    await consent(place.service.url, made.connectUrl, 'allow')
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`${pageOf(made.id)}/settings`)
    const customer = page.getByLabel('Customer ID', { exact: true })
    await page.getByRole('alert').getByText('Missing: the connection can’t be used without this.').waitFor()
    expect(await customer.getAttribute('aria-invalid')).toBe('true')
    await expectAccessible(page)
    await customer.fill('1234567890')
    expect(await customer.getAttribute('aria-invalid')).toBeNull()
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved.', { exact: true }).waitFor()
    await page.reload()
    await customer.waitFor()
    expect(await page.getByText('Missing: the connection').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })
})
