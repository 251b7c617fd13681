// The one way to queue a mail: with its kind, and the power that its reader must still have when it leaves.
import type { RunQuery } from '../../db/sql.ts'
import type { JobPayloads, JobPlace, Jobs } from '../../jobs/queue.ts'
import type { Mail } from '../../mail/messages.ts'
import type { MailKind, ReaderOf } from './kinds.ts'

type Extras = Pick<JobPayloads['mail.send'], 'until' | 'client' | 'choosing'>

export interface QueuedMail<Kind extends MailKind> extends Extras {
  readonly to: string
  readonly mail: Mail
  readonly reader: ReaderOf<Kind>
}

export const queueMail = <Kind extends MailKind>(
  { jobs }: { readonly jobs: Jobs },
  query: RunQuery,
  kind: Kind,
  { to, mail, reader, ...extras }: QueuedMail<Kind>,
  place?: JobPlace,
): Promise<void> => jobs.enqueue(query, 'mail.send', { to, kind, reader, ...mail, ...extras }, place)

/** For mails that tell the holder of an address nothing but what they did there themselves. */
export const mailbox = { power: 'mailbox' } as const
