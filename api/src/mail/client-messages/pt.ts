import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const pt: ClientMessages = {
  subjects: {
    request: (organization) => say`${organization} pede que conecte as suas contas de publicidade`,
    reminder: (organization) => say`Lembrete: ${organization} aguarda as suas contas de publicidade`,
    lastReminder: (organization) => say`O link de ${organization} expira amanhã`,
    confirmation: (organization) => say`As suas contas de publicidade estão conectadas com ${organization}`,
  },
  hello: (name) => (name ? say`Olá, ${name},` : say`Olá,`),
  asks: (requester, organization) => say`${requester}, de ${organization}, pede que conecte as seguintes plataformas de publicidade:`,
  stillOpen: (requester, organization) =>
    say`${requester}, de ${organization}, pediu que conectasse plataformas de publicidade. Estas ainda não estão conectadas:`,
  wrote: (requester) => say`Mensagem de ${requester}:`,
  open: 'Abrir a lista',
  expires: (date) =>
    say`Demora apenas alguns minutos, e pode interromper e continuar noutro dispositivo. As suas senhas continuam a ser só suas. O link expira em ${date}.`,
  unexpected: say`Se não conhece o remetente, ignore este e-mail: nada é partilhado sem a sua autorização.`,
  connected: (organization) => say`Obrigado. As seguintes plataformas de publicidade estão agora conectadas com ${organization}:`,
  receipt: say`Guarde este e-mail. Cada recibo mostra o que foi conectado e o que foi feito desde então, e permite desconectar a qualquer momento.`,
  receiptOf: (system) => `Recibo de ${system}`,
  why: (organization) => say`Recebe este e-mail porque ${organization} pediu que conectasse plataformas de publicidade através do Adjoin.`,
  stop: 'Deixar de receber estes e-mails',
}
