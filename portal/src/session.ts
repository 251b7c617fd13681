import { ProblemError } from '@adjoin/contract/client'

const KEY = 'adjoin.signed-in'

/**
 * The cookie cannot be read by scripts, so the portal remembers that it signed someone in. It only saves asking the service
 * on pages that work without a session; whoever opens a page that needs one is always asked.
 */
export const maybeSignedIn = (): boolean => localStorage.getItem(KEY) !== null
export const rememberSession = (): void => localStorage.setItem(KEY, 'yes')
export const forgetSession = (): void => localStorage.removeItem(KEY)

/** Where to go after signing in: only ever a place of this origin, or one that the service itself has checked. */
export function placeHere(value: string | null | undefined): string | undefined {
  if (!value || !URL.canParse(value, location.origin)) return undefined
  const url = new URL(value, location.origin)
  return url.origin === location.origin ? url.pathname + url.search + url.hash : undefined
}

export const absolute = (place: string | undefined): string | undefined => (place ? location.origin + place : undefined)

export const refusedSession = (error: unknown): boolean => error instanceof ProblemError && error.status === 401
