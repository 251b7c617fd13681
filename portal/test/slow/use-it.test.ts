import { expect, test } from 'vitest'
import { consent, signIn, signUp } from '../../scripts/furnish.ts'
import { shownText, sizeInWords } from '../../src/run-call.ts'
import { bucketsOf, ceilingOf, startOf } from '../../src/usage.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const agency = { email: 'ada@engines.example', name: 'Ada', organizationName: 'Engines', organizationSlug: 'engines' }
const globex = { orgSlug: 'engines', workspaceSlug: 'globex' }

inBrowser(
  (place) => {
    test('the ad system is called from the page: examples, refusals, changes with a question, and how much it was', async () => {
      const { token, client } = await signUp(place.service, agency)
      await client.createWorkspace({ orgSlug: 'engines' }, { slug: 'globex', name: 'Globex' })
      const settings = { customerId: '1234567890' }
      const made = await client.createIntegration(globex, { provider: 'google_ads', name: 'Search', settings })
      const home = `/organizations/engines/workspaces/globex/integrations/${made.id}/use`
      const { page, faults, close } = await visit(place, { token })
      await page.goto(home)
      await page.getByText('Calls work as soon as your client has connected Google Ads.').waitFor()
      expect(await page.getByRole('button', { name: 'Run call' }).isDisabled()).toBe(true)
      await consent(place.service.url, made.connectUrl, 'allow')
      await page.reload()
      await page.getByRole('heading', { name: 'Usage' }).waitFor()
      await page.getByText('No calls in this period.').waitFor()
      await page.getByText(/Today, your organization has used 0 of its 50 calls to this ad system.* 50 are left\./).waitFor()

      await page.getByRole('button', { name: 'Run call' }).click()
      const response = page.getByRole('region', { name: 'Response' })
      await response.getByText('Google Ads answered in').waitFor()
      await response.getByText('"name": "Spring sale"').waitFor()
      await page.getByText('1 read and 0 changes worked.').waitFor()
      const saved = page.waitForEvent('download')
      await response.getByRole('button', { name: 'Download' }).click()
      expect((await saved).suggestedFilename()).toBe('response.json')
      await expectAccessible(page)

      await page.getByLabel('Path', { exact: true }).fill('v25/customers/5550001111/googleAds:search')
      await page.getByRole('button', { name: 'Run call' }).click()
      await response.getByText('Google Ads refused the call in').waitFor()
      await response.getByText('PERMISSION_DENIED').first().waitFor()
      await page.getByLabel('Path', { exact: true }).fill('v25/customers/1234567890/campaigns:mutate')
      await page.getByLabel('Body (JSON)').fill('{"operations":[]}')
      await page.getByRole('button', { name: 'Run call' }).click()
      await page.getByRole('alert').getByText('This connection is read only.').waitFor()

      await client.setIntegrationCallPolicy({ ...globex, id: made.id }, { mode: 'full' })
      await page.reload()
      await page.getByLabel('Path', { exact: true }).fill('v25/customers/1234567890/campaigns:mutate')
      await page.getByLabel('Body (JSON)').fill('{"operations":[]}')
      await page.getByRole('button', { name: 'Run call…' }).click()
      const dialog = page.getByRole('dialog', { name: 'Change something at Google Ads?' })
      await expectAccessible(page)
      await dialog.getByRole('button', { name: 'Run call' }).click()
      await response.getByText('Google Ads answered in').waitFor()

      await page.getByRole('tab', { name: 'TypeScript' }).click()
      await page.getByText("client.integration({ org: 'engines', workspace: 'globex'").waitFor()
      await page.getByRole('tab', { name: 'TypeScript' }).press('ArrowLeft')
      await page.getByRole('button', { name: 'Copy CLI' }).waitFor()

      // Reads are counted in batches.
      const counted = async () =>
        (await client.getIntegrationUsage({ ...globex, id: made.id })).usage.reduce((sum, { calls }) => sum + calls, 0)
      await expect.poll(counted).toBe(3)
      await page.reload()
      await page.getByText('1 read and 1 change worked. 1 call failed.').waitFor()
      await page.locator('details:has(table[aria-label="Calls over time"]) summary').click()
      const row = page.getByRole('table', { name: 'Calls over time' }).getByRole('row').nth(1)
      expect((await row.getByRole('cell').allInnerTexts()).join(' ')).toBe('1 1 1')
      await page.getByLabel('Period').selectOption('Last 24 hours')
      await page.getByText('1 read and 1 change worked. 1 call failed.').waitFor()
      await expectAccessible(page)
      expect(faults.filter((fault) => !/status of 403/.test(fault))).toEqual([])
      await close()
    })

    test('a viewer reads, and is told what a change would need', async () => {
      const { client } = await signIn(place.service, agency.email)
      const viewer = await signIn(place.service, 'vera@engines.example')
      const { id: userId } = await viewer.client.getMe()
      await client.updateOrganizationMember({ orgSlug: 'engines', userId }, { role: 'viewer' })
      const [integration] = (await client.listIntegrations(globex)).integrations
      const { page, faults, close } = await visit(place, { token: viewer.token, viewport: { width: 390, height: 844 } })
      await page.goto(`/organizations/engines/workspaces/globex/integrations/${integration!.id}/use`)
      await page.getByLabel('Example').selectOption('What a field means')
      await page.getByRole('button', { name: 'Run call' }).click()
      await page.getByRole('region', { name: 'Response' }).getByText('"dataType": "INT64"').waitFor()
      await page.getByLabel('Method').selectOption('POST')
      await page.getByLabel('Path', { exact: true }).fill('v25/customers/1234567890/campaigns:mutate')
      await page.getByRole('button', { name: 'Run call' }).click()
      await page.getByRole('alert').getByText('Your role only allows reading.').waitFor()
      await page.getByLabel('Path', { exact: true }).fill('../../..')
      await page.getByRole('button', { name: 'Run call' }).click()
      await page.getByText('This isn’t a valid path').waitFor()
      await expectAccessible(page)
      expect(faults.filter((fault) => !/status of 403/.test(fault))).toEqual([])
      await close()
    })
  },
  async () => ({ ADJOIN_GOOGLE_ADS_DAILY_CALLS: '100' }),
)

