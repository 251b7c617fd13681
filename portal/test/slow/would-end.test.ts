import { expect, test } from 'vitest'
import { signIn, signUp } from '../../scripts/furnish.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const orgSlug = 'engines'
const globex = { orgSlug, workspaceSlug: 'globex' }
const home = `/organizations/${orgSlug}`

inBrowser((place) => {
  test('what a change would end is shown before it is made, with its last use', async () => {
    const { token, client } = await signUp(place.service, {
      email: 'ada@engines.example',
      name: 'Ada',
      organizationName: 'Engines',
      organizationSlug: orgSlug,
    })
    await client.createWorkspace({ orgSlug }, { slug: 'globex', name: 'Globex' })
    const grace = await signIn(place.service, 'grace@engines.example')
    const { id: userId } = await grace.client.updateMe({ name: 'Grace' })
    await client.setWorkspaceMember({ ...globex, userId }, { role: 'admin' })
    await grace.client.createApiKey({ orgSlug }, { name: 'Her laptop', level: 'user' })
    await grace.client.createApiKey({ orgSlug }, { name: 'Globex reports', level: 'workspace', role: 'viewer', workspaceSlug: 'globex' })
    const exports = await client.createApiKey({ orgSlug }, { name: 'Exports', level: 'organization', role: 'viewer' })
    await fetch(`${place.service.url}/v1/organizations/${orgSlug}/workspaces`, { headers: { 'x-api-key': exports.key } })
    await expect.poll(async () => (await client.getApiKey({ orgSlug, id: exports.id })).lastRequest).toBeTypeOf('string')
    const { id } = await client.createIntegration(globex, { provider: 'xandr', name: 'Monetize' })

    const { page, faults, close } = await visit(place, { token })
    const dialog = page.getByRole('dialog')
    const affected = dialog.getByRole('region', { name: 'What this affects' })
    await page.goto(`${home}/api-keys`)
    await page.getByRole('button', { name: 'Actions for the key Exports' }).click()
    await page.getByRole('menuitem', { name: 'Revoke…' }).click()
    await affected.getByText(/last used/).waitFor()
    await expectAccessible(page)

    await page.goto(`${home}/members`)
    await page.getByRole('button', { name: 'Actions for Grace' }).click()
    await page.getByRole('menuitem', { name: 'Remove…' }).click()
    await affected.getByText('2 API keys will stop working').waitFor()
    await affected.getByText('Her laptop').waitFor()

    await page.goto(`${home}/workspaces/globex/members`)
    await page.getByRole('button', { name: 'Actions for Grace' }).click()
    await page.getByRole('menuitem', { name: 'Remove…' }).click()
    await affected.getByText('1 API key will stop working').waitFor()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Grace was removed from this workspace.').first().waitFor()

    await page.goto(`${home}/workspaces/globex/integrations/${id}/settings`)
    for (const action of ['Disable…', 'Delete…']) {
      await page.getByRole('button', { name: action }).click()
      await affected.getByText('1 connect link will stop working').waitFor()
      await dialog.getByRole('button', { name: 'Cancel' }).click()
    }

    await page.goto(`${home}/workspaces/globex/settings`)
    await page.getByRole('button', { name: 'Delete this workspace…' }).click()
    await affected.getByText('1 integration will be affected').waitFor()
    const end = dialog.getByRole('button', { name: 'Delete permanently' })
    expect(await end.isDisabled()).toBe(true)
    await expectAccessible(page)
    await dialog.getByLabel('Type “Globex” to confirm').fill('Globex')
    await end.click()
    await page.getByText('Globex was deleted.').first().waitFor()
    expect(faults).toEqual([])
    await close()
  })
})
