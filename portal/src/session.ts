import { ProblemError } from '@adjoin/contract/problem-error'

const KEY = 'adjoin.signed-in'

/**
 * The cookie cannot be read by scripts, so the portal remembers that it signed someone in.
 * It only saves asking the service on pages that work without a session;
 * whoever opens a page that needs one is always asked.
 */
export const maybeSignedIn = (): boolean => localStorage.getItem(KEY) !== null
export const rememberSession = (): void => localStorage.setItem(KEY, 'yes')
export const forgetSession = (): void => localStorage.removeItem(KEY)

/** Calls when somebody signs in in another tab of this browser. */
export const onSignedIn = (call: () => void): void =>
  addEventListener('storage', ({ key, newValue }) => key === KEY && newValue !== null && call())

const ENDED = ['credential_missing', 'credential_invalid']

export const refusedSession = (error: unknown): boolean => error instanceof ProblemError && ENDED.includes(error.code)
