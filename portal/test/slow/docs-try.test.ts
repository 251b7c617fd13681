import { expect, test } from 'vitest'
import { signUp } from '../../scripts/furnish.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

inBrowser((place) => {
  const agency = (slug: string) =>
    signUp(place.service, { email: `ada@${slug}.example`, name: 'Ada', organizationName: 'Agency', organizationSlug: slug })

  test('a request is tried with one’s own session; a change asks first, and is made', async () => {
    const { token, client } = await agency('tried')
    const { page, faults, close } = await visit(place, { token })
    // Whoever signed in here is remembered; the cookie alone is not seen by the page.
    await page.goto('/account')
    await page.getByRole('heading', { level: 1, name: 'Account' }).waitFor()
    await page.goto('/docs/reference/createWorkspace', { waitUntil: 'networkidle' })
    await page.getByText('Signed in as ada@tried.example').waitFor()
    await expect.poll(() => page.getByLabel('orgSlug').inputValue()).toBe('tried')
    await page.getByLabel('Body (JSON)').fill('{ "name": "Client A"')
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByText('The body is not valid JSON.').waitFor()
    await page.getByLabel('Body (JSON)').fill('{ "name": "Client A", "slug": "client-a" }')
    await page.getByRole('button', { name: 'Send request' }).click()
    const question = page.getByRole('dialog', { name: 'This changes real data in the organization tried' })
    await question.getByRole('button', { name: 'Cancel' }).click()
    expect((await client.listWorkspaces({ orgSlug: 'tried' })).workspaces).toEqual([])
    await page.getByRole('button', { name: 'Send request' }).click()
    await expectAccessible(page)
    await question.getByRole('button', { name: 'Send it' }).click()
    const answer = page.getByRole('region', { name: 'Response' })
    await answer.getByText('201 Created').waitFor()
    await answer.getByText(/^Headers \(\d+\)$/).click()
    await answer.getByText('x-request-id').first().waitFor()
    expect((await client.listWorkspaces({ orgSlug: 'tried' })).workspaces.map(({ slug }) => slug)).toEqual(['client-a'])
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })

  test('a request is tried with a key, which is nowhere afterwards', async () => {
    const { client } = await agency('keyed')
    await client.createWorkspace({ orgSlug: 'keyed' }, { name: 'Client K', slug: 'client-k' })
    const { key } = await client.createApiKey({ orgSlug: 'keyed' }, { name: 'Docs', level: 'organization', role: 'viewer' })
    const { page, faults, close } = await visit(place, { viewport: { width: 390, height: 844 } })
    await page.goto('/docs/reference/listWorkspaces', { waitUntil: 'networkidle' })
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByText('Sign in, or paste an API key.').waitFor()
    await page.getByLabel('API key', { exact: true }).fill(key)
    await page.getByLabel('orgSlug').fill('keyed')
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByRole('region', { name: 'Response' }).getByText('"client-k"').waitFor()
    // The examples show what was filled in, and name the key only.
    await page.getByText(`/v1/organizations/keyed/workspaces'`).first().waitFor()
    expect(await page.locator('main').innerText()).not.toContain(key)
    expect(page.url()).not.toContain(key)
    expect(await page.evaluate('JSON.stringify({ ...localStorage, ...sessionStorage, state: history.state })')).not.toContain(key)
    // It goes along to the next page, and not beyond a reload.
    await page.getByRole('button', { name: 'Menu' }).click()
    await page.getByRole('link', { name: 'All operations' }).click()
    await page.getByRole('link', { name: 'Show the key I am using and what it can do' }).last().click()
    await page.getByText('Only API keys are accepted here.').waitFor()
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe(key)
    await page.reload({ waitUntil: 'networkidle' })
    expect(await page.getByLabel('API key', { exact: true }).inputValue()).toBe('')
    expect(faults).toEqual([])
    await close()
  })

  test('what is refused leads to the entry of its error', async () => {
    const { client } = await agency('refused')
    const { key } = await client.createApiKey({ orgSlug: 'refused' }, { name: 'Docs', level: 'organization', role: 'viewer' })
    const { page, close } = await visit(place)
    await page.goto('/docs/reference/createWorkspace', { waitUntil: 'networkidle' })
    await page.getByLabel('API key', { exact: true }).fill(key)
    await page.getByLabel('orgSlug').fill('refused')
    await page.getByRole('button', { name: 'Send request' }).click()
    await page.getByRole('button', { name: 'Send it' }).click()
    await page.getByRole('region', { name: 'Response' }).getByText('403 Forbidden').waitFor()
    await page.getByRole('link', { name: 'What role_too_low means' }).click()
    await page.getByRole('heading', { level: 1, name: 'role_too_low' }).waitFor()
    await close()
  })
})
