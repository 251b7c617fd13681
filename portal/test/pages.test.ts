import { expect, test } from 'vitest'
import { furnish } from '../scripts/furnish.ts'
import { inside, outside, shapes } from '../scripts/scenes.ts'
import { inBrowser } from './in-browser.ts'
import { expectAccessible, visit } from './visit.ts'

inBrowser((place) => {
  let furnished: ReturnType<typeof furnish> | undefined
  for (const [shape, viewport] of Object.entries(shapes))
    test(`every page is accessible, quiet and no wider than a ${shape}, light and dark`, { timeout: 600_000 }, async () => {
      furnished ??= furnish(place.service)
      const rooms = await furnished
      for (const [token, scenes] of [
        [undefined, outside(rooms)],
        [rooms.token, inside(rooms)],
      ] as const) {
        const { page, faults, close } = await visit(place, { token, viewport })
        for (const [name, path, act] of scenes) {
          await page.goto(path, { waitUntil: 'networkidle' })
          await act?.(page)
          await expectAccessible(page)
          const [wide, width] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
          expect(wide, `${name} is wider than the screen`).toBeLessThanOrEqual(width)
        }
        expect(faults).toEqual([])
        await close()
      }
    })
})
