import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const nl: ClientMessages = {
  subjects: {
    request: (organization) => say`${organization} vraagt u uw advertentieaccounts te koppelen`,
    reminder: (organization) => say`Herinnering: ${organization} wacht op uw advertentieaccounts`,
    lastReminder: (organization) => say`De link van ${organization} verloopt morgen`,
    confirmation: (organization) => say`Uw advertentieaccounts zijn gekoppeld met ${organization}`,
  },
  hello: (name) => (name ? say`Beste ${name},` : say`Geachte heer of mevrouw,`),
  asks: (requester, organization) => say`${requester} van ${organization} vraagt u de volgende advertentiesystemen te koppelen:`,
  stillOpen: (requester, organization) =>
    say`${requester} van ${organization} heeft u gevraagd advertentiesystemen te koppelen. Deze zijn nog niet gekoppeld:`,
  wrote: (requester) => say`${requester} schrijft:`,
  open: 'Lijst openen',
  expires: (date) =>
    say`Dit duurt enkele minuten, en u kunt op elk moment stoppen en op een ander apparaat verdergaan. Uw wachtwoorden blijven bij u. De link verloopt op ${date}.`,
  unexpected: say`Kent u de afzender niet? Negeer deze e-mail dan: zonder uw toestemming wordt er niets gedeeld.`,
  connected: (organization) => say`Hartelijk dank. De volgende advertentiesystemen zijn nu gekoppeld met ${organization}:`,
  receipt: say`Bewaar deze e-mail. Elk bewijs laat zien wat er is gekoppeld en wat er sindsdien mee is gedaan. U kunt daarmee de koppeling op elk moment verbreken.`,
  receiptOf: (system) => `Bewijs voor ${system}`,
  why: (organization) => say`U ontvangt deze e-mail omdat ${organization} u heeft gevraagd advertentiesystemen te koppelen via Adjoin.`,
  stop: 'Geen e-mails meer ontvangen',
}
