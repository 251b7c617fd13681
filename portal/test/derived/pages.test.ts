import { expect, test } from 'vitest'
import { inTurns, QUICK } from '../../../api/test/sampled.ts'
import { type Furnished, furnish } from '../../scripts/furnish.ts'
import { inside, outside, shapes } from '../../scripts/scenes.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { type BrowserVisit, visit } from '../visit.ts'

/** Whoever is not signed in, and whoever is. */
const sides = { outside, inside }
/** The names of scenes depend on nothing; where they lie is known once the service is furnished. */
const namesOf = (side: keyof typeof sides) => sides[side]({} as Furnished).map(([name]) => name)

inBrowser((place) => {
  let furnished: ReturnType<typeof furnish> | undefined
  // Side by side, since most of the time a page is waited for.
  for (const [shape, viewport] of Object.entries(QUICK ? { desk: shapes.desk } : shapes))
    for (const side of ['outside', 'inside'] as const) {
      /** Windows that nobody looks at: opening one takes longer than a page does. */
      const idle: BrowserVisit[] = []
      test.concurrent.each(inTurns(namesOf(side), 4))(`%s, ${side}: accessible, quiet and no wider than a ${shape}`, async (name) => {
        furnished ??= furnish(place.service)
        const rooms = await furnished
        const [, path, act] = sides[side](rooms).find(([one]) => one === name)!
        const token = side === 'inside' ? { token: rooms.token } : {}
        const own = idle.pop() ?? (await visit(place, { ...token, viewport }))
        const { page, faults } = own
        await page.goto(path, { waitUntil: 'networkidle' })
        await act?.(page)
        if (shape === 'desk') await expectAccessible(page) // what only a phone shows, the journeys there look at
        const [wide, width] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
        expect(wide, 'wider than the screen').toBeLessThanOrEqual(width)
        // The browser says so of what is not there, and is right.
        expect(faults.filter((fault) => !/status of 404.*\/no\/such\/page/.test(fault))).toEqual([])
        idle.push(own)
      })
    }
})
