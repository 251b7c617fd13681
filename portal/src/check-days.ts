import type { Output } from '@adjoin/contract/operations'

export type Check = Output<'listIntegrationChecks'>['checks'][number]
export type CheckDay = { day: string; verified: number; rejected: number; unreachable: number; reason: string | null }

const DAYS = 90
const DAY = 86_400_000

/** A bucket for each of the last 90 days of UTC, the newest last, with the newest reason why something failed on it. */
export function checkDays(checks: Check[], now = Date.now()): CheckDay[] {
  const days = Array.from({ length: DAYS }, (_, at): CheckDay => {
    const day = new Date(now - (DAYS - 1 - at) * DAY).toISOString().slice(0, 10)
    return { day, verified: 0, rejected: 0, unreachable: 0, reason: null }
  })
  const byDay = new Map(days.map((day) => [day.day, day]))
  // The list is newest first.
  for (const { outcome, checkedAt, detail } of checks) {
    const day = byDay.get(checkedAt.slice(0, 10))
    if (!day) continue
    day[outcome]++
    if (outcome !== 'verified') day.reason ??= detail
  }
  return days
}

/** The worst of a day is what it is remembered by. */
export const outcomeOf = ({ verified, rejected, unreachable }: CheckDay): Check['outcome'] | 'none' =>
  rejected ? 'rejected' : unreachable ? 'unreachable' : verified ? 'verified' : 'none'
