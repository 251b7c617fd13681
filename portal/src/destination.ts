// The only way out of a page, and the only way to where an address names:
// nothing else in the portal sends the browser anywhere.
import { trustedUrl } from '@adjoin/contract/trusted-url'

/** A place in the portal, or an address that the service has judged. Only the functions below make one. */
export type Destination = { readonly path: string } | { readonly url: string }

/** From the page's own address, which anyone can write: a place of this origin, or nothing. */
export function placeHere(value: string | null | undefined, origin: string = location.origin): string | undefined {
  // Production: of the spellings of loopback only the one in use is here.
  const url = value && trustedUrl(value, { publicUrl: origin, trustedOrigins: [], environment: 'production' })
  return url ? url.slice(new URL(url).origin.length) : undefined
}

export const here = (value: string | null | undefined): Destination | undefined => {
  const path = placeHere(value)
  return path === undefined ? undefined : { path }
}

/**
 * From an answer of the service, which has checked it and may
 * trust other origins too; never a scheme that runs script.
 */
export function judged(value: string | null | undefined): Destination | undefined {
  if (!value || !URL.canParse(value)) return undefined
  const path = placeHere(value)
  if (path !== undefined) return { path }
  return /^https?:$/.test(new URL(value).protocol) ? { url: value } : undefined
}

/** For a link that a person clicks. */
export const hrefOf = (destination: Destination | undefined): string | undefined =>
  destination && ('path' in destination ? destination.path : destination.url)

/** Leaves this page for good, by loading another. */
export function leaveFor(destination: Destination | undefined, how: 'assign' | 'replace' = 'assign'): void {
  const href = hrefOf(destination)
  if (href !== undefined) location[how](href)
}

/** The address of a place here, for those who come back to it from elsewhere. */
export const absolute = (place: string | undefined): string | undefined => (place ? location.origin + place : undefined)
