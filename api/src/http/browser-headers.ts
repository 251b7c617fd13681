import { isTrustedOrigin } from '@adjoin/contract/trusted-url'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/** On every answer, also on those that no request was read for. */
export const PROTECTIVE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  // Nothing of what a browser could give away is asked for.
  'permissions-policy': 'accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), microphone=(), payment=(), usb=()',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cache-control': 'no-store',
}

/** Pages add their own content policy. */
export function securityHeaders(request: FastifyRequest, reply: FastifyReply, config: Config): void {
  reply.headers({ 'x-request-id': request.id, ...PROTECTIVE, vary: 'Origin' })
  if (config.publicUrl.startsWith('https://')) reply.header('strict-transport-security', 'max-age=31536000; includeSubDomains')
}

/** Credentials only for the exact trusted origins. True: this was a preflight, and it is answered. */
export function crossOrigin(
  request: FastifyRequest,
  reply: FastifyReply,
  config: Config,
  allowedMethods: (url: string) => string[] | undefined,
): boolean {
  const { origin } = request.headers
  const trusted = isTrustedOrigin(origin, config)
  if (trusted) {
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-allow-credentials': 'true',
      'access-control-expose-headers':
        'Location, Retry-After, RateLimit, RateLimit-Policy, X-Request-Id, Idempotency-Replayed, Deprecation, Sunset, Adjoin-Answer',
      'cross-origin-resource-policy': 'cross-origin',
    })
  }
  if (request.method !== 'OPTIONS') return false
  const methods = allowedMethods(request.url)
  if (!methods) return false
  reply.header('allow', [...methods, 'OPTIONS'].join(', '))
  if (trusted) {
    reply.headers({
      'access-control-allow-methods': methods.join(', '),
      'access-control-allow-headers': 'content-type, authorization, x-api-key, idempotency-key',
      'access-control-max-age': '600',
    })
  }
  void reply.code(204).send()
  return true
}
