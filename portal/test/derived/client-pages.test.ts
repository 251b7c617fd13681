import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { providers } from '../../../api/src/providers/index.ts'
import { inTurns } from '../../../api/test/sampled.ts'
import { languages } from '../../src/connect/languages.ts'
import { expectAccessible } from '../accessible.ts'
import { bringAbout, clientStates } from '../client-states.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

const small = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true, locale: 'en-GB' }

/** English with every sentence in brackets: what has none did not come from a catalogue. Made here, so it never ships. */
const useBrackets = (page: Page) =>
  page.route(/\/assets\/en-[\w-]+\.js$/, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `import { words as plain } from '${new URL(route.request().url()).pathname}?plain'
        const mark = (value) => typeof value === 'string' ? '⟦' + value + '⟧'
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
  for (let inner = ''; inner !== text; ) [inner, text] = [text, text.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')]
  for (const name of names) text = text.replaceAll(name, ' ').replaceAll(name.charAt(0).toUpperCase() + name.slice(1), ' ')
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => /\p{L}{3}/u.test(line))
}

inBrowser((place) => {
  const states = inTurns(Object.entries(clientStates), 4)

  test.each(states)('%s: says nothing that is not from a catalogue', async (_, state) => {
    const { page, close } = await visit(place, small)
    await useBrackets(page)
    await bringAbout(page, state)
    expect(await page.innerText('h1')).toMatch(/^⟦.+⟧$/s)
    expect(await untranslated(page)).toEqual([])
    await close()
  })

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

  test.each(states)('%s: accessible, and within 320 px in nine languages', async (_, state) => {
    const { page, close } = await visit(place, small)
    await bringAbout(page, state)
    for (const [language, name] of inTurns(Object.entries(languages), 4)) {
      await page.locator('select').first().selectOption(language)
      await page.locator(`html[lang=${language}]`).waitFor({ state: 'attached' })
      if (language === 'en') await expectAccessible(page)
      const [wide, width] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
      expect([wide, width], name).toEqual([320, 320])
    }
    await close()
  })
})
