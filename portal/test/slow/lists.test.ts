import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn, signUp } from '../../scripts/furnish.ts'
import { furnishMany, furnishRevokedKeys } from '../../scripts/furnish-many.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { openByKey } from '../open-by-key.ts'
import { visit } from '../visit.ts'

const orgSlug = 'shelves'
const home = `/organizations/${orgSlug}`
const agency = { email: 'ada@shelves.example', name: 'Ada', organizationName: 'Shelves', organizationSlug: orgSlug }
const rowsOf = (page: Page, table: string) => page.getByRole('table', { name: table }).locator('tbody tr')

inBrowser((place) => {
  test('workspaces are searched, narrowed and sorted in the address, and opened from anywhere in their row', async () => {
    const { token } = await signUp(place.service, agency)
    await furnishMany(place.database, orgSlug, 20)
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`${home}/workspaces`)
    const rows = rowsOf(page, 'Workspaces')
    await expect.poll(() => rows.count()).toBe(20)
    expect((await rows.first().boundingBox())!.height).toBeLessThan(48)
    const heading = page.getByRole('columnheader', { name: 'Workspace' })
    await heading.getByRole('button').click()
    await page.waitForURL(/sort=workspace$/)
    await heading.getByRole('button').click()
    await page.waitForURL(/sort=-workspace$/)
    await expect.poll(() => rows.first().getByRole('link').innerText()).toBe('Wonka 16')
    await page.getByLabel('Search workspaces').fill('sohne')
    await page.waitForURL(/q=sohne/)
    await page.getByText('2 of 20 shown').waitFor()
    await page.reload()
    await expect.poll(() => rows.getByRole('link').allInnerTexts()).toEqual(['Müller & Söhne 18', 'Müller & Söhne 8'])
    await heading.and(page.locator('[aria-sort=descending]')).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Search workspaces').fill('nothing like it')
    await page.getByRole('button', { name: 'Show all 20' }).click()
    await expect.poll(() => rows.count()).toBe(20)
    expect(await page.getByLabel('Search workspaces').inputValue()).toBe('')
    await page.getByLabel('State').selectOption('in error')
    await page.waitForURL(/state=in\+error/)
    await expect.poll(() => rows.count()).toBeLessThan(20)
    await page.getByLabel('State').selectOption('')
    await rows.filter({ hasText: 'Acme 7' }).getByRole('cell').last().click({ force: true })
    await page.waitForURL(`${home}/workspaces/client-7`)
    expect(faults).toEqual([])
    await close()
  })

  test('so are members, invitations beside them, and keys; each row is a line, on a phone a card', async () => {
    const { token, client } = await signIn(place.service, agency.email)
    for (const name of ['grace', 'edsger', 'barbara', 'donald']) await signIn(place.service, `${name}@shelves.example`)
    for (let at = 0; at < 5; at++)
      await client.createOrganizationInvitation({ orgSlug }, { email: `client-${at}@elsewhere.example`, role: at ? 'viewer' : 'admin' })
    for (let at = 0; at < 5; at++)
      await client.createApiKey(
        { orgSlug },
        at ? { name: `Export ${at}`, level: 'organization', role: 'viewer' } : { name: 'Straße', level: 'user' },
      )
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`${home}/members?role=member&invitations-q=client-3`)
    const [members, invitations, keys] = [rowsOf(page, 'Members'), rowsOf(page, 'Invitations'), rowsOf(page, 'API keys')]
    await expect.poll(() => members.count()).toBe(4)
    await expect.poll(() => invitations.count()).toBe(1)
    await page.getByLabel('Search members').fill('bar')
    await expect.poll(() => members.count()).toBe(1)
    expect([...new URL(page.url()).searchParams].toSorted().join(' ')).toBe('invitations-q,client-3 q,bar role,member')
    await page.getByLabel('Search invitations').fill('')
    await page.getByRole('table', { name: 'Invitations' }).getByRole('button', { name: 'Role' }).click()
    await page.waitForURL(/invitations-sort=role/)
    await expect.poll(() => invitations.first().innerText()).toContain('client-0@')
    for (const row of [members, invitations]) expect((await row.first().boundingBox())!.height).toBeLessThan(50)
    await expectAccessible(page)

    await page.goto(`${home}/api-keys`)
    await expect.poll(() => keys.count()).toBe(5)
    expect((await keys.first().boundingBox())!.height).toBeLessThan(50)
    await page.getByLabel('Search keys').fill('strasse')
    await expect.poll(() => keys.count()).toBe(1)
    await page.getByLabel('Search keys').fill('')
    await page.getByLabel('Access').selectOption({ label: 'Whole organization (4)' })
    await expect.poll(() => keys.count()).toBe(4)
    await expectAccessible(page)
    await page.setViewportSize({ width: 390, height: 844 })
    await page.getByLabel('Sort keys').selectOption({ label: 'Key, descending' })
    await expect.poll(() => keys.first().innerText()).toContain('Export 4')
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })

  test('members and keys are found from anywhere, in any script', async () => {
    const { token, client } = await signIn(place.service, agency.email)
    await client.updateMe({ name: 'آدا الإعلانات' })
    await client.createApiKey({ orgSlug }, { name: '東京広告', level: 'user' })
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`${home}/settings`)
    const choose = async (typed: string, name: RegExp) => {
      await openByKey(page, 'Control+k', 'Go to', typed)
      await page.getByRole('option', { name }).waitFor()
      await page.keyboard.press('Enter')
    }
    await page.getByRole('heading', { name: 'Settings' }).waitFor()
    await choose('الاعلانات', /ada@shelves\.example/)
    await page.waitForURL(/\/members\/[0-9a-f-]{36}$/)
    await page.getByRole('heading', { name: 'آدا الإعلانات' }).waitFor()
    await choose('広告', /東京広告 API key/)
    await page.waitForURL(/\/api-keys\/[0-9a-f-]{36}$/)
    await page.getByRole('heading', { name: '東京広告' }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('keys that ended too long ago for the list are named as left out, and shown on demand', async () => {
    const { token } = await signUp(place.service, {
      email: 'ada@archive.example',
      name: 'Ada',
      organizationName: 'Archive',
      organizationSlug: 'archive',
    })
    await furnishRevokedKeys(place.database, 'archive', 1003)
    const { page, faults, close } = await visit(place, { token })
    await page.goto('/organizations/archive/api-keys')
    await page.getByText('Older keys that have ended are left out.').waitFor()
    await page.getByRole('button', { name: 'Show older keys' }).click()
    await expect.poll(() => rowsOf(page, 'API keys').count()).toBe(1003)
    expect(await page.getByText('are left out').count()).toBe(0)
    await page.getByLabel('Search keys').fill('Old 1002')
    await expect.poll(() => rowsOf(page, 'API keys').count()).toBe(1)
    expect(faults).toEqual([])
    await close()
  })

  test('a list shows what others change, and leaves the form that somebody fills in alone', async () => {
    const { token, client } = await signIn(place.service, agency.email)
    const { page, faults, close } = await visit(place, { token })
    await page.clock.install()
    await page.goto(`${home}/workspaces`)
    await page.getByRole('button', { name: 'New workspace' }).click()
    await page.getByLabel('Name').fill('Half a na')
    await client.createWorkspace({ orgSlug }, { slug: 'by-grace', name: 'By Grace' })
    await page.clock.fastForward(31_000)
    await page.getByRole('row', { name: /By Grace/, includeHidden: true }).waitFor({ state: 'attached' })
    expect(await page.getByLabel('Name').inputValue()).toBe('Half a na')
    expect(await page.evaluate('document.activeElement.name')).toBe('name')

    // A name that is being changed is not changed under the hands.
    await page.goto(`${home}/settings`)
    const name = page.getByRole('textbox', { name: 'Name' })
    await name.fill('Shelves and')
    await client.updateOrganization({ orgSlug }, { name: 'Shelves Ltd' })
    await page.clock.fastForward(61_000)
    await page.getByRole('navigation', { name: 'Shelves Ltd' }).waitFor()
    expect(await name.inputValue()).toBe('Shelves and')
    expect(faults).toEqual([])
    await close()
  })
})
