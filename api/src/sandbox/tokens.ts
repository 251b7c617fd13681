/**
 * Tokens that describe themselves, signed with the sandbox's secret:
 * replicas and restarts agree on them without a store.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { TokenClaims, TokenIssuer, TokenKind, Twin } from './twin.ts'

export function createTokenIssuer(id: string, twin: Twin, secret: string, now: () => number, redirectUri?: string): TokenIssuer {
  const spent = new Set<string>()
  const revoked = new Set<string>()
  const signature = (payload: string) => createHmac('sha256', secret).update(`${id} ${payload}`).digest().subarray(0, 16)

  return {
    now,
    redirectUri,
    mint(kind, claims = {}) {
      const full: TokenClaims = { grant: randomBytes(9).toString('base64url'), play: 'allow', scopes: [], expires: null, ...claims }
      const payload = Buffer.from(JSON.stringify({ kind, salt: randomBytes(6).toString('base64url'), ...full })).toString('base64url')
      const sealed = `sandbox_${payload}~${signature(payload).toString('base64url')}`
      return twin.wrap[kind]?.(sealed) ?? sealed
    },
    open(kind, token) {
      const [, payload, given] = token?.match(/sandbox_([\w-]+)~([\w-]{22})/) ?? []
      if (!token || !payload || !given || !timingSafeEqual(Buffer.from(given, 'base64url'), signature(payload))) return null
      const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as TokenClaims & { kind: TokenKind }
      const dead = spent.has(token) || revoked.has(claims.grant) || (claims.expires !== null && claims.expires <= now())
      return claims.kind === kind && !dead ? claims : null
    },
    spend: (token) => void spent.add(token),
    revoke: (grant) => void revoked.add(grant),
  }
}
