import { expect, test } from 'vitest'
import { signIn, signUp } from '../scripts/furnish.ts'
import { furnishMany } from '../scripts/furnish-many.ts'
import { inBrowser } from './in-browser.ts'
import { expectAccessible, visit } from './visit.ts'

const orgSlug = 'engines'
const home = `/organizations/${orgSlug}`
const agency = { email: 'ada@engines.example', name: 'Ada', organizationName: 'Engines', organizationSlug: orgSlug }
const loginOf = { username: 'globex-api', password: 'a-good-password' }

inBrowser((place) => {
  test('two hundred connections at one glance: what is broken, whose move it is, what comes next, and all of them', async () => {
    const { token, client } = await signUp(place.service, agency)
    await client.createWorkspace({ orgSlug }, { slug: 'first', name: 'First' })
    const inFirst = { orgSlug, workspaceSlug: 'first' }
    const works = await client.createIntegration(inFirst, { provider: 'xandr', name: 'Monetize' })
    await client.submitIntegrationCredentials({ ...inFirst, id: works.id }, loginOf)
    await furnishMany(place.database, orgSlug, 40)
    await client.createApiKey({ orgSlug }, { name: 'Nightly export', level: 'organization', role: 'viewer', expiresInDays: 7 })
    const { page, faults, close } = await visit(place, { token, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(home)

    await page.getByText('30 of 201 integrations need attention.').waitFor()
    const yours = page.getByRole('region', { name: 'You need to act' })
    await yours
      .getByRole('link', { name: /^Open settings of / })
      .first()
      .waitFor()
    const theirs = page.getByRole('region', { name: 'Your clients need to act' })
    const make = theirs.getByRole('button', { name: /^New link for / }).first()
    await make.click()
    await page.getByText('New link created and copied').first().waitFor()
    await theirs
      .getByRole('button', { name: /^Copy link of / })
      .first()
      .waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toContain('/connect/')
    await page.getByRole('link', { name: 'Nightly export' }).waitFor()
    await page.getByText('in 7 days').first().waitFor()
    await page.getByText('Show as a table').click()
    await page.getByRole('table', { name: 'Integrations by status and day' }).getByRole('cell', { name: '171' }).waitFor()
    await expectAccessible(page)

    const rows = page.getByRole('table', { name: 'All integrations' }).locator('[data-row]')
    expect(await rows.count()).toBe(100)
    await page.getByRole('button', { name: 'Show more' }).click()
    await expect.poll(() => rows.count()).toBe(200)
    expect((await rows.first().boundingBox())!.height).toBeLessThan(48)

    await page.getByLabel('Search integrations').fill('sohne')
    await page.waitForURL(/q=sohne/)
    await page.getByText('20 of 20 shown, 201 in total').waitFor()
    await page.getByLabel('Status', { exact: true }).selectOption('active')
    await page.getByRole('button', { name: 'Workspace' }).click()
    await page.waitForURL(/sort=workspace/)
    expect([...new URL(page.url()).searchParams].sort().join(' ')).toBe('q,sohne sort,workspace status,active')
    await page.reload()
    await page.getByRole('columnheader', { name: 'Workspace' }).and(page.locator('[aria-sort=ascending]')).waitFor()
    expect(await page.getByLabel('Search integrations').inputValue()).toBe('sohne')
    await expectAccessible(page)
    await page.goto(`${home}?q=nothing-like-it`)
    await page.getByRole('button', { name: 'Show all 201' }).click()
    await page.getByText('100 of 201 shown').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('rows are walked, selected and opened by keys, and changed together, each with its outcome', async () => {
    const { token, client } = await signIn(place.service, agency.email)
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`${home}?workspace=first`)
    const rows = page.getByRole('table', { name: 'All integrations' }).locator('[data-row]')
    await expect.poll(() => rows.count()).toBe(1)
    await page.keyboard.press('j')
    await page.keyboard.press('x')
    const bar = page.getByRole('region', { name: 'Selection' })
    await bar.getByText('1 selected').waitFor()
    await expectAccessible(page)
    await bar.getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
    await page.getByText('1 integration disabled.').first().waitFor()
    await rows.first().getByText('disabled').waitFor()

    await page.goto(`${home}?workspace=client-1`)
    await expect.poll(() => rows.count()).toBe(5)
    await page.getByLabel('Select all shown').check()
    await bar.getByText('5 selected').waitFor()
    await bar.getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Verify' }).click()
    await page.getByRole('dialog', { name: 'Some integrations were not changed' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'OK' }).click()
    await page.getByRole('main').focus()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    const name = await rows.first().getByRole('link').innerText()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    expect((await client.listIntegrations({ orgSlug, workspaceSlug: 'first' })).integrations[0]!.status).toBe('disabled')
    expect(faults).toEqual([])
    await close()
  })

  test('viewers are shown no button that they may not use, also on a phone', async () => {
    const ada = await signIn(place.service, agency.email)
    const grace = await signIn(place.service, 'grace@engines.example')
    const { id: userId } = await grace.client.getMe()
    await ada.client.updateOrganizationMember({ orgSlug, userId }, { role: 'viewer' })
    const { page, faults, close } = await visit(place, { token: grace.token, viewport: { width: 390, height: 844 } })
    await page.goto(home)
    await page.getByText('100 of 201 shown').waitFor()
    await page.getByRole('region', { name: 'Your clients need to act' }).getByRole('link').first().waitFor()
    expect(await page.getByRole('button', { name: /^New link/ }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })
})
