import { trustedUrl } from '@adjoin/contract/trusted-url'
import type { Config } from '../../config.ts'
import { refuse } from '../../refusal.ts'

/** The longest address we keep: a browser drops cookies that are much longer. */
const MAX_LENGTH = 2048

/**
 * Where the person wants to land:
 * what is checked here is what is stored, and it is checked again before it is used.
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
