/**
 * Device login (RFC 8628). The person types the user code:
 * capital consonants only, so that nothing looks like something else or spells a word.
 */
export const USER_CODE_ALPHABET = 'BCDFGHJKLMNPQRSTVWXZ'
export const USER_CODE_LENGTH = 8
export const DEVICE_LOGIN_SECONDS = 900
export const POLL_SECONDS = 5

/** `BCDFGHJK` → `BCDF-GHJK`, as people read it out. */
export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

export interface DeviceLoginState {
  readonly status: 'pending' | 'approved' | 'denied' | 'used'
  readonly live: boolean
  /** The last question was less than the interval ago. */
  readonly early: boolean
  readonly interval: number
}
export type PollOutcome = 'signed_in' | 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token'

/**
 * What the device is told, and how long it has to wait now.
 * Who is approved need not wait: only waiting can be done too eagerly.
 */
export function pollOutcome({ status, live, early, interval }: DeviceLoginState): { outcome: PollOutcome; interval: number } {
  if (!live || status === 'used') return { outcome: 'expired_token', interval }
  if (status === 'approved') return { outcome: 'signed_in', interval }
  if (status === 'denied') return { outcome: 'access_denied', interval }
  return early ? { outcome: 'slow_down', interval: interval + POLL_SECONDS } : { outcome: 'authorization_pending', interval }
}
