import type { Output } from '@adjoin/contract/operations'

type UsageEntry = Output<'getIntegrationUsage'>['usage'][number]

/** What was called within one hour or day. */
export type UsageBucket = { from: string; reads: number; changes: number; failed: number }

const HOUR = 3_600_000
export const spans = {
  day: { label: 'Last 24 hours', by: 'hour', step: HOUR, count: 24 },
  week: { label: 'Last 7 days', by: 'day', step: 24 * HOUR, count: 7 },
  month: { label: 'Last 30 days', by: 'day', step: 24 * HOUR, count: 30 },
  quarter: { label: 'Last 90 days', by: 'day', step: 24 * HOUR, count: 90 },
} as const
export type Span = keyof typeof spans

/** The beginning of the first bucket; hours and days are UTC’s, as the service counts them. */
export function startOf(span: Span, now = Date.now()): Date {
  const { step, count } = spans[span]
  return new Date((Math.floor(now / step) - count + 1) * step)
}

/** A bucket for every hour or day of the span, also where nothing was called. */
export function bucketsOf(usage: UsageEntry[], span: Span, start: Date): UsageBucket[] {
  const { step, count } = spans[span]
  const sum = (entries: UsageEntry[]) => entries.reduce((total, { calls }) => total + calls, 0)
  return Array.from({ length: count }, (_, at) => {
    const from = new Date(start.getTime() + at * step).toISOString()
    const here = usage.filter((entry) => entry.from === from)
    const fine = here.filter(({ outcome }) => outcome === 'ok')
    return {
      from,
      reads: sum(fine.filter(({ effect }) => effect === 'read')),
      changes: sum(fine.filter(({ effect }) => effect === 'change')),
      failed: sum(here.filter(({ outcome }) => outcome !== 'ok')),
    }
  })
}

export const totalOf = (buckets: UsageBucket[]): Omit<UsageBucket, 'from'> =>
  buckets.reduce(
    (total, { reads, changes, failed }) => ({
      reads: total.reads + reads,
      changes: total.changes + changes,
      failed: total.failed + failed,
    }),
    {
      reads: 0,
      changes: 0,
      failed: 0,
    },
  )

/** The next round number from which an axis can be divided: 1, 2, 5, 10, 20, 25, 50 … */
export function ceilingOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)))
  return [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((round) => round >= most)!
}
