import type { IncomingHttpHeaders } from 'node:http'
import type { Config } from '../config.ts'
import { isWellFormedKey } from '../domain/api-key.ts'
import { digest } from '../vault/tokens.ts'

/**
 * What a request offers as proof. A key wins over a bearer,
 * a bearer over a cookie; a bad one is never passed over for a good one.
 */
export type RequestCredential =
  | { kind: 'apiKey'; hash: Buffer }
  | { kind: 'session'; via: 'session' | 'bearer'; hash: Buffer }
  | { kind: 'none' }
  | { kind: 'malformed'; what: 'key' | 'bearer' | 'cookie' }

const BEARER = /^Bearer ([A-Za-z0-9_-]{43})$/i
const TOKEN = /^[A-Za-z0-9_-]{43}$/

export function credentialOf(
  headers: IncomingHttpHeaders,
  cookies: Readonly<Record<string, string>>,
  cookieName: string,
): RequestCredential {
  const key = headers['x-api-key']
  if (key !== undefined)
    return typeof key === 'string' && isWellFormedKey(key) ? { kind: 'apiKey', hash: digest(key) } : { kind: 'malformed', what: 'key' }
  if (headers.authorization !== undefined) {
    const token = BEARER.exec(headers.authorization)?.[1]
    return token ? { kind: 'session', via: 'bearer', hash: digest(token) } : { kind: 'malformed', what: 'bearer' }
  }
  const cookie = cookies[cookieName]
  if (cookie === undefined) return { kind: 'none' }
  return TOKEN.test(cookie) ? { kind: 'session', via: 'session', hash: digest(cookie) } : { kind: 'malformed', what: 'cookie' }
}

/** On https the browser itself refuses a cookie of this name set by another host or an insecure page. */
export const sessionCookieName = (config: Pick<Config, 'publicUrl'>): string =>
  config.publicUrl.startsWith('https://') ? '__Host-adjoin_session' : 'adjoin_session'

export function setSessionCookie(config: Pick<Config, 'publicUrl'>, token: string, expiresAt: Date): string {
  const secure = config.publicUrl.startsWith('https://') ? '; Secure' : ''
  return `${sessionCookieName(config)}=${token}; Path=/; HttpOnly; SameSite=Lax; Expires=${expiresAt.toUTCString()}${secure}`
}

export const clearSessionCookie = (config: Pick<Config, 'publicUrl'>): string => setSessionCookie(config, '', new Date(0))

/** The first of two cookies with one name counts; names and values are never decoded. */
export function parseCookies(header: string | undefined): Record<string, string> {
  const cookies: Record<string, string> = Object.create(null)
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    const name = part.slice(0, at).trim()
    if (at > 0 && !(name in cookies)) cookies[name] = part.slice(at + 1).trim()
  }
  return cookies
}
