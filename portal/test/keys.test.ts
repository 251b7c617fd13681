import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { signIn, signUp } from '../scripts/furnish.ts'
import { expectAccessible } from './accessible.ts'
import { inBrowser } from './in-browser.ts'
import { visit } from './visit.ts'

const asked = { email: 'ada@locks.example', name: 'Ada', organizationName: 'Locks', organizationSlug: 'locks' }

/** The key as it is shown once, taken away before the dialog is closed. */
async function takeKey(page: Page): Promise<string> {
  const key = await page.getByTestId('key').innerText()
  await page.getByRole('button', { name: 'I’ve saved it' }).click()
  return key
}
const act = async (page: Page, key: string, action: string) => {
  await page
    .getByRole('button', { name: `Actions for the key ${key}` })
    .first()
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

inBrowser((place) => {
  const statusWith = async (key: string) =>
    (await fetch(`${place.service.url}/v1/organizations/locks`, { headers: { 'x-api-key': key } })).status

  test('a key is shown once, works, is rotated with a grace window, disabled, enabled and revoked', async () => {
    const { token } = await signUp(place.service, asked)
    const { page, faults, close } = await visit(place, { token })
    await page.goto('/organizations/locks/api-keys')
    await page.getByText('No API keys yet').waitFor()
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Name').fill('Reporting')
    await page.getByLabel('Access').selectOption('organization')
    await page.getByLabel('Role', { exact: true }).selectOption('viewer')
    await page.getByRole('button', { name: 'Create key' }).click()
    await page.getByText('Copy this key now').waitFor()
    await expectAccessible(page)
    const first = await takeKey(page)
    expect(await page.content()).not.toContain(first)
    expect(await statusWith(first)).toBe(200)

    await page.getByRole('link', { name: 'Reporting' }).click()
    await page.getByText('No agent has used this key in this period.').waitFor()
    await expectAccessible(page)
    await page.goBack()

    await act(page, 'Reporting', 'Rotate…')
    await page.getByLabel('Grace period for the old key').selectOption('24')
    await page.getByRole('button', { name: 'Rotate', exact: true }).click()
    await page.getByText('Copy this key now').waitFor()
    const second = await takeKey(page)
    await expect.poll(() => page.getByRole('button', { name: 'Actions for the key Reporting' }).count()).toBe(2)
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 200])

    await act(page, 'Reporting', 'Disable')
    await page.getByText('disabled', { exact: true }).waitFor()
    expect(await statusWith(second)).toBe(401)
    await act(page, 'Reporting', 'Enable')
    await expect.poll(() => statusWith(second)).toBe(200)
    await act(page, 'Reporting', 'Revoke…')
    await page.getByRole('button', { name: 'Revoke permanently' }).click()
    await page.getByRole('button', { name: 'Show 1 revoked or expired' }).waitFor()
    expect([await statusWith(first), await statusWith(second)]).toEqual([200, 401])
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })

  test('a key for an agent reads and expires, and its page shows what was asked, by tool and client', async () => {
    const { token } = await signIn(place.service, 'ada@locks.example')
    const { page, faults, close } = await visit(place, { token })
    await page.goto('/organizations/locks/api-keys')
    await page.getByRole('button', { name: 'New key' }).click()
    await page.getByLabel('Prepare').selectOption('For an agent')
    expect(await page.getByLabel('Access').locator('option').allInnerTexts()).not.toContain('Same as yours')
    expect(await page.getByLabel('Role', { exact: true }).inputValue()).toBe('viewer')
    expect(await page.getByLabel('Expires').inputValue()).toBe('90')
    await expectAccessible(page)
    await page.getByLabel('Name').fill('Assistant')
    await page.getByRole('button', { name: 'Create key' }).click()
    const key = await takeKey(page)
    const answer = await fetch(`${place.service.url}/mcp`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'find_integrations', arguments: {} } }),
    })
    expect(answer.status).toBe(200)
    await page.getByRole('link', { name: 'Assistant' }).click()
    // Counts are written every few seconds.
    await expect
      .poll(async () => {
        await page.reload()
        return page.getByRole('row', { name: /find_integrations All clients 1 0 0/ }).count()
      })
      .toBe(1)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })

  test('whoever administers nothing is offered keys of their own only', async () => {
    const { token } = await signIn(place.service, 'grace@locks.example')
    const { page, faults, close } = await visit(place, { token, viewport: { width: 390, height: 844 } })
    await page.goto('/organizations/locks/api-keys')
    await page.getByRole('button', { name: 'New key' }).click()
    expect(await page.getByLabel('Access').locator('option').allInnerTexts()).toEqual(['Same as yours'])
    await page.getByLabel('Name').fill('My laptop')
    await page.getByRole('button', { name: 'Create key' }).click()
    expect(await statusWith(await takeKey(page))).toBe(200)
    await page.getByText('Same as yours').waitFor()
    expect(faults).toEqual([])
    await close()
  })
})
