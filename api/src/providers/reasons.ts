/**
 * THE REASONS: why an ad system did not say yes.
 * Each has a stable code, a sentence, whether waiting may heal it, and who must act.
 * `{system}` is the ad system's name; `{again}` says who tries once more;
 * `{what}` is filled from the outcome (missing permissions, settings, the account found).
 */
import type { MustAct } from '@adjoin/contract'

type Reason = { lasting: boolean; who: MustAct; sentence: string }

// biome-ignore format: a table
const permanent = {
  consent_denied:      { who: 'client',   sentence: 'Access was declined at {system}. The client must allow it to connect.' },
  consent_expired:     { who: 'client',   sentence: 'The consent at {system} took too long or was used before. The client must start again.' },
  grant_revoked:       { who: 'client',   sentence: '{system} no longer accepts the access that was given: it was withdrawn or has run out. The client must connect again.' },
  access_refused:      { who: 'client',   sentence: '{system} refuses the access even after renewing it. The client must connect again.' },
  login_refused:       { who: 'client',   sentence: '{system} refused the login. The client must check what was entered and submit it again.' },
  login_blocked:       { who: 'client',   sentence: '{system} blocks this user. The client must settle that at {system} (verification, activation), then connect again.' },
  password_expired:    { who: 'client',   sentence: 'The password has expired at {system}. The client must set a new one there and submit it here.' },
  wrong_login_kind:    { who: 'client',   sentence: 'This user signs in to {system} another way. The client must connect again and choose the other sign-in type.' },
  wrong_region:        { who: 'client',   sentence: '{system} knows no account of this user in the chosen region. The client must connect again with the right region.' },
  wrong_account:       { who: 'client',   sentence: 'A different account than expected was connected at {system}: {what}. The client must connect with the expected account.' },
  scope_missing:       { who: 'client',   sentence: 'Access at {system} was given without: {what}. The client must connect again and leave every permission ticked.' },
  no_account:          { who: 'client',   sentence: 'This user has no advertising account at {system}. The client must connect with a user who has one.' },
  account_closed:      { who: 'client',   sentence: 'The account is closed or not enabled at {system}. The client must enable it there.' },
  permission_missing:  { who: 'client',   sentence: 'The user lacks a permission at {system}. The client must have it granted there, or connect with another user.' },
  api_not_enabled:     { who: 'client',   sentence: 'API access is switched off for this account at {system}. The client must switch it on there.' },
  account_unreachable: { who: 'agency',   sentence: 'The connected user does not reach the configured account at {system}. The agency must correct the settings, or have access granted to the user.' },
  setting_missing:     { who: 'agency',   sentence: 'A setting is missing: {what}. The agency must fill it in.' },
  credential_unreadable: { who: 'operator', sentence: 'The stored access to {system} cannot be opened. The operator must restore its sealing key; or the client connects again.' },
  left_catalogue:      { who: 'operator', sentence: '{system} is no longer in the catalogue of this platform, so it can’t be checked. The operator must restore it, or the agency can delete this integration.' },
  app_misconfigured:   { who: 'operator', sentence: '{system} refuses the application of this platform. The operator must check its configuration.' },
  app_not_approved:    { who: 'operator', sentence: '{system} has not approved the application of this platform for this use. The operator must have it approved.' },
  api_version_ended:   { who: 'operator', sentence: '{system} has ended the API version in use. The operator must update.' },
} as const

// biome-ignore format: a table
const transient = {
  throttled:       { who: 'nobody',   sentence: '{system} asks to slow down. {again}' },
  login_locked:    { who: 'nobody',   sentence: '{system} has locked the login for some minutes after failed attempts. {again}' },
  outage:          { who: 'nobody',   sentence: '{system} is temporarily unavailable. {again}' },
  timeout:         { who: 'nobody',   sentence: '{system} did not answer in time. {again}' },
  network:         { who: 'nobody',   sentence: '{system} could not be reached. {again}' },
  busy:            { who: 'nobody',   sentence: 'Too many calls to {system} are under way. {again}' },
  settling:        { who: 'nobody',   sentence: '{system} does not accept the new access yet. {again}' },
  odd_answer:      { who: 'operator', sentence: '{system} gave an unexpected answer. {again} If this keeps happening, the operator must look into it.' },
  address_refused: { who: 'operator', sentence: 'The address of {system} leads into a private network. The operator must check name resolution.' },
} as const

export type PermanentReason = keyof typeof permanent
export type TransientReason = keyof typeof transient
export type ReasonCode = PermanentReason | TransientReason

export const reasons = {
  ...mark(permanent, true),
  ...mark(transient, false),
} as Record<ReasonCode, Reason>

function mark(table: Record<string, Omit<Reason, 'lasting'>>, lasting: boolean): Record<string, Reason> {
  return Object.fromEntries(Object.entries(table).map(([code, reason]) => [code, { lasting, ...reason }]))
}

/** Null for a word that is not of this table: another version wrote it. */
export const whoMustAct = (reason: string | null): MustAct | null =>
  reason !== null && Object.hasOwn(reasons, reason) ? reasons[reason as ReasonCode].who : null

export const isTransient = (code: ReasonCode): code is TransientReason => !reasons[code].lasting

/**
 * What is stored is looked at again by us;
 * what could not be verified was not stored, so whoever entered it has to.
 */
/** In whose words: the system's own, what a browser brought in its name, or ours. */
export type Words = { said?: string; brought?: string; note?: string }

const AGAIN = { stored: 'We’ll retry automatically.', entered: 'Nothing was stored: try again in a few minutes.' } as const

/**
 * The sentence for people; what the ad system said, or a browser in its name,
 * follows in quotes, already cleaned, with who said it.
 */
export function describe(
  system: string,
  { reason, what, said, brought, note }: { reason: ReasonCode; what?: string } & Words,
  access: keyof typeof AGAIN = 'stored',
): string {
  const sentence = reasons[reason].sentence
    .replaceAll('{system}', system)
    .replaceAll('{what}', what ?? 'unknown')
    .replaceAll('{again}', AGAIN[access])
  return [
    sentence,
    said && `${system} answered: “${said}”`,
    brought && `The browser came back from ${system} with: “${brought}”`,
    note && `(${note})`,
  ]
    .filter(Boolean)
    .join(' ')
}
