// What we write to clients, in their language. Nothing else is ever mailed to them.
import type { Language } from '@adjoin/contract'
import { compose, type Mail, type Part, say } from '../compose.ts'
import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { it } from './it.ts'
import { ja } from './ja.ts'
import type { ClientMessages } from './messages.ts'
import { nl } from './nl.ts'
import { pl } from './pl.ts'
import { pt } from './pt.ts'

const catalogues: Record<Language, ClientMessages> = { en, de, fr, es, it, nl, pt, pl, ja }

export interface ClientMail {
  readonly language: Language | null
  readonly organization: string
  readonly clientName: string | null
  /** The page on which the client stops these mails, and the address that does so at one click. */
  readonly stop: { readonly page: string; readonly oneClick: string }
}

interface RequestMail extends ClientMail {
  readonly kind: 'request' | 'reminder' | 'lastReminder'
  /** Null once they were removed: then the organization asks. */
  readonly requester: string | null
  readonly message: string | null
  /** Names of the ad systems that are still to be connected. */
  readonly systems: readonly string[]
  /** Of those for which one step is missing. */
  readonly unfinished: readonly string[]
  readonly link: string
  readonly expiresAt: Date
}

export function requestMail({ kind, requester, message, systems, unfinished, link, expiresAt, ...to }: RequestMail): Mail {
  const language = to.language ?? 'en'
  const words = catalogues[language]
  const sender = requester ? words.personAt(requester, to.organization) : say`${to.organization}`
  const date = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(expiresAt)
  return toClient(to, words.subjects[kind](to.organization), [
    ...listed(systems, (kind === 'request' ? words.asks : words.stillOpen)(sender)),
    ...listed(unfinished, words.almostDone(to.organization)),
    ...(kind === 'request' && message ? [words.wrote(requester ?? to.organization), { quote: message }] : []),
    { link, label: words.open },
    words.expires(date),
    words.unexpected,
  ])
}

const listed = (systems: readonly string[], sentence: Part): Part[] =>
  systems.length ? [sentence, { list: systems.map((system) => say`${system}`) }] : []

interface ConfirmationMail extends ClientMail {
  readonly receipts: readonly { readonly system: string; readonly link: string; readonly unfinished: boolean }[]
}

export function confirmationMail({ receipts, ...to }: ConfirmationMail): Mail {
  const words = catalogues[to.language ?? 'en']
  const [unfinished = [], connected = []] = [true, false].map((half) => receipts.filter((receipt) => receipt.unfinished === half))
  const links = (of: ConfirmationMail['receipts'], sentence: Part): Part[] =>
    of.length ? [sentence, ...of.map(({ system, link }) => ({ link, label: words.receiptOf(system) }))] : []
  return toClient(to, words.subjects[connected.length ? 'confirmation' : 'unfinished'](to.organization), [
    ...links(connected, words.connected(to.organization)),
    ...links(unfinished, words.unfinished(to.organization)),
    words.receipt,
  ])
}

/** With a way out of all further mails, for people and for mail programs (RFC 8058). */
function toClient({ language, organization, clientName, stop }: ClientMail, subject: Parameters<typeof compose>[0], parts: Part[]): Mail {
  const words = catalogues[language ?? 'en']
  return {
    ...compose(
      subject,
      [words.hello(clientName), ...parts, { aside: words.why(organization), link: stop.page, label: words.stop }],
      language ?? 'en',
    ),
    headers: { 'List-Unsubscribe': `<${stop.oneClick}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' },
  }
}
