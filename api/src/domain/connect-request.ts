import type { ConnectItemStatus, ConnectRequestStatus } from '@adjoin/contract'

export interface ItemState {
  readonly optional: boolean
  readonly connectedAt: Date | null
  /** Access was given, and something is missing until it can be used. */
  readonly unfinished: boolean
  readonly declinedAt: Date | null
  readonly failedReason: string | null
}

export function itemStatus({ connectedAt, unfinished, declinedAt, failedReason }: ItemState): ConnectItemStatus {
  if (connectedAt) return unfinished ? 'unfinished' : 'connected'
  if (declinedAt) return 'declined'
  return failedReason ? 'failed' : 'pending'
}

/** Nothing is left to do: what is required is connected, what is optional is, too, or was declined. */
export const isComplete = (items: readonly ItemState[]): boolean =>
  items.length > 0 && items.every((item) => itemStatus(item) === 'connected' || (item.optional && itemStatus(item) === 'declined'))

export function requestStatus(
  { canceledAt, expired }: { canceledAt: Date | null; expired: boolean },
  items: readonly ItemState[],
): ConnectRequestStatus {
  if (canceledAt) return 'canceled'
  if (isComplete(items)) return 'complete'
  if (expired) return 'expired'
  return items.some((item) => item.connectedAt ?? item.declinedAt) ? 'partial' : 'open'
}

const DAY_MS = 86_400_000
/** After two days, after five, and one day before the link expires. */
export const REMINDERS = 3

/**
 * When the reminder of this number, counted from 1, is due. One that would come within
 * a day of the last, or too late to be of use, is left out.
 */
export function reminderDue(step: number, sentAt: Date, expiresAt: Date): Date | null {
  const last = expiresAt.getTime() - DAY_MS
  if (step === REMINDERS) return last > sentAt.getTime() ? new Date(last) : null
  const due = sentAt.getTime() + (step === 1 ? 2 : 5) * DAY_MS
  return due <= last - DAY_MS ? new Date(due) : null
}

/** The next reminder after the one of this number; null: none is left. */
export function nextReminder(step: number, sentAt: Date, expiresAt: Date): { step: number; at: Date } | null {
  for (let next = step + 1; next <= REMINDERS; next++) {
    const at = reminderDue(next, sentAt, expiresAt)
    if (at) return { step: next, at }
  }
  return null
}

/** After the last reminder, when the link expires: the receipts of what was connected until then. */
export const CLOSING = REMINDERS + 1

/** What is mailed next, after the step of this number: a reminder, or in the end the receipts. */
export const nextMail = (step: number, sentAt: Date, expiresAt: Date): { step: number; at: Date } | null =>
  nextReminder(step, sentAt, expiresAt) ?? (step < CLOSING ? { step: CLOSING, at: expiresAt } : null)

/** A day of UTC, after today and at most two years away. */
export function acceptableAccessUntil(day: string, now: Date): boolean {
  const latest = new Date(now)
  latest.setUTCFullYear(latest.getUTCFullYear() + 2)
  return day > dayOf(now) && day <= dayOf(latest)
}

export const dayOf = (time: Date): string => time.toISOString().slice(0, 10)
