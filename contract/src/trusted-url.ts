/**
 * Decides where a browser may be sent:
 * by the service and by the portal, from whatever an address, a mail or a form names.
 * Nothing else decides it.
 */
export interface Origins {
  readonly publicUrl: string
  readonly trustedOrigins: readonly string[]
  readonly environment: string
}

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=:|$)/

/** Nobody but this machine answers there. */
export const isLoopback = (url: string): boolean => URL.canParse(url) && LOOPBACK.test(new URL(url).origin)

/** In development the spellings of loopback are one origin: people type what they like. */
const comparable = (origin: string, { environment }: Origins) =>
  environment === 'production' ? origin : origin.replace(LOOPBACK, 'http://localhost')

/** Exactly one of ours, compared as an origin: never by prefix, suffix or pattern. */
export function isTrustedOrigin(origin: string | undefined, origins: Origins): boolean {
  if (!origin || origin === 'null') return false
  return [origins.publicUrl, ...origins.trustedOrigins].some((trusted) => comparable(trusted, origins) === comparable(origin, origins))
}

/**
 * Where a browser may be sent after signing in:
 * an absolute address on a trusted origin, or a path of the portal.
 * The value returned is the value that is used; null means refused.
 */
export function trustedUrl(text: string, origins: Origins): string | null {
  // A browser reads these as nothing, or as slashes:
  // an address that holds them means something else to it than to us.
  if (/[\p{Cc} \\]/u.test(text) || /^\/[/\\]/.test(text)) return null
  if (!text.startsWith('/') && !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text)) return null
  if (!URL.canParse(text, origins.publicUrl)) return null
  const url = new URL(text, origins.publicUrl)
  // Its path alone would lead elsewhere, should somebody ever use it without its origin.
  if (url.pathname.startsWith('//')) return null
  if (!isTrustedOrigin(url.origin, origins) || url.username || url.password) return null
  return isTrustedOrigin(url.origin, { ...origins, trustedOrigins: [] }) && redirectsElsewhere(url, origins) ? null : url.href
}

/** Parameters by which a page of ours sends its visitor on. */
const REDIRECT_PARAMETERS = ['to', 'callbackURL']

/** A page of ours that would send its visitor somewhere else; what lies under `/v1` is no page at all. */
function redirectsElsewhere({ pathname, searchParams }: URL, origins: Origins): boolean {
  if (/^\/v1(?:\/|$)/.test(decoded(pathname))) return true
  return REDIRECT_PARAMETERS.some((name) => searchParams.getAll(name).some((next) => next !== '' && trustedUrl(next, origins) === null))
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * Where a client is sent after connecting, a page of the agency’s:
 * https; http only on loopback, in development; nothing that hides a host or a password.
 * The value returned is the value used.
 */
export function acceptableReturnUrl(text: string, development: boolean): string | null {
  if (/[\p{Cc} \\]/u.test(text) || !URL.canParse(text)) return null
  const url = new URL(text)
  const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname)
  const allowed = url.protocol === 'https:' || (url.protocol === 'http:' && loopback && development)
  return allowed && /^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text) && !url.username && !url.password && text.length <= 2048 ? url.href : null
}
