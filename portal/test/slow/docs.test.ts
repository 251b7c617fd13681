import { expect, test } from 'vitest'
import { codeLanguages } from '../../src/docs/code/index.ts'
import { providerFacts } from '../../src/docs/data.ts'
import { guides } from '../../src/docs/guides/index.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { openByKey } from '../open-by-key.ts'
import { type BrowserVisit, visit } from '../visit.ts'

type Page = BrowserVisit['page']

/** Where the least room is left beside what a desk shows on both sides. */
const shapes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 900 } }

/** The page is no wider than a phone or a desk; left as on a phone. */
async function expectFits(page: Page): Promise<void> {
  for (const shape of ['desk', 'phone'] as const) {
    await page.setViewportSize(shapes[shape])
    const [wide, width] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
    expect(wide, `${page.url()} is wider than a ${shape}`).toBeLessThanOrEqual(width)
  }
}

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })

const search = (page: Page, typed: string) => openByKey(page, '/', 'Search the documentation', typed)

inBrowser((place) => {
  test('every guide and every ad system opens without signing in, on a phone and on a desk', async () => {
    const { page, faults, close } = await visit(place, { viewport: shapes.phone })
    for (const { slug, title } of guides) {
      await page.goto(`/docs/guides/${slug}`, { waitUntil: 'networkidle' })
      await heading(page, title).waitFor()
      expect(await page.title()).toBe(`${title} · Adjoin docs`)
      // The colours, and what is beside a guide on a desk, are the same everywhere, and looked at with the last page.
      await expectAccessible(page, ['words'])
      await expectFits(page)
    }
    for (const { provider, providerName } of providerFacts) {
      await page.goto(`/docs/providers/${provider}`)
      await heading(page, providerName).waitFor()
      await expectFits(page)
    }
    for (const shape of Object.values(shapes)) {
      await page.setViewportSize(shape)
      await expectAccessible(page)
    }
    expect(faults).toEqual([])
    await close()
  })

  test('the landing page leads to the documentation, which names the server', async () => {
    const { page, faults, close } = await visit(place)
    await page.goto('/')
    await page.getByRole('link', { name: 'Docs', exact: true }).click()
    await heading(page, 'Documentation').waitFor()
    await page.getByTestId('server').getByText(place.service.url, { exact: true }).waitFor()
    await page.getByRole('link', { name: 'Start in five minutes' }).click()
    await heading(page, 'Introduction').waitFor()
    await page.getByText(`curl ${place.service.url}/v1/organizations/agency`).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('the key / searches operations, ad systems and errors, and says when there is nothing', async () => {
    const { page, faults, close } = await visit(place)
    await page.goto('/docs', { waitUntil: 'networkidle' })
    for (const [typed, title] of [
      ['rotateApiKey', 'Create a replacement key and retire the old one'],
      ['google ads', 'Google Ads'],
      ['slug_taken', 'slug_taken'],
    ] as const) {
      await search(page, typed)
      await page.getByRole('option', { name: title }).first().waitFor()
      await page.keyboard.press('Enter')
      await heading(page, title).waitFor()
    }
    await search(page, 'nothing like it')
    await page.getByText('Nothing found for “nothing like it”').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    expect(faults).toEqual([])
    await close()
  })

  test('an operation opens by its id, its old address leads there, and the language of the examples is remembered', async () => {
    const { page, faults, close } = await visit(place)
    await page.goto('/docs#rotateApiKey')
    await heading(page, 'Create a replacement key and retire the old one').waitFor()
    expect(new URL(page.url()).pathname).toBe('/docs/reference/rotateApiKey')
    await page.getByText('0 to 168').waitFor()
    const tabs = page.getByRole('tablist', { name: 'Request' })
    for (const language of codeLanguages) {
      await tabs.getByRole('tab', { name: language }).click()
      await page.getByRole('button', { name: `Copy of Request in ${language}` }).waitFor()
    }
    await page.getByText('import requests').waitFor()
    await page.goto('/docs/reference/listWorkspaces')
    await page.getByText('answer = requests.get(').waitFor()
    await tabs.getByRole('tab', { name: 'Python' }).press('ArrowLeft')
    await page.getByText('client.listWorkspaces(').waitFor()
    await page.getByRole('link', { name: 'role_too_low' }).click()
    await heading(page, 'role_too_low').waitFor()
    await page.goto('/docs/reference/nobodyWroteThis')
    await heading(page, 'No such operation').waitFor()
    expect(faults).toEqual([])
    await close()
  })
})
