import type { Check } from './check-days.ts'
import { fits } from './search-words.ts'

export const outcomeWords: Record<Check['outcome'], string> = { verified: 'Working', rejected: 'Failed', unreachable: 'Not reached' }
export const kindWords: Record<Check['kind'], string> = {
  connect: 'Connecting',
  verify: 'Manual check',
  check: 'Scheduled check',
  refresh: 'Renewal',
}
/** Newest first unless it says otherwise. */
export const orderWords = { oldest: 'Oldest first', slowest: 'Slowest first' } as const

export type CheckFilters = {
  outcome?: Check['outcome'] | undefined
  kind?: Check['kind'] | undefined
  /** Of UTC, as the strip has it. */
  day?: string | undefined
  q?: string | undefined
  sort?: keyof typeof orderWords | undefined
}

/** They stand in the address; what names nothing is left out. */
export function checkFilters({ outcome, kind, day, q, sort }: Record<string, unknown>): CheckFilters {
  return {
    ...(isOf(outcomeWords, outcome) && { outcome }),
    ...(isOf(kindWords, kind) && { kind }),
    ...(isOf(orderWords, sort) && { sort }),
    ...(typeof day === 'string' && /^\d{4}-\d\d-\d\d$/.test(day) && { day }),
    ...(typeof q === 'string' && q.trim() && { q: q.slice(0, 100) }),
  }
}

const isOf = <Words extends object>(words: Words, value: unknown): value is keyof Words =>
  typeof value === 'string' && Object.hasOwn(words, value)

/** The service sends the newest first. */
export function selectedChecks(checks: Check[], { outcome, kind, day, q, sort }: CheckFilters): Check[] {
  const found = checks.filter(
    (check) =>
      (!outcome || check.outcome === outcome) &&
      (!kind || check.kind === kind) &&
      (!day || check.checkedAt.startsWith(day)) &&
      (!q || fits(`${outcomeWords[check.outcome]} ${kindWords[check.kind]} ${check.detail ?? ''}`, q)),
  )
  if (sort === 'oldest') return found.toReversed()
  return sort === 'slowest' ? found.toSorted((one, other) => other.durationMs - one.durationMs) : found
}
