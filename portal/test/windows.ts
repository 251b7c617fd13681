import type { TestSite } from './in-browser.ts'
import { type BrowserVisit, type VisitOptions, visit } from './visit.ts'

/** Windows that are used one after the other, since opening one takes longer than a page does. What a failed test leaves is not used again. */
export function windows(
  place: TestSite,
  options: () => Promise<VisitOptions>,
  prepare?: (page: BrowserVisit['page']) => Promise<unknown>,
): (use: (window: BrowserVisit) => Promise<void>) => Promise<void> {
  const idle: BrowserVisit[] = []
  const open = async () => {
    const window = await visit(place, await options())
    await prepare?.(window.page)
    return window
  }
  return async (use) => {
    const window = idle.pop() ?? (await open())
    await use(window)
    idle.push(window)
  }
}
