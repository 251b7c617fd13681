import { expect, test } from 'vitest'
import { inBrowser } from './in-browser.ts'
import { expectAccessible, visit } from './visit.ts'

inBrowser((place) => {
  test('whoever is not signed in reads the reference, searches it, and opens an operation by its address', async () => {
    const { page, faults, close } = await visit(place)
    await page.goto('/docs')
    await page.getByRole('heading', { name: 'Use Adjoin from an agent' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Search operations').fill('verifyIntegration')
    await expect.poll(() => page.locator('main summary').count()).toBe(1)
    await page.locator('main summary').click()
    await page
      .getByText(`curl -X POST '${place.service.url}/v1/organizations/my-organization/workspaces/my-workspace/integrations/ID/verify'`)
      .waitFor()
    await page.goto('/docs#rotateApiKey')
    await page.reload()
    await page.getByText('0 to 168').waitFor()
    expect(faults).toEqual([])
    await close()
  })
})
