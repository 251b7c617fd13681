import type { Client } from '@adjoin/contract/client'
import pg from 'pg'
import { expect, test } from 'vitest'
import { signUp } from '../scripts/furnish.ts'
import { expectAccessible } from './accessible.ts'
import { inBrowser } from './in-browser.ts'
import { visit } from './visit.ts'

const agency = { email: 'ada@engines.example', name: 'Ada Lovelace', organizationName: 'Engines', organizationSlug: 'engines' }
const globex = { orgSlug: 'engines', workspaceSlug: 'globex' }
const phone = { viewport: { width: 390, height: 844 } }

/** Time does not wait for a test: a link is made old in the database. */
const query = async (connectionString: string, statement: string) => {
  const db = new pg.Client({ connectionString })
  await db.connect()
  await db.query(statement)
  await db.end()
}

inBrowser((place) => {
  let client: Promise<Client> | undefined
  const ada = () => {
    client ??= signUp(place.service, agency).then(async ({ client }) => {
      await client.createWorkspace({ orgSlug: 'engines' }, { slug: 'globex', name: 'Globex' })
      return client
    })
    return client
  }
  const ask = async (provider: 'xandr' | 'google_ads' | 'amazon_ads', more: { returnUrl?: string; settings?: object } = {}) =>
    (await ada()).createIntegration(globex, { provider, name: `${provider} of Globex`, ...more } as Parameters<
      Client['createIntegration']
    >[1])
  const statusOf = async (id: string) => (await (await ada()).getIntegration({ ...globex, id })).status

  test('a client sees who asks and for what, is told why the ad system refused, and connects by form', async () => {
    const { id, connectUrl } = await ask('xandr', { returnUrl: `${place.service.url}/error` })
    const { page, faults, close } = await visit(place, phone)
    await page.goto(connectUrl)
    await page.getByRole('heading', { name: 'Connect Microsoft Monetize (Xandr) to Engines' }).waitFor()
    await page.getByText('Ada Lovelace at Engines is asking').waitFor()
    await page.getByText('A user that Microsoft has enabled').waitFor()
    await page.getByText('Engines’ software can read reports and settings. It can’t change anything.').waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Connect' }).click()
    expect(await page.getByLabel('Username').getAttribute('aria-invalid')).toBe('true')
    await page.getByLabel('Username').fill('refuse-me')
    const password = page.getByLabel('Password', { exact: true })
    await password.fill('a-long-password')
    await page.getByRole('button', { name: 'Show Password' }).click()
    expect(await password.getAttribute('type')).toBe('text')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.getByText('Microsoft Monetize (Xandr) was not connected').waitFor()
    await page.getByText('rejected these credentials. Check them').waitFor()
    expect([await page.getByLabel('Username').inputValue(), await password.inputValue()]).toEqual(['refuse-me', ''])
    expect(await statusOf(id)).toBe('error')
    await expectAccessible(page)

    await page.getByLabel('Username').fill('ada')
    await password.fill('a-long-password')
    // It goes on by itself after six seconds: not before it was looked at.
    const seen = Promise.withResolvers<void>()
    await page.route('**/error?status=*', (route) => seen.promise.then(() => route.continue()))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    await page.getByText('Example Member (1234567890)').waitFor()
    await expectAccessible(page)
    expect(await statusOf(id)).toBe('active')
    await page.getByRole('link', { name: `Continue to ${new URL(place.service.url).host}` }).waitFor()
    seen.resolve()
    await page.waitForURL(`**/error?status=connected&integrationId=${id}`)
    expect(faults).toEqual([])
    await close()
  })

  test('a value in the wrong form is refused at its field, and what was entered stays', async () => {
    const { connectUrl } = await ask('xandr')
    const { page, close } = await visit(place)
    await page.goto(connectUrl)
    await page.getByLabel('Username').fill('two words')
    await page.getByLabel('Password', { exact: true }).fill('a-long-password')
    await page.keyboard.press('Enter')
    await page.getByText('This is not in the right format').waitFor()
    expect(await page.getByLabel('Password', { exact: true }).inputValue()).toBe('a-long-password')
    await close()
  })

  test('a client who declines at the consent screen may start over, and connects there', async () => {
    const { id, connectUrl } = await ask('google_ads', { settings: { customerId: '1234567890' } })
    const { page, faults, close } = await visit(place, phone)
    await page.goto(connectUrl)
    await page.getByText('See and manage campaigns, budgets and reports in Google Ads').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Continue to Google Ads' }).click()
    await page.getByText('This page stands in for').waitFor()
    await page.getByRole('link', { name: 'Deny' }).click()
    await page.getByRole('heading', { name: 'You didn’t allow access' }).waitFor()
    await expectAccessible(page)

    await page.getByRole('link', { name: 'Start over' }).click()
    await page.getByRole('button', { name: 'Continue to Google Ads' }).click()
    await page.getByRole('link', { name: 'Allow', exact: true }).click()
    await page.getByRole('heading', { name: 'Connected' }).waitFor()
    await page.getByText('1234567890').waitFor()
    await expectAccessible(page)
    expect(await statusOf(id)).toBe('active')
    expect(faults).toEqual([])
    await close()
  })

  test('what the consent screen must know is asked before', async () => {
    const { connectUrl } = await ask('amazon_ads', { settings: { profileId: '1234567890' } })
    const { page, close } = await visit(place)
    await page.goto(connectUrl)
    await page.getByLabel('Region').selectOption('EU')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Continue to Amazon Ads' }).click()
    await page.getByText('This page stands in for').waitFor()
    await close()
  })

  test('a client who leaves the choice of the account to the agency reads that one step is missing', async () => {
    const { id, connectUrl } = await ask('google_ads')
    const { page, close } = await visit(place)
    await page.goto(connectUrl)
    await page.getByRole('button', { name: 'Continue to Google Ads' }).click()
    await page.getByRole('link', { name: 'Allow', exact: true }).click()
    await page.getByRole('button', { name: /^Let .+ choose$/ }).click()
    await page.getByRole('heading', { name: 'Almost done' }).waitFor()
    expect(await statusOf(id)).toBe('error')
    await close()
  })

  test('an expired link names whom to ask, a used or unknown one says what may have happened', async () => {
    const { id, connectUrl } = await ask('xandr')
    await query(place.database, `update connect_links set expires_at = now() - interval '1 hour' where integration_id = '${id}'`)
    const { page, faults, close } = await visit(place, phone)
    await page.goto(connectUrl)
    await page.getByRole('heading', { name: 'This link has expired' }).waitFor()
    await page.getByText('We’ll email Ada Lovelace at Engines that you need a new link').waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    await (await ada()).submitIntegrationCredentials({ ...globex, id }, { username: 'ada', password: 'a-long-password' })
    for (const address of [connectUrl, '/connect/nobody-made-this', '/connect/result#nor-this']) {
      await page.goto('/error')
      await page.goto(address)
      await page.getByRole('heading', { name: /^This (link no longer works|page has expired)$/ }).waitFor()
      await expectAccessible(page)
    }
    await close()
  })
})
