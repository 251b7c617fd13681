// Every page, light and dark, on a phone and on a desk, into screenshots/ (which git ignores): `npm run screenshots --workspace portal`.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { findChromium, launch } from './chromium.ts'
import { type Furnished, furnish } from './furnish.ts'
import { startService } from './service.ts'

const FOLDER = fileURLToPath(new URL('../../screenshots', import.meta.url))
const shapes = { phone: { width: 390, height: 844 }, desk: { width: 1440, height: 900 } } as const

type Scene = [name: string, path: string, act?: (page: Page) => Promise<unknown>]
const click = (name: string | RegExp) => (page: Page) => page.getByRole('button', { name }).first().click()

const outside: Scene[] = [
  ['landing', '/'],
  ['sign-up', '/signup'],
  ['sign-in', '/signin'],
  ['error', '/error?code=account_unknown'],
  ['not-found', '/no/such/page'],
  ['mailbox', '/dev/mailbox'],
]
const inside = ({ organization: o, workspace: w }: Furnished): Scene[] => [
  ['organization', o],
  ['account-menu', o, click('Account')],
  ['command-menu', o, (page) => page.keyboard.press('Control+k')],
  ['workspaces', `${o}/workspaces`],
  ['workspace-new', `${o}/workspaces`, click('New workspace')],
  ['workspace', w],
  ['workspace-members', `${w}/members`],
  ['workspace-settings', `${w}/settings`],
  ['workspace-delete', `${w}/settings`, click(/Delete this/)],
  ['members', `${o}/members`],
  ['invite', `${o}/members`, click('Invite')],
  ['api-keys', `${o}/api-keys`],
  ['api-key-new', `${o}/api-keys`, click('New key')],
  ['api-key-menu', `${o}/api-keys`, click(/Actions for the key/)],
  ['audit', `${o}/audit`, (page) => page.locator('summary').first().click()],
  ['organization-settings', `${o}/settings`],
  ['account', '/account'],
  ['device', '/device'],
  ['gone', `${o}/workspaces/none-of-this-name`],
]

async function shoot(
  browser: Browser,
  url: string,
  cookies: { name: string; value: string; url: string }[],
  scenes: Scene[],
): Promise<void> {
  for (const [shape, viewport] of Object.entries(shapes))
    for (const colorScheme of ['light', 'dark'] as const) {
      const phone = shape === 'phone'
      const context = await browser.newContext({
        baseURL: url,
        viewport,
        colorScheme,
        isMobile: phone,
        hasTouch: phone,
        reducedMotion: 'reduce',
      })
      await context.addCookies(cookies)
      const page = await context.newPage()
      for (const [name, path, act] of scenes) {
        await page.goto(path, { waitUntil: 'networkidle' })
        await act?.(page)
        await page.waitForTimeout(200)
        await page.screenshot({ path: join(FOLDER, `${name}-${shape}-${colorScheme}.png`), fullPage: act === undefined })
      }
      await context.close()
    }
}

const chromium = findChromium()
if (!chromium) throw new Error('No Chromium can be found or installed. Set CHROMIUM to one.')
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const service = await startService()
const browser = await launch(chromium)
try {
  const furnished = await furnish(service)
  await shoot(browser, service.url, [], outside)
  await shoot(browser, service.url, [{ name: 'adjoin_session', value: furnished.token, url: service.url }], inside(furnished))
  console.log(`Screenshots are in ${FOLDER}`)
} finally {
  await browser.close()
  await service.stop()
}
