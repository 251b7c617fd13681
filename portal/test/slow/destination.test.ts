// An address is anyone's to write. Whatever it names, the portal goes nowhere but to places of its own.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, test } from 'vitest'
import { hostileUrls, trustedUrls } from '../../../api/test/hostile-urls.ts'
import { codeOf } from '../../../furnishing/front-door.ts'
import { signUp } from '../../scripts/furnish.ts'
import { placeHere } from '../../src/destination.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const HERE = 'http://localhost:3000'

describe('a place here', () => {
  it.each(hostileUrls)('is not %s', (url) => {
    expect(placeHere(url, HERE)).toBeUndefined()
  })

  it.each(trustedUrls)('%s: only if it is on this very origin, and then as a path', (url, meant) => {
    const onward = new URL(meant).searchParams.get('to') // this page knows no other trusted origin
    const ours = meant.startsWith(`${HERE}/`) && !onward?.startsWith('https://')
    expect(placeHere(url, HERE)).toBe(ours ? meant.slice(HERE.length) : undefined)
  })
})

it('nothing in the portal sends the browser anywhere but the one file that judges', () => {
  const folder = fileURLToPath(new URL('../../src', import.meta.url))
  const leaving = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name) && name !== 'destination.ts')
    .filter((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return /location(?:\[|\.(?:assign|replace)\b|\.href\s*=[^=])|window\.open|href=\{(?!hrefOf\(|`[#/]|href\(|providerStart\(|part\})/.test(
        text,
      )
    })
  expect(leaving).toEqual([])
})

inBrowser((place) => {
  const ada = { email: 'ada@walls.example', name: 'Ada', organizationName: 'Walls', organizationSlug: 'walls' }
  const foreign = (faults: string[]) => faults.filter((fault) => fault.startsWith('outside:') || fault.startsWith('script:'))
  /** Every page that goes on by itself to where its address says. */
  const corpus = hostileUrls.filter((url, at) => at % 9 === 0 || url.includes('?to=') || url.includes('callbackURL='))

  test('the page that a sign-in comes back to stays here, whatever its address says', async () => {
    const { token } = await signUp(place.service, ada)
    const { page, faults, close } = await visit(place, { token })
    for (const url of ['https://evil.example/', '//evil.example', ...corpus]) {
      const to = url.replaceAll(HERE, place.service.url)
      await page.goto(`/signin/done?${new URLSearchParams({ to })}`)
      await page.waitForURL(`${place.service.url}/organizations/walls`)
      expect([url, foreign(faults)]).toEqual([url, []])
    }
    await page.goto('/signin/done?to=%2Faccount')
    await page.getByRole('heading', { name: 'Account' }).waitFor()
    await close()
  })

  test.each(['https://evil.example/', '//evil.example', '/signin/done?to=https://evil.example'])(
    'signing in by code at /signin?callbackURL=%s stays here',
    async (callbackURL) => {
      const { page, faults, close } = await visit(place)
      await page.goto(`/signin?${new URLSearchParams({ callbackURL })}`)
      await page.getByLabel('Email').fill(ada.email)
      const before = new Date()
      await page.getByRole('button', { name: 'Email me a link' }).click()
      await page.getByLabel('6-digit code').fill(codeOf(await place.service.mailTo(ada.email, before)))
      await page.waitForURL(`${place.service.url}/organizations/walls`)
      expect(foreign(faults)).toEqual([])
      await close()
    },
  )

  test('whoever brings an error in the name of an ad system is offered the agency’s page, and not sent there', async () => {
    const { client } = await signUp(place.service, {
      ...ada,
      email: 'ada@gates.example',
      organizationName: 'Gates',
      organizationSlug: 'gates',
    })
    await client.createWorkspace({ orgSlug: 'gates' }, { slug: 'globex', name: 'Globex' })
    const { connectUrl } = await client.createIntegration(
      { orgSlug: 'gates', workspaceSlug: 'globex' },
      { provider: 'google_ads', name: 'Search', settings: { customerId: '1234567890' }, returnUrl: 'https://evil.example/landing' },
    )
    const { authorizationUrl } = await client.startConnectOAuth({ token: connectUrl.split('/').at(-1)! }, {})
    const state = new URL(authorizationUrl).searchParams.get('state')!
    const { page, faults, close } = await visit(place)
    await page.goto(`/v1/connect/oauth/callback?${new URLSearchParams({ state, error: 'access_denied' })}`)
    await page.getByRole('heading', { name: 'You didn’t allow access' }).waitFor()
    const onward = page.getByRole('link', { name: 'Continue to evil.example without connecting' })
    expect(await onward.getAttribute('href')).toMatch(/^https:\/\/evil\.example\/landing\?status=canceled&integrationId=/)
    await expectAccessible(page)
    expect(faults).toEqual([])
    await close()
  })
})
