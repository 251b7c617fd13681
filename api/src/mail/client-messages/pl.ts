import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const pl: ClientMessages = {
  subjects: {
    request: (organization) => say`${organization} prosi o połączenie kont reklamowych`,
    reminder: (organization) => say`Przypomnienie: ${organization} czeka na Państwa konta reklamowe`,
    lastReminder: (organization) => say`Link od ${organization} wygasa jutro`,
    confirmation: (organization) => say`Państwa konta reklamowe są połączone z ${organization}`,
  },
  hello: (name) => (name ? say`Dzień dobry, ${name},` : say`Dzień dobry,`),
  asks: (requester, organization) => say`${requester} (${organization}) prosi o połączenie następujących systemów reklamowych:`,
  stillOpen: (requester, organization) =>
    say`${requester} (${organization}) prosi o połączenie systemów reklamowych. Te nie są jeszcze połączone:`,
  wrote: (requester) => say`Wiadomość od: ${requester}`,
  open: 'Otwórz listę',
  expires: (date) =>
    say`Zajmie to kilka minut. W każdej chwili można przerwać i kontynuować na innym urządzeniu. Państwa hasła pozostają u Państwa. Link wygasa ${date}.`,
  unexpected: say`Jeśli nie znają Państwo nadawcy, prosimy zignorować tę wiadomość: bez Państwa zgody nic nie zostanie udostępnione.`,
  connected: (organization) => say`Dziękujemy. Następujące systemy reklamowe są teraz połączone z ${organization}:`,
  receipt: say`Prosimy zachować tę wiadomość. Każde potwierdzenie pokazuje, co zostało połączone i co się od tego czasu działo, oraz pozwala w każdej chwili zakończyć połączenie.`,
  receiptOf: (system) => `Potwierdzenie: ${system}`,
  why: (organization) =>
    say`Otrzymują Państwo tę wiadomość, ponieważ ${organization} prosi o połączenie systemów reklamowych przez Adjoin.`,
  stop: 'Nie chcę otrzymywać tych wiadomości',
}
