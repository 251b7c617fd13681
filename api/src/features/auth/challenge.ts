// A code works only with the challenge of the request that asked for it:
// six digits can be guessed at only by whoever had them mailed, and such guesses are counted.
import type { Call } from '../../call.ts'
import { refuse } from '../../refusal.ts'
import { digest, newToken } from '../../vault/tokens.ts'
import { type FlowCall, flowCookie, setFlowCookie } from './cookies.ts'

export const CHALLENGE_COOKIE = 'challenge'

/**
 * Answered to programs; to a browser it goes as a cookie,
 * and one that it has already stays, so that two tabs do not undo each other.
 */
export function issueChallenge(
  call: FlowCall,
  to: 'browser' | 'program' = call.origin.fromBrowser ? 'browser' : 'program',
): { challenge: string; answer: { challenge?: string } } {
  const held = to === 'browser' ? flowCookie(call, CHALLENGE_COOKIE) : undefined
  const challenge = held && /^[\w-]{43}$/.test(held) ? held : newToken()
  if (to === 'browser') setFlowCookie(call, CHALLENGE_COOKIE, challenge)
  return { challenge: digest(challenge).toString('base64url'), answer: to === 'browser' ? {} : { challenge } }
}

/**
 * What comes with a code, by whichever way. Without one nothing is looked up:
 * this browser, or program, has asked for no code.
 */
export const readChallenge = (call: Pick<Call, 'parts' | 'origin'>, sent: string | undefined): string =>
  sent ||
  flowCookie(call, CHALLENGE_COOKIE) ||
  refuse('sign_in_invalid', {
    detail:
      'This code only works in the browser where you requested it. Enter it there within 10 minutes, or open the link in the email. Programs must send `challenge`.',
  })
