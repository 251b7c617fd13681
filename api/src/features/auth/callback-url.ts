import { trustedUrl } from '@adjoin/contract/trusted-url'
import type { Config } from '../../config.ts'
import { refuse } from '../../refusal.ts'

/** The address is kept in a cookie, and browsers drop cookies that are much longer. */
const MAX_LENGTH = 2048

/**
 * Where the person goes after signing in. What was checked here is stored,
 * and is checked again before it is used.
 */
export function checkedCallback(text: string | undefined, config: Config): string | null {
  if (text === undefined) return null
  const url = trustedUrl(text, config)
  if (!url) return refuse('untrusted_url', { errors: [{ path: 'callbackURL', message: 'must be on a trusted origin' }] })
  if (url.length > MAX_LENGTH)
    return refuse('validation_failed', {
      errors: [{ path: 'callbackURL', message: `must have at most ${MAX_LENGTH} characters after encoding` }],
    })
  return url
}
