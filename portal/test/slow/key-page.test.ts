import { accessOf } from '@adjoin/contract/access'
import { createClient } from '@adjoin/contract/client'
import { expect, test } from 'vitest'
import { signIn, signUp } from '../../scripts/furnish.ts'
import { endOf, keyMay, powersOf } from '../../src/key-words.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const orgSlug = 'locks'
const asked = { email: 'ada@locks.example', name: 'Ada', organizationName: 'Locks', organizationSlug: orgSlug }
const phone = { width: 390, height: 844 }

inBrowser((place) => {
  test('a key has a page: what it may do, what it did, its replacement, and marks wherever it is named', async () => {
    const { token, client } = await signUp(place.service, asked)
    const made = await client.createApiKey({ orgSlug }, { name: 'Provisioning', level: 'organization', role: 'admin', expiresInDays: 5 })
    const program = createClient({ url: place.service.url, headers: { 'x-api-key': made.key } })
    await program.createWorkspace({ orgSlug }, { slug: 'globex', name: 'Globex' })
    const { page, faults, close } = await visit(place, { token })
    await page.goto(`/organizations/${orgSlug}/api-keys`)
    await page.getByText('expires in 5 days').waitFor()
    await page.getByRole('link', { name: 'Provisioning' }).click()
    await page.getByRole('heading', { name: 'Provisioning', level: 1 }).waitFor()
    await page.getByText('expires in 5 days').waitFor()
    await page.getByText('Create workspaces').waitFor()
    await page.getByText('Whole organization, as admin').waitFor()
    await page.getByRole('list', { name: 'Changes made with this key' }).getByText('created the workspace').waitFor()
    await page.getByRole('list', { name: 'Changes to this key' }).getByText('Ada created the key Provisioning').waitFor()
    await page
      .getByText(/ from 127\.0\.0\.1| from ::/)
      .first()
      .waitFor()
    await expectAccessible(page)

    await page.getByRole('button', { name: 'Rotate…' }).click()
    await page.getByLabel('Grace period for the old key').selectOption('72')
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByRole('button', { name: 'I’ve saved it' }).click()
    await page.getByText('This key was replaced').waitFor()
    await page.getByText(/^replaced, works until /).waitFor()
    expect(await page.getByRole('button', { name: 'Rotate…' }).count()).toBe(0)
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open the new key' }).click()
    await page.getByRole('link', { name: /^Provisioning \(adj_/ }).click()
    await page.getByText('This key was replaced').waitFor()
    await page.getByRole('button', { name: 'Actions for the key Provisioning' }).click()
    await page.getByRole('menuitem', { name: 'Revoke…' }).click()
    await page.getByRole('button', { name: 'Revoke permanently' }).click()
    await page.getByText('A new key replaced it.').waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('a key that was not copied yet is not lost in passing', async () => {
    const { token } = await signIn(place.service, asked.email)
    const { page, faults, close } = await visit(place, { token, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(`/organizations/${orgSlug}/api-keys`)
    const create = async (name: string) => {
      await page.getByRole('button', { name: 'New key' }).click()
      await page.getByLabel('Name').fill(name)
      await page.getByRole('button', { name: 'Create key' }).click()
      await page.getByTestId('key').waitFor()
    }
    await create('First')
    const key = await page.getByTestId('key').innerText()
    await page.mouse.click(5, 5)
    await page.keyboard.press('Escape')
    await page.getByText('Have you saved this key?').waitFor()
    await page.getByRole('button', { name: 'Close', exact: true }).click()
    expect(await page.getByTestId('key').innerText()).toBe(key)
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).click()
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(key)
    await expect
      .poll(async () => {
        await page.keyboard.press('Escape')
        return page.getByTestId('key').count()
      })
      .toBe(0)
    await create('Second')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Close without it' }).click()
    await expect.poll(() => page.getByTestId('key').count()).toBe(0)
    expect(faults).toEqual([])
    await close()
  })

  test('people who may not read the trail see their key without it, also on a phone', async () => {
    const grace = await signIn(place.service, 'grace@locks.example')
    const key = await grace.client.createApiKey({ orgSlug }, { name: 'Her laptop', level: 'user' })
    const { page, faults, close } = await visit(place, { token: grace.token, viewport: phone })
    await page.goto(`/organizations/${orgSlug}/api-keys/${key.id}`)
    await page.getByText('As its owner, who is member here.').waitFor()
    await page.getByText('Only people can do this').waitFor()
    expect(await page.getByText('Changes made with this key').count()).toBe(0)
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })
})

test('what a key may do is what the matrix says', () => {
  const viewer = powersOf({ level: 'workspace', role: 'viewer' })
  expect(viewer.can).toEqual(['See integrations, their status and their checks', 'Read from ad systems, where an integration allows it'])
  expect(viewer.needsRole).toContain('Change things at ad systems, where an integration allows it')
  expect(viewer.peopleOnly).toContain('Read and export the audit trail')
  for (const role of ['viewer', 'member', 'admin'] as const) {
    expect(keyMay('rotateApiKey', { level: 'workspace', role })).toBe(true)
    expect(keyMay('createApiKey', { level: 'organization', role })).toBe(accessOf('createApiKey')!.organizationKey !== '-')
  }
  expect(powersOf({ level: 'organization', role: 'admin' }).can).toContain('Read and export the audit trail')
})

test('a mark is for keys that work and stop soon', () => {
  const now = Date.parse('2026-11-15T12:00:00Z')
  const key = { status: 'active' as const, expiresAt: '2026-11-20T12:00:00Z' }
  expect(endOf(key, now)).toEqual({ why: 'expiring', at: key.expiresAt })
  expect(endOf({ ...key, replacedAt: '2026-11-14T12:00:00Z' }, now)?.why).toBe('retiring')
  expect(endOf({ ...key, expiresAt: '2027-11-20T12:00:00Z' }, now)).toBeUndefined()
  expect(endOf({ ...key, expiresAt: null }, now)).toBeUndefined()
  expect(endOf({ ...key, status: 'revoked' }, now)).toBeUndefined()
})
