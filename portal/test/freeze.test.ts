import { expect, test } from 'vitest'
import { signIn, signUp } from '../scripts/furnish.ts'
import { expectAccessible } from './accessible.ts'
import { inBrowser } from './in-browser.ts'
import { visit } from './visit.ts'

const agency = { email: 'ada@engines.example', name: 'Ada', organizationName: 'Engines', organizationSlug: 'engines' }
const home = '/organizations/engines'

inBrowser((place) => {
  test('an admin freezes everything with a reason, everyone sees who, when and why, and an admin unfreezes', async () => {
    const { token, client } = await signUp(place.service, agency)
    await client.createWorkspace({ orgSlug: 'engines' }, { slug: 'globex', name: 'Globex' })
    const grace = await signIn(place.service, 'grace@engines.example')
    const admin = await visit(place, { token })
    await admin.page.goto(`${home}/settings`)
    expect(await admin.page.getByText('Engines is frozen').count()).toBe(0)
    await admin.page.getByRole('button', { name: 'Freeze everything…' }).click()
    const dialog = admin.page.getByRole('dialog', { name: 'Freeze Engines?' })
    await expectAccessible(admin.page)
    await dialog.getByRole('button', { name: 'Freeze everything' }).click()
    await dialog.getByText('Fill in this field.').waitFor()
    await dialog.getByLabel('Reason').fill('A key leaked')
    const seen = Promise.withResolvers<void>()
    await admin.page.route('**/freeze', (route) => seen.promise.then(() => route.continue()))
    await admin.page.keyboard.press('Enter')
    await dialog.getByRole('button', { name: 'Stopping all calls…' }).waitFor()
    seen.resolve()
    await dialog.waitFor({ state: 'detached' })
    await admin.page.getByText('Engines is frozen', { exact: true }).waitFor()
    expect((await client.getOrganization({ orgSlug: 'engines' })).frozen).toMatchObject({ by: agency.email, reason: 'A key leaked' })
    await expectAccessible(admin.page)

    const member = await visit(place, { token: grace.token, viewport: { width: 390, height: 844 } })
    for (const path of ['', '/workspaces', '/workspaces/globex', '/workspaces/globex/integrations/new?provider=xandr', '/settings']) {
      await member.page.goto(`${home}${path}`)
      await member.page.getByText(`${agency.email} stopped all calls, checks and renewals`).waitFor()
      await member.page.getByText('Reason: A key leaked').waitFor()
      await member.page.getByText('Ask an admin to unfreeze it.').waitFor()
    }
    expect(await member.page.getByRole('button', { name: /reeze/ }).count()).toBe(0)
    await expectAccessible(member.page)

    await admin.page.getByRole('link', { name: 'Audit trail' }).click()
    await admin.page.getByText('froze everything for').waitFor()
    await admin.page.getByRole('button', { name: 'Unfreeze…' }).click()
    await admin.page.getByRole('dialog', { name: 'Unfreeze Engines?' }).getByRole('button', { name: 'Unfreeze' }).click()
    await admin.page.getByText('Engines is frozen', { exact: true }).waitFor({ state: 'detached' })
    expect((await client.getOrganization({ orgSlug: 'engines' })).frozen).toBeNull()
    expect([...admin.faults, ...member.faults]).toEqual([])
    await admin.close()
    await member.close()
  })
})
