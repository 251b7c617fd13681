import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const de: ClientMessages = {
  subjects: {
    request: (organization) => say`${organization} bittet Sie, Ihre Werbekonten zu verbinden`,
    reminder: (organization) => say`Erinnerung: ${organization} wartet auf Ihre Werbekonten`,
    lastReminder: (organization) => say`Der Link von ${organization} läuft morgen ab`,
    confirmation: (organization) => say`Ihre Werbekonten sind mit ${organization} verbunden`,
    unfinished: (organization) => say`Die Einrichtung mit ${organization} ist noch nicht abgeschlossen`,
  },
  hello: (name) => (name ? say`Guten Tag ${name},` : say`Guten Tag,`),
  personAt: (person, organization) => say`${person} von ${organization}`,
  asks: (sender) => say`${sender} bittet Sie, die folgenden Werbesysteme zu verbinden:`,
  stillOpen: (sender) => say`${sender} hat Sie gebeten, Werbesysteme zu verbinden. Diese sind noch nicht verbunden:`,
  almostDone: (organization) => say`Diese sind fast fertig. Es fehlt noch ein Schritt, bevor ${organization} sie nutzen kann:`,
  wrote: (sender) => say`${sender} schreibt:`,
  open: 'Liste öffnen',
  expires: (date) =>
    say`Das dauert wenige Minuten, und Sie können jederzeit unterbrechen und auf einem anderen Gerät fortfahren. Der Link läuft am ${date} ab.`,
  unexpected: say`Falls Sie den Absender nicht kennen, ignorieren Sie diese E-Mail: Ohne Ihr Zutun wird nichts freigegeben.`,
  connected: (organization) => say`Vielen Dank. Die folgenden Werbesysteme sind nun mit ${organization} verbunden:`,
  unfinished: (organization) =>
    say`Für die folgenden Werbesysteme haben Sie ${organization} Zugriff gegeben, die Einrichtung ist aber noch nicht abgeschlossen:`,
  receipt: say`Bewahren Sie diese E-Mail auf. Jeder Beleg zeigt, was verbunden wurde und was seitdem geschehen ist. Über ihn können Sie die Verbindung jederzeit trennen.`,
  receiptOf: (system) => `Beleg für ${system}`,
  why: (organization) => say`Sie erhalten diese E-Mail, weil ${organization} Sie gebeten hat, Werbesysteme über Adjoin zu verbinden.`,
  stop: 'Keine weiteren E-Mails erhalten',
}
