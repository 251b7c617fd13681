import { expect, test } from 'vitest'
import { signUp } from '../../scripts/furnish.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { openByKey } from '../open-by-key.ts'
import { visit } from '../visit.ts'

const asked = { email: 'ada@trails.example', name: 'Ada', organizationName: 'Trails', organizationSlug: 'trails' }

inBrowser((place) => {
  test('an admin reads the trail as it grows, filters it, opens an entry, and takes it away as a file', async () => {
    const { token, client } = await signUp(place.service, asked)
    for (let number = 1; number <= 60; number++) await client.updateMe({ name: `Ada ${number}` })
    const { page, faults, close } = await visit(place, { token })
    await page.goto('/organizations/trails/audit')
    await page.getByText(/Verified: 50 loaded entries, none changed or missing, matching the signed checkpoint/).waitFor()
    await page.mouse.wheel(0, 20_000)
    await page.getByText('created the organization').waitFor()
    await page.getByText('You’ve reached the end.').waitFor()
    await page.getByText(/Verified: 6\d loaded entries/).waitFor()
    await page.locator('summary').first().click()
    await page.getByText('user.updated').first().waitFor()
    await page.getByText('Ada 59').first().waitFor()
    await page.getByLabel('Action').selectOption('organization.created')
    await page.waitForURL('/organizations/trails/audit?action=organization.created')
    await expect.poll(() => page.locator('summary').count()).toBe(1)
    await page.locator('summary').click()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Export' }).click()
    const download = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: /NDJSON/ }).click()
    const lines = await new Response((await (await download).createReadStream()) as never).text()
    expect(lines.trim().split('\n')).toHaveLength(1)
    expect(faults).toEqual([])
    await close()
  })

  test('a checkpoint of another organization proves nothing, and says so', async () => {
    const mine = await signUp(place.service, { ...asked, email: 'ada@mine.example', organizationSlug: 'mine' })
    const other = await signUp(place.service, { ...asked, email: 'ada@other.example', organizationSlug: 'other' })
    const checkpoint = await other.client.getAuditCheckpoint({ orgSlug: 'other' })
    const { page, faults, close } = await visit(place, { token: mine.token })
    await page.route('**/audit-logs/checkpoint', (route) => route.fulfill({ json: checkpoint }))
    await page.goto('/organizations/mine/audit')
    await page.getByText('This audit trail has been altered').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('the command menu goes anywhere by typing where', async () => {
    const { token } = await signUp(place.service, {
      email: 'ada@keys.example',
      name: 'Ada',
      organizationName: 'Typists',
      organizationSlug: 'typists',
    })
    const { page, faults, close } = await visit(place, { token })
    await page.goto('/organizations/typists')
    await page.getByRole('heading', { name: 'Typists' }).waitFor()
    await openByKey(page, 'Control+k', 'Go to', '')
    await expectAccessible(page)
    await page.keyboard.type('aud')
    await page.getByRole('option', { name: 'Audit trail' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL('/organizations/typists/audit')
    await openByKey(page, 'Control+k', 'Go to', 'dark')
    await page.getByRole('option', { name: /dark/i }).waitFor()
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('html').getAttribute('data-theme')).toBe('dark')
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark')
    expect(faults).toEqual([])
    await close()
  })
})
