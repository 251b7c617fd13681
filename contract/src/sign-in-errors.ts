/**
 * What a failed sign-in by an identity provider lands with: `PUBLIC_URL/error?code=…`.
 * Stable words; the provider’s own text is never passed on.
 */
export const signInErrors = {
  access_denied: 'The person, or the provider, declined',
  account_unknown: 'Nothing waits for this address: no organization of its domain, no invitation, no sign-up',
  email_missing: 'The provider names no address',
  identity_conflict: 'The address is linked to another account at this provider',
  identity_invalid: 'The provider’s answer cannot be trusted',
  limit_exceeded: 'Too many sign-ins from this network, or too many mails to this address; `Retry-After` says how long to wait',
  provider_unavailable: 'The provider does not answer',
  state_invalid: 'The attempt is too old, was used, or was started in another browser',
} as const

export type SignInError = keyof typeof signInErrors

/** The same for a client who comes back from an ad system's consent screen and can be sent nowhere better. */
export const connectErrors = {
  connect_state_invalid: 'The attempt is too old, or was used before',
  connect_link_gone: 'The connect link was used, replaced, revoked or has expired meanwhile',
  connect_failed: 'Something went wrong on our side; the link still works',
  connect_limit_exceeded: 'Too many clients came back from this network within a minute; the link still works',
} as const

export type ConnectError = keyof typeof connectErrors
