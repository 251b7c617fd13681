import { createClient } from '@adjoin/contract/client'
import { expect, test } from 'vitest'
import { codeOf, linkOf } from '../../../furnishing/front-door.ts'
import { signIn, signUp } from '../../scripts/furnish.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

inBrowser((place) => {
  test('an admin opens a workspace and invites a client to it, who joins as a guest and sees that workspace alone', async () => {
    const ada = { email: 'ada@looms.example', name: 'Ada', organizationName: 'Looms', organizationSlug: 'looms' }
    const { token } = await signUp(place.service, ada)
    const admin = await visit(place, { token })
    await admin.page.goto('/organizations/looms/workspaces')
    await admin.page.getByText('No workspaces yet').waitFor()
    await expectAccessible(admin.page)
    await admin.page.getByRole('button', { name: 'New workspace' }).click()
    await admin.page.getByLabel('Name').fill('Globex Europe')
    expect(await admin.page.getByLabel('Slug').inputValue()).toBe('globex-europe')
    await admin.page.keyboard.press('Enter')
    await admin.page.waitForURL('/organizations/looms/workspaces/globex-europe')
    await admin.page.getByRole('navigation', { name: 'Globex Europe' }).getByRole('link', { name: 'Members' }).click()
    await admin.page.getByText('from the organization').waitFor()
    await admin.page.getByRole('button', { name: 'Invite' }).click()
    await admin.page.getByLabel('Email').fill('grace@globex.example')
    await admin.page.getByLabel('Role', { exact: true }).selectOption('viewer')
    await admin.page.getByRole('button', { name: 'Send invitation' }).click()
    await admin.page.getByRole('cell', { name: 'grace@globex.example', exact: true }).waitFor()

    const guest = await visit(place, { viewport: { width: 390, height: 844 } })
    await guest.page.goto(linkOf(await place.service.mailTo('grace@globex.example')))
    await guest.page.getByRole('heading', { name: 'Join Globex Europe (Looms)' }).waitFor()
    expect(await guest.page.locator('main').innerText()).toContain('g•••@globex.example')
    await expectAccessible(guest.page)
    const before = new Date()
    await guest.page.getByRole('link', { name: 'Sign in with this email' }).click()
    await guest.page.getByLabel('Email').fill('grace@globex.example')
    await guest.page.keyboard.press('Enter')
    await guest.page.getByLabel('6-digit code').fill(codeOf(await place.service.mailTo('grace@globex.example', before)))
    await guest.page.getByRole('button', { name: 'Accept' }).click()
    await guest.page.waitForURL('/organizations/looms/workspaces/globex-europe')
    const nav = guest.page.getByRole('navigation', { name: 'Looms' })
    await nav.getByRole('link', { name: 'Workspaces' }).waitFor()
    expect(await nav.getByRole('link').allInnerTexts()).not.toContain('Members')
    await guest.page.goto('/organizations/looms/workspaces/globex-europe/members')
    await guest.page.getByText('this workspace only').waitFor()
    expect(await guest.page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    await expectAccessible(guest.page)

    await admin.page.reload()
    const role = admin.page.getByRole('combobox', { name: /Role of grace/ })
    await role.selectOption('member')
    await expect.poll(() => role.inputValue()).toBe('member')
    expect([...admin.faults, ...guest.faults]).toEqual([])
    await admin.close()
    await guest.close()
  })

  test('an invitation opened by someone else is explained, and stays unanswered', async () => {
    const { client } = await signUp(place.service, {
      email: 'ada@mills.example',
      name: 'Ada',
      organizationName: 'Mills',
      organizationSlug: 'mills',
    })
    await client.createOrganizationInvitation({ orgSlug: 'mills' }, { email: 'invited@elsewhere.example', role: 'member' })
    const { page, close } = await visit(place)
    await page.goto('/signin')
    await page.getByLabel('Email').fill('ada@mills.example')
    const before = new Date()
    await page.keyboard.press('Enter')
    await page.getByLabel('6-digit code').fill(codeOf(await place.service.mailTo('ada@mills.example', before)))
    await page.waitForURL('/organizations/mills')
    await page.goto(linkOf(await place.service.mailTo('invited@elsewhere.example')))
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('This invitation is for another email address').waitFor()
    const { invitations } = await client.listOrganizationInvitations({ orgSlug: 'mills' })
    expect(invitations.map(({ status }) => status)).toEqual(['pending'])
    await close()
  })

  test('the last admin cannot be demoted, and is told why', async () => {
    const { token } = await signUp(place.service, {
      email: 'ada@gears.example',
      name: 'Ada',
      organizationName: 'Gears',
      organizationSlug: 'gears',
    })
    const { page, close } = await visit(place, { token })
    await page.goto('/organizations/gears/members')
    const role = page.getByRole('combobox', { name: 'Role of Ada' })
    await role.selectOption('viewer')
    await page.getByText('An organization needs at least one admin.').first().waitFor()
    await expect.poll(() => role.inputValue()).toBe('admin')
    await close()
  })

  test('a colleague joins through the domain and finds only what a member may do', async () => {
    const domain = { email: 'ada@springs.example', name: 'Ada', organizationName: 'Springs', organizationSlug: 'springs' }
    await signUp(place.service, domain)
    const { token } = await signIn(place.service, 'grace@springs.example')
    const { page, faults, close } = await visit(place, { token })
    await page.goto('/organizations/springs')
    const nav = page.getByRole('navigation', { name: 'Springs' })
    await nav.getByRole('link', { name: 'Members' }).waitFor()
    expect(await nav.getByRole('link').allInnerTexts()).toEqual(['Overview', 'Workspaces', 'Members', 'API keys', 'Settings'])
    await nav.getByRole('link', { name: 'Members' }).click()
    await page.getByRole('cell', { name: 'ada@springs.example' }).waitFor()
    expect(await page.getByRole('button', { name: 'Invite' }).count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test('removing someone asks what becomes of the organization keys they made, and shows when each was last used', async () => {
    const ada = { email: 'ada@ropes.example', name: 'Ada', organizationName: 'Ropes', organizationSlug: 'ropes' }
    const { token, client } = await signUp(place.service, ada)
    const grace = await signIn(place.service, 'grace@ropes.example')
    const orgSlug = 'ropes'
    const { id: userId } = await grace.client.getMe()
    await client.updateOrganizationMember({ orgSlug, userId }, { role: 'admin' })
    const mint = (by: typeof client, name: string) => by.createApiKey({ orgSlug }, { name, level: 'organization', role: 'viewer' })
    const [used, unused, own] = [await mint(grace.client, 'Reporting'), await mint(grace.client, 'Old script'), await mint(client, 'Mine')]
    const statusOf = (key: string) =>
      createClient({ url: place.service.url, headers: { 'x-api-key': key } })
        .getCurrentApiKey()
        .then(
          () => 200,
          ({ status }) => status,
        )
    expect(await statusOf(used.key)).toBe(200)
    await expect.poll(async () => (await client.getApiKey({ orgSlug, id: used.id })).lastRequest).toBeTruthy()

    const { page, faults, close } = await visit(place, { token })
    await page.goto('/organizations/ropes/members')
    const remove = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Remove…' }).click()
    }
    await remove('grace')
    const dialog = page.getByRole('dialog', { name: 'Remove grace?' })
    await dialog.getByText('grace created 2 organization keys').waitFor()
    expect(await dialog.getByRole('listitem').filter({ hasText: 'Reporting' }).innerText()).toContain('last used')
    expect(await dialog.getByRole('listitem').filter({ hasText: 'Old script' }).innerText()).toContain('never used')
    expect(await dialog.innerText()).not.toContain('Mine')
    expect(await dialog.getByRole('radio', { name: 'Keep working' }).isChecked()).toBe(true)
    await expectAccessible(page)
    await dialog.getByRole('radio', { name: 'Revoke now' }).check()
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('grace was removed.').first().waitFor()
    expect(await Promise.all([used, unused, own].map(({ key }) => statusOf(key)))).toEqual([401, 401, 200])

    // Whoever made none is removed without being asked about them.
    await signIn(place.service, 'edsger@ropes.example')
    await page.reload()
    await remove('edsger')
    await page.getByRole('dialog', { name: 'Remove edsger?' }).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('edsger was removed.').first().waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('an admin turns automatic joining off: colleagues need an invitation from then on', async () => {
    const ada = { email: 'ada@sails.example', name: 'Ada', organizationName: 'Sails', organizationSlug: 'sails' }
    const { token, client } = await signUp(place.service, ada)
    const { page, faults, close } = await visit(place, { token })
    await page.goto('/organizations/sails/members')
    await page.getByText('Anyone who verifies an @sails.example email joins as a member.').waitFor()
    await page.goto('/organizations/sails/settings')
    const joining = page.getByRole('switch', { name: 'Let people with an @sails.example email join' })
    expect(await joining.isChecked()).toBe(true)
    await expectAccessible(page)
    await joining.click()
    await page.getByText('Automatic joining is off.').first().waitFor()
    await page.getByText('need an invitation, like everyone else').waitFor()
    expect((await client.getOrganization({ orgSlug: 'sails' })).autoJoin).toBe(false)
    await page.goto('/organizations/sails/members')
    await page.getByText('People join by invitation only.').waitFor()
    expect(faults).toEqual([])
    await close()
  })
})
