import type { BrowserContextOptions, Page } from 'playwright-core'
import { cookieOf } from '../scripts/furnish.ts'
import type { TestSite } from './in-browser.ts'

export type VisitOptions = BrowserContextOptions & { /** Whoever's session it is. */ token?: string }
export type BrowserVisit = {
  page: Page /** What a visitor must never meet, as it happened. */
  faults: string[]
  close: () => Promise<void>
}

/**
 * A person's own browser. Watches for errors in the console,
 * for requests to anywhere else, and for refusals nobody asked for.
 */
export async function visit({ browser, service }: TestSite, { token, ...options }: VisitOptions = {}): Promise<BrowserVisit> {
  const origin = service.url
  const context = await browser.newContext({ baseURL: origin, viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(60_000) // before the test itself ends: it names what was waited for
  if (token) await context.addCookies([cookieOf(service, token)])
  const page = await context.newPage()
  const faults: string[] = []
  page.on('console', (message) => {
    // A busy machine sends some away for a second; the page asks again, and shows what came.
    if (message.type() !== 'error' || /status of 503/.test(message.text())) return
    faults.push(`console: ${message.text()} (${message.location().url})`)
  })
  page.on('pageerror', (error) => faults.push(`script: ${error.message}`))
  page.on('request', (request) => {
    if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) faults.push(`outside: ${request.url()}`)
  })
  return { page, faults, close: () => context.close() }
}
