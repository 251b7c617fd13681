import { expect, test } from 'vitest'
import { signIn, signUp } from '../../scripts/furnish.ts'
import { furnishMany } from '../../scripts/furnish-many.ts'
import { everyCheckDay } from '../../src/pages/workspace-health.tsx'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const orgSlug = 'engines'
const agency = { email: 'ada@engines.example', name: 'Ada', organizationName: 'Engines', organizationSlug: orgSlug }
const home = `/organizations/${orgSlug}/workspaces/client-8`
const phone = { width: 390, height: 844 }

inBrowser((place) => {
  test('one client at one glance: what waits for whom, how the month was, and its integrations, as the address says', async () => {
    const { token, client } = await signUp(place.service, agency)
    await furnishMany(place.database, orgSlug, 40)
    const { page, faults, close } = await visit(place, { token, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(home)
    const theirs = page.getByRole('region', { name: 'Your clients need to act' })
    await theirs.getByRole('button', { name: /^New link for / }).click()
    await page.getByText('New link created and copied').first().waitFor()
    await page.getByText('5 of 5 shown').waitFor()
    const rows = page.getByRole('table', { name: 'Integrations' }).locator('[data-row]')
    expect(await rows.count()).toBe(5)
    await page.getByText('Nothing expires soon.').waitFor()
    await page.getByText('No checks yet.').waitFor()
    expect(await page.getByLabel('Workspace', { exact: true }).count()).toBe(0)
    await expectAccessible(page)
    await page.getByLabel('Status', { exact: true }).selectOption('active')
    await page.waitForURL(`${home}?status=active`)
    await page.getByText('4 of 4 shown, 5 in total').waitFor()
    await page.getByRole('button', { name: 'Integration', exact: true }).click()
    await page.waitForURL(`${home}?status=active&sort=name`)
    await page.reload()
    await page.getByText('4 of 4 shown, 5 in total').waitFor()
    await page.getByLabel('Select all shown').check()
    await page.getByRole('region', { name: 'Selection' }).getByText('4 selected').waitFor()

    await client.updateWorkspace({ orgSlug, workspaceSlug: 'client-8' }, { name: 'Söhne' })
    await page
      .getByRole('navigation', { name: /8|Söhne/ })
      .getByRole('link', { name: 'Activity' })
      .click()
    await page.getByRole('list', { name: 'Activity' }).getByText('Ada renamed the workspace Söhne').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open in the audit trail' }).click()
    await page.waitForURL(`/organizations/${orgSlug}/audit?workspace=client-8`)
    expect(faults).toEqual([])
    await close()
  })

  test('a person has a page: their role, where they get to, their keys, and what they did', async () => {
    const { token, client } = await signIn(place.service, agency.email)
    const grace = await signIn(place.service, 'grace@engines.example')
    const { id: userId } = await grace.client.updateMe({ name: 'Grace' })
    await client.setWorkspaceMember({ orgSlug, workspaceSlug: 'client-3', userId }, { role: 'admin' })
    await grace.client.createApiKey({ orgSlug }, { name: 'Her laptop', level: 'user', expiresInDays: 3 })
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`/organizations/${orgSlug}/members`)
    await page.getByRole('link', { name: 'Grace' }).click()
    await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor()
    await page.getByText('Can see 40 workspaces. Has a role of their own in 1 of them.').waitFor()
    const workspaces = page.getByRole('table', { name: 'Workspaces' })
    // What somebody gave them on purpose comes first.
    expect(await workspaces.getByRole('row').nth(1).innerText()).toMatch(/Umbrella 3[\s\S]*admin/)
    await page.getByRole('button', { name: 'Show all 40' }).click()
    expect(await workspaces.getByRole('row').count()).toBe(41)
    await page.getByRole('table', { name: 'API keys' }).getByText('expires in 3 days').waitFor()
    await page.getByRole('list', { name: 'Activity' }).getByText('created the key Her laptop').waitFor()
    await expectAccessible(page)
    const role = page.getByRole('combobox', { name: 'Role of Grace' })
    await role.selectOption('viewer')
    await page.getByText('Grace is now a viewer.').first().waitFor()

    const seenByGrace = await visit(place, { token: grace.token, viewport: phone })
    await seenByGrace.page.goto(`/organizations/${orgSlug}/members/${(await client.getMe()).id}`)
    await seenByGrace.page.getByText('Can see 40 workspaces.').waitFor()
    expect(await seenByGrace.page.getByRole('heading', { level: 2 }).allInnerTexts()).toEqual(['Details', 'Workspaces', 'API keys'])
    expect(await seenByGrace.page.getByRole('combobox', { name: /^Role of/ }).count()).toBe(0)
    await expectAccessible(seenByGrace.page)
    await seenByGrace.page.goto(`/organizations/${orgSlug}/members/${crypto.randomUUID()}`)
    await seenByGrace.page.getByText('or has left it').waitFor()

    await page.getByRole('button', { name: 'Remove…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.waitForURL(`/organizations/${orgSlug}/members`)
    await page.getByText('Grace was removed.').first().waitFor()
    expect([...faults, ...seenByGrace.faults]).toEqual([])
    await seenByGrace.close()
    await close()
  })
})

test('a month has a bar for every day', () => {
  const days = everyCheckDay([{ day: '2026-11-14', verified: 3, rejected: 1, unreachable: 0 }], Date.parse('2026-11-15T01:00:00Z'))
  expect(days).toHaveLength(30)
  expect(days.at(-2)).toEqual({ from: '2026-11-14', verified: 3, rejected: 1, unreachable: 0 })
  expect(days.at(-1)).toEqual({ from: '2026-11-15', verified: 0, rejected: 0, unreachable: 0 })
})
