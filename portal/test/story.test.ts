import { expect, test } from 'vitest'
import { codeOf, linkOf } from '../../furnishing/front-door.ts'
import { expectAccessible } from './accessible.ts'
import { chromium, inBrowser } from './in-browser.ts'
import { visit } from './visit.ts'

test('a browser is there for these tests, or it is said that they were not run', () => {
  if (!chromium)
    console.error(
      'NOT RUN: the portal’s browser tests. Set CHROMIUM to a Chromium, or install one with: npx playwright-core install chromium',
    )
  if (process.env.CI === 'true') expect(chromium, 'CI needs a browser').toBeDefined()
})

inBrowser((place) => {
  test('a person signs up, types the code of the mail, and stands in their new organization', async () => {
    const { page, faults, close } = await visit(place)
    await page.goto('/')
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Create an organization' }).click()
    await page.getByLabel('Work email').fill('ada@engines.example')
    await page.getByLabel('Your name').fill('Ada Lovelace')
    await page.getByLabel('Organization').fill('Analytical Engines')
    expect(await page.getByLabel('Slug').inputValue()).toBe('analytical-engines')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Email me a code' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('6-digit code').fill(codeOf(await place.service.mailTo('ada@engines.example')))
    await page.waitForURL('/organizations/analytical-engines')
    await page.getByRole('heading', { name: 'Analytical Engines' }).waitFor()
    await page.getByText('engines.example', { exact: false }).first().waitFor()
    await page.getByText('created the organization').waitFor()
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })

  test('the mailed link shows whom it signs in, changes nothing by being opened, and signs in by a click', async () => {
    const { page, faults, close } = await visit(place, { viewport: { width: 390, height: 844 } })
    await page.goto('/signin')
    await page.getByLabel('Email').fill('ada@engines.example')
    const before = new Date()
    await page.getByRole('button', { name: 'Email me a link' }).click()
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    const link = linkOf(await place.service.mailTo('ada@engines.example', before))
    for (const _ of ['opened', 'opened again']) {
      await page.goto('/')
      await page.goto(link)
      await page.getByText('ada@engines.example').waitFor()
    }
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Analytical Engines' }).waitFor()
    expect(faults).toEqual([])
    await close()
  })

  test('whoever is signed out is led through signing in, and back to the page they wanted', async () => {
    const { page, close } = await visit(place)
    await page.goto('/account')
    await page.waitForURL('/signin?callbackURL=%2Faccount')
    await page.getByLabel('Email').fill('ada@engines.example')
    const before = new Date()
    await page.keyboard.press('Enter')
    await page.getByLabel('6-digit code').fill(codeOf(await place.service.mailTo('ada@engines.example', before)))
    await page.waitForURL('/account')
    await expectAccessible(page)
    await page.getByLabel('Display name').fill('Ada King')
    await page.keyboard.press('Enter')
    await page.getByText('Your name was changed.').first().waitFor()
    // From the click on: a control that jumps back until the service has answered looks broken.
    const daily = page.getByRole('radio', { name: 'Once a day' })
    const isChosenAtOnce = await daily.evaluate((radio: HTMLInputElement) => {
      radio.click()
      return radio.checked
    })
    expect(isChosenAtOnce).toBe(true)
    await page.getByText('Notifications updated.').first().waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Sign out', exact: true }).click()
    await page.getByRole('heading', { name: 'Connect every ad system.' }).waitFor()
    await close()
  })

  test('a refusal stands at its field', async () => {
    const { page, close } = await visit(place)
    await page.goto('/signup')
    await page.getByLabel('Work email').fill('someone@gmail.com')
    await page.getByLabel('Your name').fill('Someone')
    await page.getByLabel('Organization').fill('Some Mailbox')
    await page.keyboard.press('Enter')
    const field = page.getByLabel('Work email')
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    await page.getByText('Use an address at your company’s own domain').waitFor()
    await expectAccessible(page)
    await close()
  })

  test('the error page speaks its own words, never those of the address', async () => {
    const { page, faults, close } = await visit(place)
    await page.goto('/error?code=Your+account+is+locked,+call+555')
    await page.getByRole('heading', { name: 'Something went wrong' }).waitFor()
    expect(await page.locator('body').innerText()).not.toContain('555')
    await page.goto('/error?code=access_denied')
    await page.getByRole('heading', { name: 'Sign-in was canceled' }).waitFor()
    await expectAccessible(page)
    await page.goto('/no/such/page')
    await page.getByRole('heading', { name: 'Page not found' }).waitFor()
    expect(faults).toEqual([expect.stringMatching(/404.*\/no\/such\/page/)])
    await close()
  })
})
