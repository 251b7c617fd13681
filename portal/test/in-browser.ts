import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { findChromium, launch } from '../scripts/chromium.ts'
import { type Service, startService } from '../scripts/service.ts'

export const chromium = findChromium()

type Place = { readonly service: Service; readonly browser: Browser }

/** A browser and a service of its own for the tests of one file. */
export const inBrowser = (tests: (place: Place) => void, settings?: Parameters<typeof startService>[0]): void => {
  describe.runIf(chromium)('in the browser', { timeout: 120_000 }, () => {
    let service: Service
    let browser: Browser
    beforeAll(async () => {
      ;[service, browser] = await Promise.all([startService(settings), launch(chromium!)])
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
