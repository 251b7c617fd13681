/**
 * THE REASONS: why an ad system did not say yes.
 * Each has a stable code, a sentence, whether waiting may heal it, and who must act.
 * A sentence says what to do without naming who: clients and agencies read the same one,
 * and `who` says who must act.
 * `{system}` is the ad system's name; `{again}` says who retries;
 * `{what}` comes from the outcome (missing permissions, settings, the account).
 */
import type { MustAct } from '@adjoin/contract'

type Reason = { lasting: boolean; who: MustAct; sentence: string }

// biome-ignore format: a table
const permanent = {
  consent_denied:      { who: 'client',   sentence: 'Access was declined at {system}. To connect, start again and allow it.' },
  consent_expired:     { who: 'client',   sentence: 'Signing in to {system} took too long, or that sign-in was already used. Start again.' },
  grant_revoked:       { who: 'client',   sentence: '{system} no longer accepts this connection: access was revoked or has expired. Connect again.' },
  access_refused:      { who: 'client',   sentence: '{system} rejects this connection, even after we renewed it. Connect again.' },
  login_refused:       { who: 'client',   sentence: '{system} rejected these credentials. Check them, then connect again.' },
  login_blocked:       { who: 'client',   sentence: '{system} has blocked this user. Verify or activate the user at {system}, then connect again.' },
  password_expired:    { who: 'client',   sentence: 'This password has expired. Set a new one at {system}, then connect again with it.' },
  wrong_login_kind:    { who: 'client',   sentence: 'This user signs in to {system} another way. Connect again and choose the other sign-in type.' },
  wrong_region:        { who: 'client',   sentence: '{system} has no account for this user in the chosen region. Connect again and choose the right region.' },
  wrong_account:       { who: 'client',   sentence: 'A different account than expected was used at {system}: {what}. Connect again with the expected account.' },
  scope_missing:       { who: 'client',   sentence: 'Some permissions were not granted at {system}: {what}. Connect again and leave every box ticked.' },
  no_account:          { who: 'client',   sentence: 'This user has no advertising account at {system}. Connect again with a user who has one.' },
  account_closed:      { who: 'client',   sentence: 'This account is closed or not enabled at {system}. Enable it there, then try again.' },
  permission_missing:  { who: 'client',   sentence: 'This user is missing a permission at {system}. Get it granted there, or connect again with another user.' },
  api_not_enabled:     { who: 'client',   sentence: 'API access is turned off for this account at {system}. Turn it on there, then try again.' },
  account_unreachable: { who: 'agency',   sentence: 'The connected user has no access to the configured account at {system}. Correct the account in Settings, or have the user given access.' },
  setting_missing:     { who: 'agency',   sentence: 'A setting is missing: {what}. Add it in Settings.' },
  client_disconnected: { who: 'client',   sentence: 'Your client disconnected {system}. If you still need it, send them a new connect link.' },
  access_ended:        { who: 'agency',   sentence: 'Access to {system} ended on the agreed day. Send a new connect link if it is still needed.' },
  credential_unreadable: { who: 'operator', sentence: 'We can’t read the stored access to {system}, because its encryption key is missing. Ask your Adjoin operator to restore the key, or reconnect with a new connect link.' },
  left_catalogue:      { who: 'operator', sentence: '{system} is no longer supported here, so we can’t check this connection. Ask your Adjoin operator to bring it back, or delete this integration.' },
  app_misconfigured:   { who: 'operator', sentence: '{system} rejected our application. Ask your Adjoin operator to check its configuration.' },
  app_not_approved:    { who: 'operator', sentence: '{system} has not approved our application for this use. Ask your Adjoin operator to have it approved.' },
  api_version_ended:   { who: 'operator', sentence: '{system} no longer supports the API version we use. Ask your Adjoin operator to update Adjoin.' },
} as const

// biome-ignore format: a table
const transient = {
  throttled:       { who: 'nobody',   sentence: '{system} asked us to slow down. {again}' },
  login_locked:    { who: 'nobody',   sentence: '{system} has locked this login for a few minutes after failed attempts. {again}' },
  outage:          { who: 'nobody',   sentence: '{system} is temporarily unavailable. {again}' },
  timeout:         { who: 'nobody',   sentence: '{system} did not respond in time. {again}' },
  network:         { who: 'nobody',   sentence: 'We couldn’t reach {system}. {again}' },
  busy:            { who: 'nobody',   sentence: 'We are making too many requests to {system} at the moment. {again}' },
  settling:        { who: 'nobody',   sentence: '{system} does not accept the new access yet. {again}' },
  odd_answer:      { who: 'operator', sentence: '{system} sent an unexpected response. {again} If this keeps happening, contact your Adjoin operator.' },
  address_refused: { who: 'operator', sentence: 'The address of {system} points into a private network, so we don’t call it. Ask your Adjoin operator to check DNS.' },
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

/** In whose words: the system's own, what a browser brought in its name, or ours. */
export type Words = { said?: string; brought?: string; note?: string }

/**
 * What is stored is looked at again by us;
 * what could not be verified was not stored, so whoever entered it has to.
 */
const AGAIN = { stored: 'We’ll retry automatically.', entered: 'Nothing was saved. Try again in a few minutes.' } as const

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
    said && `${system} replied: “${said}”`,
    brought && `The browser came back from ${system} with: “${brought}”`,
    note && `(${note})`,
  ]
    .filter(Boolean)
    .join(' ')
}
