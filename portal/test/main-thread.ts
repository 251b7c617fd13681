import type { Browser, Page } from 'playwright-core'

type TraceEvent = { name: string; ph: string; pid: number; tid: number; tdur?: number; args: { name?: string } }

/**
 * The longest tasks of the page's own thread while something is done, in milliseconds, longest first.
 * It is time on the processor, not on the wall: a busy machine makes nothing longer.
 */
export async function longestTasks(browser: Browser, page: Page, act: () => Promise<unknown>): Promise<number[]> {
  await browser.startTracing(page, { categories: ['toplevel', '__metadata'] })
  await act()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] }
  const place = ({ pid, tid }: TraceEvent) => `${pid} ${tid}`
  const mains = new Set(traceEvents.filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain').map(place))
  const tasks = traceEvents.filter((event) => event.ph === 'X' && event.name.endsWith('RunTask') && mains.has(place(event)))
  if (!tasks.length) throw new Error('The trace has no task of a page: the browser names them differently now.')
  return tasks.map(({ tdur = 0 }) => tdur / 1000).toSorted((a, b) => b - a)
}
