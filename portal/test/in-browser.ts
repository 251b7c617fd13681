import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe } from 'vitest'
import { findChromium, launch } from '../scripts/chromium.ts'
import { type PortalService, startService } from '../scripts/service.ts'

export const chromium = findChromium()

/** Where the tests of a file meet the portal. */
export type TestSite = { readonly service: PortalService; readonly browser: Browser }

/** A browser and a service of its own for the tests of one file. */
export const inBrowser = (tests: (site: TestSite) => void, settings?: Parameters<typeof startService>[0]): void => {
  describe.runIf(chromium)('in the browser', { timeout: 120_000 }, () => {
    let service: PortalService
    let browser: Browser
    beforeAll(async () => {
      ;[service, browser] = await Promise.all([startService(settings), launch(chromium!)])
    })
    // A test that is played again meets a service that has not seen it before: its addresses are free.
    beforeEach(async ({ task }) => {
      if (!task.result?.retryCount) return
      await service.stop()
      service = await startService(settings)
    })
    afterAll(async () => {
      await browser?.close()
      await service?.stop()
    })
    tests({
      get service() {
        return service
      },
      get browser() {
        return browser
      },
    })
  })
}
