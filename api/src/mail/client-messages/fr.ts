import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const fr: ClientMessages = {
  subjects: {
    request: (organization) => say`${organization} vous demande de connecter vos comptes publicitaires`,
    reminder: (organization) => say`Rappel : ${organization} attend vos comptes publicitaires`,
    lastReminder: (organization) => say`Le lien envoyé par ${organization} expire demain`,
    confirmation: (organization) => say`Vos comptes publicitaires sont connectés à ${organization}`,
    unfinished: (organization) => say`La configuration avec ${organization} n’est pas encore terminée`,
  },
  hello: (name) => (name ? say`Bonjour ${name},` : say`Bonjour,`),
  personAt: (person, organization) => say`${person} (${organization})`,
  asks: (sender) => say`${sender} vous demande de connecter les plateformes publicitaires suivantes :`,
  stillOpen: (sender) =>
    say`${sender} vous a demandé de connecter des plateformes publicitaires. Les suivantes ne sont pas encore connectées :`,
  almostDone: (organization) => say`Il ne manque plus qu’une étape pour que ${organization} puisse utiliser les plateformes suivantes :`,
  wrote: (sender) => say`Message de ${sender} :`,
  open: 'Ouvrir la liste',
  expires: (date) =>
    say`Quelques minutes suffisent, et vous pouvez vous interrompre puis reprendre sur un autre appareil. Le lien expire le ${date}.`,
  unexpected: say`Si vous ne connaissez pas l’expéditeur, ignorez cet e-mail : rien n’est partagé sans votre accord.`,
  connected: (organization) => say`Merci. Les plateformes publicitaires suivantes sont désormais connectées à ${organization} :`,
  unfinished: (organization) =>
    say`Vous avez donné à ${organization} l’accès aux plateformes suivantes, mais leur configuration n’est pas encore terminée :`,
  receipt: say`Conservez cet e-mail. Chaque reçu indique ce qui a été connecté et ce qui en a été fait, et vous permet de mettre fin à la connexion à tout moment.`,
  receiptOf: (system) => `Reçu pour ${system}`,
  why: (organization) =>
    say`Vous recevez cet e-mail parce que ${organization} vous a demandé de connecter des plateformes publicitaires avec Adjoin.`,
  stop: 'Ne plus recevoir ces e-mails',
}
