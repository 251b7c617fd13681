import { expect, test } from 'vitest'
import { inTurns } from '../../../api/test/sampled.ts'
import { type Furnished, furnish } from '../../scripts/furnish.ts'
import { inside, outside, shapes } from '../../scripts/scenes.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { windows } from '../windows.ts'

/** Whoever is not signed in, and whoever is. */
const sides = { outside, inside }
/** The names of scenes depend on nothing; where they lie is known once the service is furnished. */
const namesOf = (side: keyof typeof sides) => sides[side]({} as Furnished).map(([name]) => name)

inBrowser((place) => {
  let furnished: ReturnType<typeof furnish> | undefined
  // Side by side, since most of the time a page is waited for.
  for (const side of ['outside', 'inside'] as const) {
    const inWindow = windows(place, async () => {
      furnished ??= furnish(place.service)
      return side === 'inside' ? { token: (await furnished).token } : {}
    })
    test.concurrent.each(inTurns(namesOf(side), 4))(`%s, ${side}: accessible, quiet and no wider than a desk or a phone`, (name) =>
      inWindow(async ({ page, faults }) => {
        const [, path, act] = sides[side](await furnished!).find(([one]) => one === name)!
        await page.setViewportSize(shapes.desk)
        await page.goto(path, { waitUntil: 'networkidle' })
        await act?.(page)
        await expectAccessible(page) // what only a phone shows, the journeys there look at
        for (const shape of ['desk', 'phone'] as const) {
          await page.setViewportSize(shapes[shape])
          const [wide, width] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
          expect(wide, `wider than a ${shape}`).toBeLessThanOrEqual(width)
        }
        // The browser says so of what is not there, and is right.
        expect(faults.filter((fault) => !/status of 404.*\/no\/such\/page/.test(fault))).toEqual([])
      }),
    )
  }
})
