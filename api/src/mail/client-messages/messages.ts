import type { MailSentence } from '../compose.ts'

/** Everything that a client is ever mailed, in one language: a missing sentence does not compile. */
export interface ClientMessages {
  readonly subjects: Readonly<
    Record<'request' | 'reminder' | 'lastReminder' | 'confirmation' | 'unfinished', (organization: string) => MailSentence>
  >
  readonly hello: (name: string | null) => MailSentence
  /** Somebody, and where they work: begins the sentences that name a sender. */
  readonly personAt: (person: string, organization: string) => MailSentence
  /** `sender` asks for access to the ad systems that follow. */
  readonly asks: (sender: MailSentence) => MailSentence
  /** The ad systems that follow are not connected yet. */
  readonly stillOpen: (sender: MailSentence) => MailSentence
  /** For the ad systems that follow, one step is missing until `organization` can use them. */
  readonly almostDone: (organization: string) => MailSentence
  readonly wrote: (sender: string) => MailSentence
  readonly open: string
  readonly expires: (date: string) => MailSentence
  readonly unexpected: MailSentence
  readonly connected: (organization: string) => MailSentence
  /** Access to the ad systems that follow was given, and cannot be used yet. */
  readonly unfinished: (organization: string) => MailSentence
  readonly receipt: MailSentence
  readonly receiptOf: (system: string) => string
  readonly why: (organization: string) => MailSentence
  readonly stop: string
}
