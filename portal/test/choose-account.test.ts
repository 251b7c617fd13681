import type { Client } from '@adjoin/contract/client'
import { expect, test } from 'vitest'
import { signUp } from '../scripts/furnish.ts'
import { expectAccessible } from './accessible.ts'
import { inBrowser } from './in-browser.ts'
import { visit } from './visit.ts'

const agency = { email: 'ada@engines.example', name: 'Ada Lovelace', organizationName: 'Engines', organizationSlug: 'engines' }
const globex = { orgSlug: 'engines', workspaceSlug: 'globex' }
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

inBrowser((place) => {
  let client: Promise<Client> | undefined
  const ada = () => {
    client ??= signUp(place.service, agency).then(async ({ client }) => {
      await client.createWorkspace({ orgSlug: 'engines' }, { slug: 'globex', name: 'Globex' })
      return client
    })
    return client
  }
  const get = async (id: string) => (await ada()).getIntegration({ ...globex, id })

  test('a client chooses the account right after the consent, and the connection works', async () => {
    const { id, connectUrl } = await (await ada()).createIntegration(globex, { provider: 'google_ads', name: 'Search' })
    const { page, faults, close } = await visit(place, phone)
    await page.goto(connectUrl)
    await page.getByRole('button', { name: 'Continue to Google Ads' }).click()
    await page.getByRole('link', { name: 'Allow', exact: true }).click()
    await page.getByRole('heading', { name: 'Which account?' }).waitFor()
    await page.getByLabel('Example Client 3456').waitFor()
    await expectAccessible(page)
    expect(await page.getByRole('button', { name: 'Use this account' }).isDisabled()).toBe(true)
    await page.getByLabel('Example Advertiser').check()
    await page.getByRole('button', { name: 'Use this account' }).click()
    await page.getByText('with the account Example Advertiser (1234567890)').waitFor()
    await page.getByRole('link', { name: 'Open your receipt' }).waitFor()
    expect(await get(id)).toMatchObject({ status: 'active', settings: { customerId: '1234567890' } })
    expect(faults).toEqual([])
    await close()
  })

  test('for an item of a request as well, and may leave the choice to the agency', async () => {
    const items = [{ provider: 'google_ads' as const, name: 'Search' }, { provider: 'linkedin_ads' as const }]
    const request = await (await ada()).createConnectRequest(globex, { title: 'Spring launch', items })
    const { page, faults, close } = await visit(place, phone)
    await page.goto(request.connectUrl!)
    await page.getByRole('link', { name: 'Connect Search' }).click()
    await page.getByRole('button', { name: 'Continue to Google Ads' }).click()
    await page.getByRole('link', { name: 'Allow', exact: true }).click()
    await page.getByLabel('Example Advertiser').check()
    await page.getByRole('button', { name: 'Use this account' }).click()
    await page.getByText('1 of 2 done').waitFor()
    await page.getByText('Connected · Example Advertiser (1234567890)').waitFor()
    await page.getByRole('link', { name: 'Connect LinkedIn' }).click()
    await page.getByRole('button', { name: 'Continue to LinkedIn' }).click()
    await page.getByRole('link', { name: 'Allow', exact: true }).click()
    await page.getByRole('heading', { name: 'Which account?' }).waitFor()
    await page.getByRole('button', { name: 'Let Engines choose' }).click()
    await page.getByText('is granted, but Engines can’t use it yet').waitFor()
    await page.getByText('1 of 2 done').waitFor()
    await page.getByRole('link', { name: /^Finish LinkedIn/ }).waitFor()
    expect((await (await ada()).getConnectRequest({ ...globex, requestId: request.id })).status).toBe('partial')
    expect(await get(request.items[1]!.integrationId)).toMatchObject({
      status: 'error',
      statusReason: 'setting_missing',
      mustAct: 'agency',
    })
    expect(faults).toEqual([])
    await close()
  })
})
