// What went wrong with an identity provider: for the person one of three words, for the operator where and what.
import * as oidc from 'openid-client'

/** The issuer's description of itself · what the browser came back with · the code, for the ID token and its keys. */
export type SignInStep = 'discovery' | 'authorization' | 'exchange'

/** For the log, all but `failed`: our words and the provider's codes, never its text, never a token. */
export interface FailedSignIn {
  readonly failed: 'access_denied' | 'identity_invalid' | 'provider_unavailable'
  readonly step: SignInStep
  readonly why: string
  /** `invalid_client`, or what a network calls it: `ECONNREFUSED`. */
  readonly vendorError?: string
  /** Microsoft's own number, such as AADSTS7000215: a client secret that is wrong. */
  readonly vendorCode?: string
  readonly vendorStatus?: number
}

export function troubleOf(error: unknown, step: SignInStep): FailedSignIn {
  const { code, name, error: word, error_description: text, status, cause } = error as Partial<oidc.ResponseBodyError>
  const below = (cause ?? {}) as { code?: unknown; status?: unknown; cause?: { code?: unknown } }
  const vendorError = [word, below.code, below.cause?.code].find(isCode)
  const vendorCode = /\bAADSTS\d{4,9}\b/.exec(String(text))?.[0]
  const vendorStatus = [status, below.status].find((one): one is number => typeof one === 'number')
  return {
    failed: failureOf(error),
    step: error instanceof oidc.AuthorizationResponseError ? 'authorization' : step,
    why: code ?? name ?? 'unknown',
    ...(vendorError && { vendorError }),
    ...(vendorCode && { vendorCode }),
    ...(vendorStatus && { vendorStatus }),
  }
}

/** As the protocol and the network write them; whatever else a provider sends is not quoted. */
const isCode = (value: unknown): value is string => typeof value === 'string' && /^[A-Za-z][A-Za-z_]{2,40}$/.test(value)

/** What the person can do about it: nothing was wrong, try later, or this answer is not to be trusted. */
function failureOf(error: unknown): FailedSignIn['failed'] {
  if (error instanceof oidc.AuthorizationResponseError)
    return DECLINED.has(error.error) ? 'access_denied' : TEMPORARY.has(error.error) ? 'provider_unavailable' : 'identity_invalid'
  const { code, status } = error as { code?: string; status?: number }
  if (error instanceof oidc.ResponseBodyError) return status && status >= 500 ? 'provider_unavailable' : 'identity_invalid'
  return code === undefined || UNREACHABLE.has(code) ? 'provider_unavailable' : 'identity_invalid'
}

const DECLINED = new Set(['access_denied', 'consent_required', 'interaction_required', 'login_required', 'account_selection_required'])
const TEMPORARY = new Set(['server_error', 'temporarily_unavailable'])
/**
 * Time-outs and answers that are not what the protocol says,
 * as openid-client names them. Anything without a code is the network.
 */
const UNREACHABLE = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
  'OAUTH_PARSE_ERROR',
])
