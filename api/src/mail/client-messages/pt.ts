import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const pt: ClientMessages = {
  subjects: {
    request: (organization) => say`${organization} pede-lhe que ligue as suas contas de publicidade`,
    reminder: (organization) => say`Lembrete: ${organization} aguarda as suas contas de publicidade`,
    lastReminder: (organization) => say`O link de ${organization} expira amanhã`,
    confirmation: (organization) => say`As suas contas de publicidade estão ligadas a ${organization}`,
    unfinished: (organization) => say`A configuração com ${organization} ainda não está concluída`,
  },
  hello: (name) => (name ? say`Olá, ${name}:` : say`Olá:`),
  personAt: (person, organization) => say`${person}, de ${organization},`,
  asks: (sender) => say`${sender} pede-lhe que ligue as seguintes plataformas de publicidade:`,
  stillOpen: (sender) => say`${sender} pediu-lhe que ligasse plataformas de publicidade. Estas ainda não estão ligadas:`,
  almostDone: (organization) => say`Falta apenas um passo para que ${organization} possa utilizar as seguintes plataformas:`,
  wrote: (sender) => say`Mensagem de ${sender}:`,
  open: 'Abrir a lista',
  expires: (date) => say`Demora apenas alguns minutos, e pode interromper e continuar noutro dispositivo. O link expira em ${date}.`,
  unexpected: say`Se não conhece o remetente, ignore este e-mail: nada é partilhado sem a sua autorização.`,
  connected: (organization) => say`Obrigado. As seguintes plataformas de publicidade estão agora ligadas a ${organization}:`,
  unfinished: (organization) =>
    say`Deu a ${organization} acesso às seguintes plataformas, mas a respetiva configuração ainda não está concluída:`,
  receipt: say`Guarde este e-mail. Cada comprovativo mostra o que foi ligado e o que foi feito desde então, e permite desligar a conta em qualquer altura.`,
  receiptOf: (system) => `Comprovativo de ${system}`,
  why: (organization) => say`Recebe este e-mail porque ${organization} pediu-lhe que ligasse plataformas de publicidade através da Adjoin.`,
  stop: 'Deixar de receber estes e-mails',
}
