// All mails there are, and what the reader of each must be when it leaves.
import type { MailReader, MailReaders } from '../../jobs/queue.ts'
import type * as clientMessages from '../../mail/client-messages/index.ts'
import type * as messages from '../../mail/messages.ts'

export type MailKind = keyof typeof messages | keyof typeof clientMessages

// biome-ignore format: a table
export const mailKinds = {
  signInMail:               'mailbox',
  unknownAddressMail:       'mailbox',
  codesClosedMail:          'mailbox',
  invitationMail:           'invitee',
  frozenMail:               'admin',
  thawedMail:               'admin',
  joinsMail:                'admin',
  autoJoinOffMail:          'admin',
  webhookFailingMail:       'admin',
  webhookDisabledMail:      'admin',
  integrationConnectedMail: 'workspace',
  integrationErrorMail:     'workspace',
  linkAskedForMail:         'workspace',
  digestMail:               'notices',
  requestMail:              'client',
  confirmationMail:         'client',
} as const satisfies Record<MailKind, keyof MailReaders>

/** The kinds of mail with that power. */
export type KindFor<Power extends keyof MailReaders> = {
  [Kind in MailKind]: (typeof mailKinds)[Kind] extends Power ? Kind : never
}[MailKind]

/** What must be known of the reader of a mail of that kind. */
export type ReaderOf<Kind extends MailKind> = Extract<MailReader, { power: (typeof mailKinds)[Kind] }>
