import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { providers } from '../../../api/src/providers/index.ts'
import { inTurns } from '../../../api/test/sampled.ts'
import { languages } from '../../src/connect/languages.ts'
import { expectAccessible } from '../accessible.ts'
import { bringAbout, clientStates } from '../client-states.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'
import { windows } from '../windows.ts'

const small = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true, locale: 'en-GB' }

/** Around every sentence of the English catalogue, where nobody sees them: what stands between none did not come from one. Made here, so they never ship. */
const [BEGIN, END] = ['\u2063', '\u2064']
const SENTENCE = new RegExp(`${BEGIN}[^${BEGIN}${END}]*${END}`, 'g')
const markSentences = (page: Page) =>
  page.route(/\/assets\/en-[\w-]+\.js$/, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `import { words as plain } from '${new URL(route.request().url()).pathname}?plain'
        const mark = (value) => typeof value === 'string' ? '${BEGIN}' + value + '${END}'
          : typeof value === 'function' ? (...given) => mark(value(...given))
          : Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mark(inner)]))
        export const words = mark(plain)`,
    }),
  )

/** What is shown, announced or named on the page. */
const EVERYTHING = `[document.title, document.body.innerText, ...[...document.querySelectorAll('[aria-label], [placeholder], [title], [alt]')]
  .flatMap((element) => ['aria-label', 'placeholder', 'title', 'alt'].map((name) => element.getAttribute(name)))]
  .join('\\n')`

/** Names, and what vendors write. */
const names = [
  ...Object.values(languages),
  ...providers.flatMap(({ name, connectFields, settingsFields }) => [
    name,
    ...[...connectFields, ...settingsFields].flatMap(({ label, options }) => [label, ...(options ?? [])]),
  ]),
  ...['Adjoin', 'Northwind', 'Ada Lovelace', 'Globex', 'POST'],
].sort((one, other) => other.length - one.length)
const DATE = /\d{1,2} [A-Z][a-z]+ \d{4}|[A-Z][a-z]+ \d{4}/g

async function untranslated(page: Page): Promise<string[]> {
  let text = ((await page.evaluate(EVERYTHING)) as string).replaceAll(DATE, ' ')
  // A sentence may be a part of another one.
  for (let inner = ''; inner !== text; ) [inner, text] = [text, text.replaceAll(SENTENCE, ' ')]
  for (const name of names) text = text.replaceAll(name, ' ').replaceAll(name.charAt(0).toUpperCase() + name.slice(1), ' ')
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\p{L}{3}/u.test(line))
}

/** English is where a page begins, and where the next one begins after it. */
const walked = [
  ...inTurns(
    Object.keys(languages).filter((language) => language !== 'en'),
    4,
  ),
  'en',
]

inBrowser((place) => {
  const inWindow = windows(place, async () => small, markSentences)

  test.concurrent.each(inTurns(Object.entries(clientStates), 4))(
    '%s: every sentence is from a catalogue, accessible, and within 320 px in nine languages',
    (_, state) =>
      inWindow(async ({ page }) => {
        await bringAbout(page, state)
        const title = await page.innerText('h1')
        expect([title.at(0), title.at(-1)]).toEqual([BEGIN, END])
        expect(await untranslated(page)).toEqual([])
        for (const language of walked) {
          await page.locator('select').first().selectOption(language)
          await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' })
          const [wide, width] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
          expect([wide, width], language).toEqual([320, 320])
        }
        await expectAccessible(page)
      }),
  )

  test('what was left out is never said to be connected, and who connected nothing is not told that they are done', async () => {
    const { page, close } = await visit(place, small)
    const said: Record<string, unknown> = {}
    for (const name of ['complete', 'something left out', 'everything left out'] as const) {
      await bringAbout(page, clientStates[name]!)
      const main = await page.innerText('main')
      said[name] = [await page.innerText('h1'), /everything they asked for/.test(main), /You’re done/.test(main)]
    }
    expect(said).toEqual({
      complete: ['Everything is connected', true, true],
      'something left out': ['Everything else is connected', false, true],
      'everything left out': ['Nothing was connected', false, false],
    })
    await close()
  })
})
