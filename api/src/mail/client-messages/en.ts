import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const en: ClientMessages = {
  subjects: {
    request: (organization) => say`${organization} is asking you to connect your ad accounts`,
    reminder: (organization) => say`Reminder: ${organization} is waiting for your ad accounts`,
    lastReminder: (organization) => say`The link from ${organization} expires tomorrow`,
    confirmation: (organization) => say`Your ad accounts are connected to ${organization}`,
    unfinished: (organization) => say`The setup with ${organization} is not finished yet`,
  },
  hello: (name) => (name ? say`Hello ${name},` : say`Hello,`),
  personAt: (person, organization) => say`${person} at ${organization}`,
  asks: (sender) => say`${sender} is asking you to connect the following ad systems:`,
  stillOpen: (sender) => say`${sender} asked you to connect ad systems. These are not connected yet:`,
  almostDone: (organization) => say`These are almost done. One more step is missing before ${organization} can use them:`,
  wrote: (sender) => say`${sender} writes:`,
  open: 'Open the list',
  expires: (date) => say`It takes a few minutes, and you can stop and continue on any device. The link expires on ${date}.`,
  unexpected: say`If you don’t know the sender, ignore this email: nothing is shared unless you connect it.`,
  connected: (organization) => say`Thank you. The following ad systems are now connected to ${organization}:`,
  unfinished: (organization) => say`You gave ${organization} access to these, but their setup is not finished yet:`,
  receipt: say`Keep this email. Each receipt shows what was connected and what has been done with it, and lets you disconnect at any time.`,
  receiptOf: (system) => `Receipt for ${system}`,
  why: (organization) => say`You get this email because ${organization} asked you to connect ad systems through Adjoin.`,
  stop: 'Stop these emails',
}
