// What a page says to those who do not see it, and whether those who do can read it: axe, asked about nothing twice.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { expect } from 'vitest'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

type AxeViolation = { id: string; impact: string; nodes: { target: string[]; failureSummary: string }[] }

/** In dark only the colours are another matter; in another language everything but the colours. */
export type Look = 'light' | 'dark' | 'words'

/**
 * How every text stands on its ground: its own colour and size, and all that lies below it. Colours have no more to say than that,
 * so texts of one style are compared once, however many there are and on however many pages. Numbers the styles, and keeps the first of each.
 */
const TEXT_STYLES = `(() => {
  const grounds = new Map([[null, '']])
  const groundOf = (element) => {
    if (grounds.has(element)) return grounds.get(element)
    const { backgroundColor, backgroundImage, opacity, filter, mixBlendMode } = getComputedStyle(element)
    const own = [backgroundColor, backgroundImage, opacity, filter, mixBlendMode].join()
    const plain = own === 'rgba(0, 0, 0, 0),none,1,none,normal'
    const ground = groundOf(element.parentElement) + (plain ? '' : '/' + own)
    grounds.set(element, ground)
    return ground
  }
  const styles = (window.textStyles = new Map())
  for (const element of document.body.querySelectorAll('*')) {
    const speaks = element.matches('input, select, textarea') || [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())
    if (!speaks || !element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue
    const { width, height } = element.getBoundingClientRect()
    if (width <= 1 || height <= 1) continue
    const { color, fontSize, fontWeight, textShadow, webkitTextFillColor } = getComputedStyle(element)
    const disabled = !!element.closest(':disabled, [aria-disabled=true]')
    const style = [element.localName === 'input', disabled, color, fontSize, fontWeight, textShadow, webkitTextFillColor, groundOf(element)].join()
    if (!styles.has(style)) styles.set(style, element)
  }
  return [...styles.keys()]
})()`

/** The page without its words: elements, and which of their texts are there. In two languages it must be the same. */
const SHAPE = `(() => {
  const SPOKEN = ['aria-label', 'aria-description', 'aria-roledescription', 'title', 'placeholder', 'alt', 'lang', 'content', 'value', 'style']
  const shapeOf = (node) => {
    if (node.nodeType === 3) return node.data.trim() ? '#' : ''
    if (node.nodeType !== 1) return ''
    const attributes = [...node.attributes].map(({ name, value }) => name + '=' + (SPOKEN.includes(name) ? !!value.trim() : value))
    return '<' + node.localName + ' ' + attributes.sort() + '>' + [...node.childNodes].map(shapeOf).join('') + '</>'
  }
  return shapeOf(document.documentElement)
})()`

/** What only minor or moderate rules could find would not count, so they are not asked; colours are asked by themselves. */
const STRUCTURE = `({ resultTypes: ['violations'], rules: Object.fromEntries(axe._audit.rules
  .filter(({ id, impact }) => /minor|moderate/.test(impact) || id === 'color-contrast').map(({ id }) => [id, { enabled: false }])) })`
const COLOURS = `({ resultTypes: ['violations'], runOnly: ['color-contrast'] })`

/** What was found good already, in this process: styles of texts by scheme, and shapes of pages. */
const goodStyles = new Set<string>()
const goodShapes = new Set<string>()

/** No violation of level serious or critical. */
export async function expectAccessible(page: Page, looks: Look[] = ['light', 'dark']): Promise<void> {
  if (!(await page.evaluate('"axe" in window'))) await page.evaluate(AXE)
  const grave: string[] = []
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look === 'dark' ? 'dark' : 'light', reducedMotion: 'reduce' })
    const found = [...(look === 'dark' ? [] : await structure(page)), ...(look === 'words' ? [] : await colours(page, look))]
    for (const { id, nodes } of found)
      grave.push(`${id} in ${look}: ${nodes.map(({ target, failureSummary }) => `${target} ${failureSummary}`).join('; ')}`)
  }
  expect(grave, page.url()).toEqual([])
}

async function structure(page: Page): Promise<AxeViolation[]> {
  const shape = `${page.viewportSize()?.width} ${await page.evaluate(SHAPE)}`
  if (goodShapes.has(shape)) return []
  const found = await settled(page, () => graveOf(page, '[document]', STRUCTURE))
  if (!found.length) goodShapes.add(shape)
  return found
}

const colours = (page: Page, look: Look): Promise<AxeViolation[]> =>
  settled(page, async () => {
    const styles = (await page.evaluate(TEXT_STYLES)) as string[]
    const fresh = styles.filter((style) => !goodStyles.has(`${look} ${style}`))
    if (!fresh.length) return []
    // What has gone meanwhile, a message in passing, is not asked about, nor taken for good.
    const there = `${JSON.stringify(fresh)}.filter((style) => window.textStyles.get(style).isConnected)`
    const found = await graveOf(page, `${there}.map((style) => window.textStyles.get(style))`, COLOURS)
    if (!found.length) for (const style of (await page.evaluate(there)) as string[]) goodStyles.add(`${look} ${style}`)
    return found
  })

async function graveOf(page: Page, places: string, options: string): Promise<AxeViolation[]> {
  const run = `(async (include) => (include.length ? (await axe.run({ include }, ${options})).violations : []))(${places})`
  return ((await page.evaluate(run)) as AxeViolation[]).filter(({ impact }) => impact === 'serious' || impact === 'critical')
}

/** Colours take a moment to change with the scheme. What is still wrong at the third look is wrong. */
async function settled(page: Page, look: () => Promise<AxeViolation[]>): Promise<AxeViolation[]> {
  for (let looks = 1; ; looks++) {
    const found = await look()
    if (!found.length || looks === 3) return found
    await page.waitForTimeout(400)
  }
}
