/**
 * Which answers say that an access token has ended, before anything was done. Only then is a change sent again, with
 * a renewed one: not after a refused permission, and not after any 401. A row for every ad system, from its documentation.
 */
import type { ProviderId } from '@adjoin/contract'
import type { Provider } from '../providers/provider.ts'
import type { VendorAnswer } from '../providers/rule.ts'

/** Every condition given must hold. `code` and `not` are tried against each code of the answer. */
export interface StaleAnswer {
  readonly status?: number
  readonly code?: RegExp
  readonly not?: RegExp
  readonly text?: RegExp
  readonly notText?: RegExp
  readonly header?: readonly [name: string, value: RegExp]
}

/** A user, a client or a developer token that is refused is no token that has ended. */
const google: readonly StaleAnswer[] = [
  {
    status: 401,
    code: /^(UNAUTHENTICATED|authError|ACCESS_TOKEN_EXPIRED)$/,
    not: /^(authenticationError\.(?!OAUTH_TOKEN_)|authorizationError\.)/,
  },
]

/** Nothing can be renewed without a person: the access ends when it is refused. */
const NEVER: readonly StaleAnswer[] = []

export const staleAnswers: Record<ProviderId, readonly StaleAnswer[]> = {
  google_ads: google,
  // A dead token cannot be exchanged for a living one.
  meta_ads: NEVER,
  // 105: the login was refused; 109: the token has expired. Faults come with any status.
  microsoft_ads: [{ code: /^(105|109)$/ }],
  // The same 401 says that the profile is missing, or not one of this login.
  amazon_ads: [{ status: 401, text: /authenticat/i, notText: /scope|advertiser/i }],
  tiktok_ads: NEVER,
  linkedin_ads: [
    { status: 401, code: /^(6560[0-2]|(INVALID|REVOKED|EXPIRED)_ACCESS_TOKEN)$/ },
    { status: 401, text: /expired access token|token[^"]* has expired/i },
  ],
  pinterest_ads: [{ status: 401, code: /^2$/ }],
  snapchat_ads: [{ status: 401, header: ['www-authenticate', /error="?invalid_token/i] }],
  reddit_ads: [{ status: 401 }],
  display_video_360: google,
  the_trade_desk: NEVER,
  criteo: [{ status: 401, code: /^authorization-token-(expired|invalid)$/ }],
  stackadapt: NEVER,
  // Its 403 is a missing permission: a new token would have the same ones.
  adform: [{ status: 401 }],
  google_ad_manager: google,
  campaign_manager_360: google,
  // Some of its services call a dead session a syntax error.
  xandr: [{ code: /^NOAUTH$/ }, { status: 401, code: /^SYNTAX$/, text: /not logged in/i }],
  magnite: NEVER,
  pubmatic: [{ status: 401 }, { code: /(^|\.)(access_token_expired|invalid_access_token)$/i }],
  freewheel: [{ status: 401 }],
}

export function saysStale({ id, codes: codesIn }: Pick<Provider, 'id' | 'codes'>, answer: VendorAnswer): boolean {
  const codes = (codesIn?.(answer.body, answer) ?? []).filter((code) => typeof code === 'string')
  return staleAnswers[id].some(
    ({ status, code, not, text, notText, header }) =>
      (status === undefined || answer.status === status) &&
      (!code || codes.some((sent) => code.test(sent))) &&
      (!not || !codes.some((sent) => not.test(sent))) &&
      (!text || text.test(answer.text)) &&
      !notText?.test(answer.text) &&
      (!header || header[1].test(answer.headers[header[0]] ?? '')),
  )
}
