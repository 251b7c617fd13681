import { afterAll, expect, test } from 'vitest'
import { type OpenIdProvider, startOpenIdProvider } from '../../../api/test/openid-provider.ts'
import { codeOf } from '../../../furnishing/front-door.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

let google: OpenIdProvider
afterAll(() => google?.close())

const settings = async (url: string) => {
  google = await startOpenIdProvider(`${url}/v1/auth/google/callback`)
  const { clientId, clientSecret, issuer } = google.client
  return { GOOGLE_CLIENT_ID: clientId, GOOGLE_CLIENT_SECRET: clientSecret, GOOGLE_ISSUER: issuer }
}

inBrowser((place) => {
  test('a person signs up with the provider that is set up, and only that one is offered', async () => {
    google.next = { sub: 'ada', email: 'ada@weavers.example', email_verified: true, name: 'Ada' }
    const { page, close } = await visit(place)
    await page.goto('/signup')
    await page.getByLabel('Work email').fill('ada@weavers.example')
    await page.getByLabel('Your name').fill('Ada')
    await page.getByLabel('Organization').fill('Weavers')
    await page.getByRole('button', { name: 'Sign up with Google' }).waitFor()
    expect(await page.getByRole('button', { name: /Microsoft/ }).count()).toBe(0)
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign up with Google' }).click()
    await page.waitForURL('/organizations/weavers')
    await page.getByText('created the organization').waitFor()
    await close()
  })

  test('signing in with the provider leads back to the page that was wanted', async () => {
    const { page, close } = await visit(place)
    await page.goto('/account')
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await page.waitForURL('/account')
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await page.getByText('with Google').first().waitFor()
    await close()
  })

  test('an address that the provider does not vouch for is confirmed by a mailed code', async () => {
    google.next = { sub: 'grace', email: 'grace@weavers.example', email_verified: false, name: 'Grace' }
    const { page, close } = await visit(place)
    await page.goto('/signin')
    const before = new Date()
    await page.getByRole('link', { name: 'Continue with Google' }).click()
    await page.getByRole('heading', { name: 'Confirm your email address' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('6-digit code').fill(codeOf(await place.service.mailTo('grace@weavers.example', before)))
    await page.waitForURL('/organizations/weavers')
    await close()
  })

  test('a person who declines at the provider lands on a page that says so', async () => {
    google.next = null
    const { page, faults, close } = await visit(place)
    await page.goto('/v1/auth/google')
    await page.getByRole('heading', { name: 'Sign-in was canceled' }).waitFor()
    expect(faults.filter((fault) => !fault.startsWith(`outside: ${google.client.issuer}`))).toEqual([])
    await close()
  })
}, settings)
