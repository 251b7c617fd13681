import { type ReasonCode, reasons } from './reasons.ts'

const NOT_YOURS = 'We can’t connect {system} right now. This is not caused by anything you entered. Try again later.'
const LATER = 'We couldn’t reach {system} just now, and nothing was saved. Try again in a few minutes.'

/** THE REASONS, as a client reads them: what they can do, and blame for nobody. */
// biome-ignore format: a table
const sentences: Record<ReasonCode, string> = {
  consent_denied:      'Access was not allowed at {system}. To connect, start again and allow it.',
  consent_expired:     'Signing in to {system} took too long, or that sign-in was already used. Start again.',
  grant_revoked:       '{system} no longer accepts this connection. Connect again.',
  access_refused:      '{system} did not accept the connection. Connect again.',
  login_refused:       '{system} did not accept these credentials. Check them, then try again.',
  login_blocked:       '{system} has blocked this user. Verify or activate the user at {system}, then try again.',
  password_expired:    'This password has expired. Set a new one at {system}, then try again with it.',
  wrong_login_kind:    'This user signs in to {system} another way. Try again and choose the other sign-in type.',
  wrong_region:        '{system} has no account for this user in the chosen region. Try again and choose another region.',
  wrong_account:       'A different account than the expected one was used at {system}. Try again with the expected account.',
  scope_missing:       'Some permissions were not granted at {system}. Try again and leave every box ticked.',
  no_account:          'This user has no advertising account at {system}. Try again with a user who has one.',
  account_closed:      'This account is closed or not enabled at {system}. Enable it there, then try again.',
  permission_missing:  'This user is missing a permission at {system}. Get it granted there, or try again with another user.',
  api_not_enabled:     'API access is turned off for this account at {system}. Turn it on there, then try again.',
  account_unreachable: 'The user you connected with has no access to the requested account at {system}. Try again with a user who has access.',
  setting_missing:     'You have done your part. One setting is still to be added before {system} can be used.',
  client_disconnected: '{system} was disconnected with the button on the receipt. Connect again to restore access.',
  access_ended:        'Access to {system} ended on the agreed day. Connect again to restore it.',
  credential_unreadable: NOT_YOURS,
  left_catalogue:      NOT_YOURS,
  app_misconfigured:   NOT_YOURS,
  app_not_approved:    NOT_YOURS,
  api_version_ended:   NOT_YOURS,
  throttled:           LATER,
  login_locked:        '{system} has locked this login for a few minutes after failed attempts. Try again later.',
  outage:              '{system} is temporarily unavailable, and nothing was saved. Try again in a few minutes.',
  timeout:             LATER,
  network:             LATER,
  busy:                LATER,
  settling:            '{system} does not accept the new access yet. Try again in a few minutes.',
  odd_answer:          NOT_YOURS,
  address_refused:     NOT_YOURS,
}

/** Null for a word that is not of this table: another version wrote it. */
export const clientSentence = (system: string, reason: string): string | null =>
  Object.hasOwn(reasons, reason) ? sentences[reason as ReasonCode].replaceAll('{system}', system) : null
