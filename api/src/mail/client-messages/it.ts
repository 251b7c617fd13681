import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const it: ClientMessages = {
  subjects: {
    request: (organization) => say`${organization} Le chiede di collegare i Suoi account pubblicitari`,
    reminder: (organization) => say`Promemoria: ${organization} attende i Suoi account pubblicitari`,
    lastReminder: (organization) => say`Il link di ${organization} scade domani`,
    confirmation: (organization) => say`I Suoi account pubblicitari sono collegati a ${organization}`,
    unfinished: (organization) => say`La configurazione con ${organization} non è ancora completa`,
  },
  hello: (name) => (name ? say`Buongiorno ${name},` : say`Buongiorno,`),
  personAt: (person, organization) => say`${person} di ${organization}`,
  asks: (sender) => say`${sender} Le chiede di collegare le seguenti piattaforme pubblicitarie:`,
  stillOpen: (sender) => say`${sender} Le ha chiesto di collegare alcune piattaforme pubblicitarie. Queste non sono ancora collegate:`,
  almostDone: (organization) => say`Manca solo un passaggio perché ${organization} possa utilizzare le seguenti piattaforme:`,
  wrote: (sender) => say`Messaggio di ${sender}:`,
  open: 'Apri l’elenco',
  expires: (date) => say`Bastano pochi minuti e può interrompere e riprendere su un altro dispositivo. Il link scade il giorno ${date}.`,
  unexpected: say`Se non conosce il mittente, ignori questa email: nulla viene condiviso senza il Suo consenso.`,
  connected: (organization) => say`Grazie. Le seguenti piattaforme pubblicitarie sono ora collegate a ${organization}:`,
  unfinished: (organization) =>
    say`Ha dato a ${organization} l’accesso alle seguenti piattaforme, ma la loro configurazione non è ancora completa:`,
  receipt: say`Conservi questa email. Ogni ricevuta mostra che cosa è stato collegato e che cosa è stato fatto da allora, e Le permette di scollegarlo in qualsiasi momento.`,
  receiptOf: (system) => `Ricevuta per ${system}`,
  why: (organization) =>
    say`Riceve questa email perché ${organization} Le ha chiesto di collegare piattaforme pubblicitarie tramite Adjoin.`,
  stop: 'Non ricevere più queste email',
}
