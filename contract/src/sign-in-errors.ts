/**
 * What a failed sign-in by an identity provider lands with: `PUBLIC_URL/error?code=…`.
 * Stable words; the provider’s own text is never passed on.
 */
export const signInErrors = {
  access_denied: 'The person or the provider declined',
  account_unknown: 'No organization uses this email domain, and there is no invitation or sign-up for the address',
  email_missing: 'The provider sent no email address',
  identity_conflict: 'The address is linked to another account at this provider',
  identity_invalid: 'The provider’s response could not be verified',
  limit_exceeded: 'Too many sign-ins from this network, or too many emails to this address; `Retry-After` says how long to wait',
  provider_unavailable: 'The provider is temporarily unavailable',
  state_invalid: 'The attempt expired, was already used, or was started in another browser',
} as const

export type SignInError = keyof typeof signInErrors

/** The same for a client who comes back from an ad system's consent screen and can be sent nowhere better. */
export const connectErrors = {
  connect_state_invalid: 'The attempt expired or was already used',
  connect_link_gone: 'The connect link was used, replaced or revoked, or has expired',
  connect_failed: 'Something went wrong on our side; the link still works',
  connect_limit_exceeded: 'Too many clients came back from this network within a minute; the link still works',
} as const

export type ConnectError = keyof typeof connectErrors
