import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const nl: ClientMessages = {
  subjects: {
    request: (organization) => say`${organization} vraagt u uw advertentieaccounts te verbinden`,
    reminder: (organization) => say`Herinnering: ${organization} wacht op uw advertentieaccounts`,
    lastReminder: (organization) => say`De link van ${organization} verloopt morgen`,
    confirmation: (organization) => say`Uw advertentieaccounts zijn verbonden met ${organization}`,
    unfinished: (organization) => say`De koppeling met ${organization} is nog niet volledig ingesteld`,
  },
  hello: (name) => (name ? say`Beste ${name},` : say`Geachte heer of mevrouw,`),
  personAt: (person, organization) => say`${person} van ${organization}`,
  asks: (sender) => say`${sender} vraagt u de volgende advertentieplatforms te verbinden:`,
  stillOpen: (sender) => say`${sender} heeft u gevraagd advertentieplatforms te verbinden. Deze zijn nog niet verbonden:`,
  almostDone: (organization) => say`Er is nog één stap nodig voordat ${organization} de volgende advertentieplatforms kan gebruiken:`,
  wrote: (sender) => say`${sender} schrijft:`,
  open: 'Lijst openen',
  expires: (date) =>
    say`Dit duurt enkele minuten, en u kunt op elk moment stoppen en op een ander apparaat verdergaan. De link verloopt op ${date}.`,
  unexpected: say`Kent u de afzender niet? Negeer deze e-mail dan: zonder uw toestemming wordt er niets gedeeld.`,
  connected: (organization) => say`Hartelijk dank. De volgende advertentieplatforms zijn nu verbonden met ${organization}:`,
  unfinished: (organization) =>
    say`U hebt ${organization} toegang gegeven tot de volgende advertentieplatforms, maar ze zijn nog niet volledig ingesteld:`,
  receipt: say`Bewaar deze e-mail. Elk ontvangstbewijs laat zien wat er is verbonden en wat er sindsdien mee is gedaan. U kunt er de verbinding op elk moment mee verbreken.`,
  receiptOf: (system) => `Ontvangstbewijs voor ${system}`,
  why: (organization) => say`U ontvangt deze e-mail omdat ${organization} u heeft gevraagd advertentieplatforms te verbinden via Adjoin.`,
  stop: 'Geen e-mails meer ontvangen',
}
