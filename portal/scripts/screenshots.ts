// Every page, light and dark, on a phone and on a desk,
// into screenshots/ (which git ignores): `npm run screenshots`.
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Browser } from 'playwright-core'
import { findChromium, launch } from './chromium.ts'
import { cookieOf, furnish } from './furnish.ts'
import { gone, inside, outside, type PageScene, shapes } from './scenes.ts'
import { type PortalService, startService } from './service.ts'

const FOLDER = fileURLToPath(new URL('../../screenshots', import.meta.url))

async function shoot(browser: Browser, service: PortalService, token: string | undefined, scenes: PageScene[]): Promise<void> {
  for (const [shape, viewport] of Object.entries(shapes))
    for (const colorScheme of ['light', 'dark'] as const) {
      const phone = shape === 'phone'
      const context = await browser.newContext({
        baseURL: service.url,
        viewport,
        colorScheme,
        isMobile: phone,
        hasTouch: phone,
        reducedMotion: 'reduce',
      })
      if (token) await context.addCookies([cookieOf(service, token)])
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

const begins = process.argv.length > 2 ? process.argv.slice(2) : ['']
/** `npm run screenshots -- connect integration` makes those whose names begin so. */
const chosen = (scenes: PageScene[]) => scenes.filter(([name]) => begins.some((start) => name.startsWith(start)))

const chromium = findChromium()
if (!chromium) throw new Error('No Chromium can be found or installed. Set CHROMIUM to one.')
rmSync(FOLDER, { recursive: true, force: true })
mkdirSync(FOLDER, { recursive: true })
const service = await startService()
const browser = await launch(chromium)
try {
  const furnished = await furnish(service)
  await shoot(browser, service, undefined, chosen([...outside(furnished), ...gone]))
  await shoot(browser, service, furnished.token, chosen(inside(furnished)))
  console.log(`Screenshots are in ${FOLDER}`)
} finally {
  await browser.close()
  await service.stop()
}
