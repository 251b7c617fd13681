import { createClient } from '@adjoin/contract/client'
import { expect, test } from 'vitest'
import { signIn, signUp } from '../scripts/furnish.ts'
import { expectAccessible } from './accessible.ts'
import { inBrowser } from './in-browser.ts'
import { visit } from './visit.ts'

inBrowser((place) => {
  test('a command line is signed in after a look at who asks, and signed out again from the list of sessions', async () => {
    const { token } = await signUp(place.service, {
      email: 'ada@doors.example',
      name: 'Ada',
      organizationName: 'Doors',
      organizationSlug: 'doors',
    })
    const anonymous = createClient({ url: place.service.url, headers: { 'user-agent': 'adjoin-cli/0.1.0' } })
    const asked = await anonymous.startDeviceLogin({ clientName: 'Adjoin CLI on build-7' })
    const { page, faults, close } = await visit(place, { token })
    await page.goto(asked.verificationUriComplete)
    await page.getByText('Adjoin CLI on build-7').waitFor()
    await page.getByText(asked.userCode).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Approve' }).click()
    await page.getByText('Go back to the device').waitFor()
    const { token: device } = await anonymous.pollDeviceLogin({ deviceCode: asked.deviceCode })
    const cli = createClient({ url: place.service.url, headers: { authorization: `Bearer ${device}` } })
    expect((await cli.getMe()).email).toBe('ada@doors.example')

    await page.goto('/account')
    await page.getByRole('button', { name: 'Sign out Adjoin command line' }).click()
    await expect
      .poll(() =>
        cli.getMe().then(
          () => 'in',
          () => 'out',
        ),
      )
      .toBe('out')
    expect(faults).toEqual([])
    await close()
  })

  test('a session that ended elsewhere leads to signing in, not to a broken page', async () => {
    const { token, client } = await signIn(place.service, 'ada@doors.example')
    const { page, close } = await visit(place, { token })
    await page.goto('/organizations/doors')
    await page.getByRole('heading', { name: 'Doors' }).waitFor()
    await client.signOut()
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.waitForURL('/signin?callbackURL=%2Forganizations%2Fdoors%2Fwebhooks')
    await close()
  })

  test('the service being away is said plainly, and the page comes when it is back', async () => {
    const { token } = await signIn(place.service, 'ada@doors.example')
    const { page, close } = await visit(place, { token })
    await page.goto('/organizations/doors')
    await page.getByRole('heading', { name: 'Doors' }).waitFor()
    await page.route('**/v1/**', (route) => route.abort())
    await page.getByRole('link', { name: 'Webhooks' }).click()
    await page.getByRole('heading', { name: 'We can’t reach Adjoin' }).waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.unroute('**/v1/**')
    await page.getByRole('heading', { name: 'Webhooks', level: 1 }).waitFor()
    await close()
  })
})
