import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { expect } from 'vitest'
import { cookieOf } from '../scripts/furnish.ts'
import type { TestSite } from './in-browser.ts'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type VisitOptions = BrowserContextOptions & { /** Whoever's session it is. */ token?: string }
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

type AxeViolation = { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }

/** In dark only the colours are another matter; in another language everything but the colours. */
const axeOptions = {
  light: {},
  dark: { runOnly: ['color-contrast'] },
  words: { rules: { 'color-contrast': { enabled: false } } },
} as const

/** No violation of level serious or critical. */
export async function expectAccessible(page: Page, looks: (keyof typeof axeOptions)[] = ['light', 'dark']): Promise<void> {
  const grave: string[] = []
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' })
    for (const { id, nodes } of await settledViolations(page, axeOptions[look]))
      grave.push(`${id} in ${look}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`)
  }
  expect(grave, page.url()).toEqual([])
}

/** Colours take a moment to change with the scheme. What is still wrong at the third look is wrong. */
async function settledViolations(page: Page, options: object): Promise<AxeViolation[]> {
  const run = `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...options })}).then((result) => result.violations)`
  for (let look = 1; ; look++) {
    const found = ((await page.evaluate(run)) as AxeViolation[]).filter(({ impact }) => impact === 'serious' || impact === 'critical')
    if (!found.length || look === 3) return found
    await page.waitForTimeout(400)
  }
}
