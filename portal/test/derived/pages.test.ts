import { expect, test } from 'vitest'
import { type Furnished, furnish } from '../../scripts/furnish.ts'
import { inside, outside, type PageScene, shapes } from '../../scripts/scenes.ts'
import { expectAccessible } from '../accessible.ts'
import { inBrowser } from '../in-browser.ts'
import { visit } from '../visit.ts'

/** Whoever is not signed in, and whoever is. */
const visitors: Record<string, (rooms: Furnished) => { token?: string; scenes: PageScene[] }> = {
  outside: (rooms) => ({ scenes: outside(rooms) }),
  inside: (rooms) => ({ token: rooms.token, scenes: inside(rooms) }),
}

inBrowser((place) => {
  let furnished: ReturnType<typeof furnish> | undefined
  // Side by side, each in a window of its own: most of the time a page is waited for.
  for (const [shape, viewport] of Object.entries(shapes))
    for (const [where, visitor] of Object.entries(visitors))
      test.concurrent(`every page ${where} is accessible, quiet and no wider than a ${shape}, light and dark`, async () => {
        furnished ??= furnish(place.service)
        const { scenes, ...options } = visitor(await furnished)
        const { page, faults, close } = await visit(place, { ...options, viewport })
        for (const [name, path, act] of scenes) {
          await page.goto(path, { waitUntil: 'networkidle' })
          await act?.(page)
          await expectAccessible(page)
          const [wide, width] = (await page.evaluate('[document.documentElement.scrollWidth, innerWidth]')) as [number, number]
          expect(wide, `${name} is wider than the screen`).toBeLessThanOrEqual(width)
        }
        expect(faults).toEqual([])
        await close()
      })
})
