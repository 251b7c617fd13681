import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { codeOf } from '../../../furnishing/front-door.ts'
import { signUp } from '../../scripts/furnish.ts'
import { furnishMany } from '../../scripts/furnish-many.ts'
import { shapes } from '../../scripts/scenes.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { longestTasks } from '../main-thread.ts'
import { visit } from '../visit.ts'

const agency = (slug: string) => ({ email: `ada@${slug}.example`, name: 'Ada', organizationName: slug, organizationSlug: slug })

/** Tab by tab, as somebody without a mouse gets there. */
async function tabTo(page: Page, name: string): Promise<void> {
  const wanted = page.getByRole('button', { name }).first()
  await wanted.waitFor()
  for (let tabs = 0; tabs < 40; tabs++) {
    if (await wanted.evaluate((element) => element === element.ownerDocument.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`“${name}” is not reached within 40 tabs.`)
}

inBrowser((place) => {
  test.each(Object.entries(shapes))(
    'from signing in to new links for all clients who need to act in three steps, by keys alone, on a %s',
    async (shape, viewport) => {
      const asked = agency(`steps-${shape}`)
      const { client } = await signUp(place.service, asked)
      await furnishMany(place.database, asked.organizationSlug, 40)
      const { page, faults, close } = await visit(place, { viewport, permissions: ['clipboard-read', 'clipboard-write'] })
      await page.goto('/signin')
      await page.getByLabel('Email').waitFor()
      const before = new Date()
      await page.keyboard.type(asked.email)
      await page.keyboard.press('Enter')
      await page.getByLabel('6-digit code').waitFor()
      await page.keyboard.type(codeOf(await place.service.mailTo(asked.email, before)))
      await page.waitForURL(`/organizations/${asked.organizationSlug}`)
      const waiting = async () =>
        (await client.listOrganizationIntegrations({ orgSlug: asked.organizationSlug, mustAct: 'client', limit: 200 })).integrations
      const count = (await waiting()).length
      await page.getByRole('heading', { name: `Your clients need to act · ${count}` }).waitFor()
      await expectAccessible(page)

      await tabTo(page, 'Links for all…')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: 'Create new links?' }).waitFor()
      await tabTo(page, `Create ${count} links`)
      await page.keyboard.press('Enter')
      const dialog = page.getByRole('dialog', { name: 'Links for your clients' })
      await expect.poll(() => dialog.getByRole('listitem').count()).toBe(count)
      await expectAccessible(page)
      await tabTo(page, 'Copy all')
      await page.keyboard.press('Enter')
      const links = (await waiting()).map(({ connectLink }) => connectLink?.connectUrl)
      await expect
        .poll(async () => ((await page.evaluate('navigator.clipboard.readText()')) as string).match(/https?:\S+/g)?.toSorted())
        .toEqual(links.toSorted())
      await page.keyboard.press('Escape')
      await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Links for all…')
      expect(faults).toEqual([])
      await close()
    },
  )

  test('a thousand rows are scrolled, walked and selected without a task of 50 milliseconds', async () => {
    const asked = agency('thousand')
    const { token } = await signUp(place.service, asked)
    await furnishMany(place.database, 'thousand', 200)
    const { page, close } = await visit(place, { token })
    await page.goto('/organizations/thousand')
    const rows = page.getByRole('table', { name: 'All integrations' }).locator('[data-row]')
    for (let shown = 100; shown < 1000; shown += 100) {
      await expect.poll(() => rows.count()).toBe(shown)
      await page.getByRole('button', { name: 'Show more' }).click()
    }
    await expect.poll(() => rows.count()).toBe(1000)
    let longest = Number.POSITIVE_INFINITY
    // The best of five: a processor that machines share is slower at times.
    for (let round = 1; round <= 5 && longest >= 50; round++) {
      await page.evaluate('scrollTo(0, 0)')
      await rows.first().hover()
      // Nothing is looked up meanwhile: that would be a task of the page as well.
      const [most] = await longestTasks(place.browser, page, async () => {
        for (let screens = 0; screens < 50; screens++) {
          await page.mouse.wheel(0, 900)
          await page.waitForTimeout(20)
        }
        await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(20_000)
        for (let steps = 0; steps < 10; steps++) await page.keyboard.press('j')
        await page.keyboard.press('x')
        await page.waitForTimeout(300)
      })
      await page.getByText(`${round} selected`).waitFor()
      longest = Math.min(longest, most!)
    }
    expect(longest, 'milliseconds of the longest task').toBeLessThan(50)
    await close()
  })
})
