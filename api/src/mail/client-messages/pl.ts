import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const pl: ClientMessages = {
  subjects: {
    request: (organization) => say`Firma ${organization} prosi o połączenie kont reklamowych`,
    reminder: (organization) => say`Przypomnienie: firma ${organization} czeka na połączenie kont reklamowych`,
    lastReminder: (organization) => say`Link od firmy ${organization} wygasa jutro`,
    confirmation: (organization) => say`Konta reklamowe są połączone z firmą ${organization}`,
    unfinished: (organization) => say`Konfiguracja połączenia z firmą ${organization} nie jest jeszcze ukończona`,
  },
  hello: (name) => (name ? say`Dzień dobry, ${name},` : say`Dzień dobry,`),
  personAt: (person, organization) => say`${person} (${organization})`,
  asks: (sender) => say`${sender} prosi o połączenie następujących systemów reklamowych:`,
  stillOpen: (sender) => say`${sender} prosi o połączenie systemów reklamowych. Te nie są jeszcze połączone:`,
  almostDone: (organization) => say`Brakuje jeszcze jednego kroku, aby firma ${organization} mogła korzystać z następujących systemów:`,
  wrote: (sender) => say`Wiadomość od: ${sender}`,
  open: 'Otwórz listę',
  expires: (date) =>
    say`Zajmie to kilka minut. W każdej chwili można przerwać i kontynuować na innym urządzeniu. Link jest ważny do ${date}.`,
  unexpected: say`Jeśli nadawca jest nieznany, prosimy zignorować tę wiadomość: bez wyraźnej zgody nic nie zostanie udostępnione.`,
  connected: (organization) => say`Dziękujemy. Następujące systemy reklamowe są teraz połączone z firmą ${organization}:`,
  unfinished: (organization) =>
    say`Firma ${organization} otrzymała dostęp do następujących systemów, ale ich konfiguracja nie jest jeszcze ukończona:`,
  receipt: say`Prosimy zachować tę wiadomość. Każde potwierdzenie pokazuje, co zostało połączone i co się od tego czasu działo, oraz pozwala w każdej chwili rozłączyć konto.`,
  receiptOf: (system) => `Potwierdzenie: ${system}`,
  why: (organization) =>
    say`Ta wiadomość została wysłana, ponieważ firma ${organization} prosi o połączenie systemów reklamowych przez Adjoin.`,
  stop: 'Nie chcę otrzymywać tych wiadomości',
}
