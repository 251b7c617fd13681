import type { Client } from '@adjoin/contract/client'
import pg from 'pg'
import { expect, test } from 'vitest'
import { consent, signIn, signUp } from '../scripts/furnish.ts'
import { expectAccessible } from './accessible.ts'
import { inBrowser, type TestSite } from './in-browser.ts'
import { visit } from './visit.ts'

const orgSlug = 'engines'
const agency = { email: 'ada@engines.example', name: 'Ada', organizationName: 'Engines', organizationSlug: orgSlug }
const home = `/organizations/${orgSlug}`
const globex = { orgSlug, workspaceSlug: 'globex' }
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }

/** Six that the same person agreed to, whose access then ended; not to be checked soon, since at a twin nothing was revoked. */
async function dieTogether({ service, database }: TestSite, client: Client): Promise<void> {
  for (let n = 1; n <= 6; n++) {
    const made = await client.createIntegration(globex, {
      provider: 'google_ads',
      name: `Search ${n}`,
      settings: { customerId: '1234567890' },
    })
    await consent(service.url, made.connectUrl, 'allow')
  }
  const db = new pg.Client({ connectionString: database })
  await db.connect()
  await db.query(`update integrations set status = 'error', status_detail = 'Access was revoked. Connect again.', status_reason = 'grant_revoked',
    check_due_at = now() + interval '1 day', renew_due_at = null`)
  await db.end()
}

inBrowser((place) => {
  test('what died with one login is one problem with one link, which brings all of it back', async () => {
    const { token, client } = await signUp(place.service, agency)
    await client.createWorkspace({ orgSlug }, { slug: 'globex', name: 'Globex' })
    await dieTogether(place, client)
    await client.createIntegration(globex, { provider: 'xandr', name: 'Publisher seat' })
    const { page, faults, close } = await visit(place, { token, permissions: ['clipboard-read', 'clipboard-write'] })
    await page.goto(home)
    const theirs = page.getByRole('region', { name: 'Your clients need to act' })
    await theirs.getByText('6 Google Ads connections with one login').waitFor()
    await theirs.getByRole('link', { name: 'Publisher seat' }).waitFor()
    expect(await theirs.getByRole('listitem').count()).toBe(2)
    await expectAccessible(page)
    await theirs.getByRole('button', { name: 'New link for 6 Google Ads connections with one login' }).click()
    await page.getByText('New link created and copied').first().waitFor()
    await theirs.getByRole('button', { name: 'Copy link of 6 Google Ads connections with one login' }).waitFor()
    const link = String(await page.evaluate('navigator.clipboard.readText()'))

    const client2 = await visit(place, phone)
    await client2.page.goto(link)
    await client2.page.getByRole('button', { name: 'Continue to Google Ads' }).click()
    await client2.page.getByRole('link', { name: 'Allow', exact: true }).click()
    await client2.page.getByRole('button', { name: /renew/i }).click()
    await expect.poll(async () => (await client.listIntegrations({ ...globex, status: 'active' })).integrations.length).toBe(6)
    await page.reload()
    await theirs.getByRole('link', { name: 'Publisher seat' }).waitFor()
    expect(await theirs.getByText('with one login').count()).toBe(0)
    expect([...faults, ...client2.faults]).toEqual([])
    await client2.close()
    await close()
  })

  test('what a request asks for leads to the request, on the overview and on its own page', async () => {
    const { token, client } = await signIn(place.service, agency.email)
    const request = await client.createConnectRequest(globex, { title: 'Spring', items: [{ provider: 'criteo', name: 'Retargeting' }] })
    const { page, faults, close } = await visit(place, { token })
    await page.goto(home)
    await page.getByRole('link', { name: 'Open request for Retargeting' }).click()
    await page.waitForURL(`${home}/workspaces/globex/requests/${request.id}`)
    await page.getByRole('list', { name: 'Checklist' }).getByRole('link', { name: 'Retargeting' }).click()
    await page.getByText('This integration is part of a connect request to your client. This page updates').waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Open request' }).click()
    await page.getByRole('heading', { name: 'Spring' }).waitFor()
    expect(faults).toEqual([])
    await close()
  })
})