test('an answer is shown up to a size, as lines that people can read', async () => {
  const answer = (text: string, type = 'application/json') => ({
    status: 200,
    milliseconds: 1,
    size: text.length,
    type,
    bytes: new Blob([text]),
    isCut: false,
  })
  expect(await shownText(answer('{"a":[1]}'))).toEqual({ text: '{\n  "a": [\n    1\n  ]\n}', isShortened: false })
  expect(await shownText(answer('a,b', 'text/csv'))).toEqual({ text: 'a,b', isShortened: false })
  expect(await shownText(answer('PK', 'application/zip'))).toBeUndefined()
  expect((await shownText(answer('x'.repeat(60_000), 'text/plain')))?.isShortened).toBe(true)
  expect([999, 1500, 2_500_000].map(sizeInWords)).toEqual(['999 B', '1.5 KB', '2.5 MB'])
})

test('usage has a bucket for every hour or day, and an axis that ends at a round number', () => {
  const start = startOf('week', Date.parse('2026-11-15T13:30:00Z'))
  expect(start.toISOString()).toBe('2026-11-09T00:00:00.000Z')
  const entry = { from: '2026-11-10T00:00:00.000Z', effect: 'read', outcome: 'ok', calls: 3 } as const
  const buckets = bucketsOf([entry, { ...entry, outcome: 'timeout', calls: 1 }, { ...entry, effect: 'change', calls: 2 }], 'week', start)
  expect(buckets).toHaveLength(7)
  expect(buckets[1]).toEqual({ from: entry.from, reads: 3, changes: 2, failed: 1 })
  expect([0, 1, 3, 10, 11, 499, 501].map(ceilingOf)).toEqual([1, 1, 5, 10, 20, 500, 1000])
})
