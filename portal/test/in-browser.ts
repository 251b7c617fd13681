import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { PATIENT_PROGRAM } from '../../api/test/patience.ts'
import { newDatabase } from '../../api/test/test-database.ts'
import { findChromium, launch } from '../scripts/chromium.ts'
import { type PortalService, startService } from '../scripts/service.ts'

export const chromium = findChromium()

/** Where the tests of a file meet the portal. */
export type TestSite = {
  readonly service: PortalService
  /** The address of the database below it. */
  readonly database: string
  readonly browser: Browser
}

/** One for all files of a worker: it ends with the process, and every visit has a context of its own. */
let browserOfWorker: Promise<Browser> | undefined

/** A service of its own for the tests of one file, and a browser. */
export const inBrowser = (tests: (site: TestSite) => void, settings?: Parameters<typeof startService>[0]): void => {
  describe.runIf(chromium)('in the browser', () => {
    let service: PortalService
    let database: string
    let browser: Browser
    const open = async () => {
      database = await newDatabase()
      service = await startService(async (url) => ({ ...PATIENT_PROGRAM, DATABASE_URL: database, ...(await settings?.(url)) }))
    }
    beforeAll(async () => {
      browserOfWorker ??= launch(chromium!)
      ;[browser] = await Promise.all([browserOfWorker, open()])
    })
    afterAll(async () => {
      // Of tests that failed before they closed theirs.
      await Promise.all(browser?.contexts().map((context) => context.close()) ?? [])
      await service?.stop()
    })
    tests({
      get service() {
        return service
      },
      get database() {
        return database
      },
      get browser() {
        return browser
      },
    })
  })
}
