/** What the configuration says of them. */
interface Origins {
  readonly publicUrl: string
  readonly trustedOrigins: readonly string[]
  readonly environment: string
}

const LOOPBACK = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=:|$)/

/** Nobody but this machine answers there. */
export const isLoopback = (url: string): boolean => URL.canParse(url) && LOOPBACK.test(new URL(url).origin)

/** In development the spellings of loopback are one origin: people type what they like. */
const spelled = (origin: string, config: Origins) =>
  config.environment === 'production' ? origin : origin.replace(LOOPBACK, 'http://localhost')

/** Exactly one of ours, compared as an origin: never by prefix, suffix or pattern. */
export function isTrustedOrigin(origin: string | undefined, config: Origins): boolean {
  if (!origin || origin === 'null') return false
  return [config.publicUrl, ...config.trustedOrigins].some((trusted) => spelled(trusted, config) === spelled(origin, config))
}

/**
 * Where a browser may be sent after signing in: an absolute address on a trusted origin, or a path of the portal.
 * The value returned is the value that is used; null means refused.
 */
export function trustedUrl(text: string, config: Origins): string | null {
  // A browser reads these as nothing, or as slashes: an address that holds them means something else to it than to us.
  if (/[\p{Cc} \\]/u.test(text) || /^\/[/\\]/.test(text)) return null
  if (!text.startsWith('/') && !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text)) return null
  if (!URL.canParse(text, config.publicUrl)) return null
  const url = new URL(text, config.publicUrl)
  // Its path alone would lead elsewhere, should somebody ever use it without its origin.
  if (url.pathname.startsWith('//')) return null
  return isTrustedOrigin(url.origin, config) && !url.username && !url.password ? url.href : null
}
