import { say } from '../compose.ts'
import type { ClientMessages } from './messages.ts'

export const es: ClientMessages = {
  subjects: {
    request: (organization) => say`${organization} le pide que conecte sus cuentas publicitarias`,
    reminder: (organization) => say`Recordatorio: ${organization} espera sus cuentas publicitarias`,
    lastReminder: (organization) => say`El enlace de ${organization} caduca mañana`,
    confirmation: (organization) => say`Sus cuentas publicitarias están conectadas con ${organization}`,
    unfinished: (organization) => say`La configuración con ${organization} aún no ha terminado`,
  },
  hello: (name) => (name ? say`Hola, ${name}:` : say`Hola:`),
  personAt: (person, organization) => say`${person}, de ${organization},`,
  asks: (sender) => say`${sender} le pide que conecte las siguientes plataformas publicitarias:`,
  stillOpen: (sender) => say`${sender} le pidió que conectara plataformas publicitarias. Estas aún no están conectadas:`,
  almostDone: (organization) => say`Solo falta un paso para que ${organization} pueda usar las siguientes plataformas:`,
  wrote: (sender) => say`Mensaje de ${sender}:`,
  open: 'Abrir la lista',
  expires: (date) => say`Solo lleva unos minutos, y puede interrumpirlo y continuar en otro dispositivo. El enlace caduca el ${date}.`,
  unexpected: say`Si no conoce al remitente, ignore este correo: no se comparte nada sin su autorización.`,
  connected: (organization) => say`Gracias. Las siguientes plataformas publicitarias ya están conectadas con ${organization}:`,
  unfinished: (organization) =>
    say`Ha dado a ${organization} acceso a las siguientes plataformas, pero su configuración aún no ha terminado:`,
  receipt: say`Conserve este correo. Cada comprobante muestra qué se conectó y qué se ha hecho desde entonces, y le permite desconectarlo en cualquier momento.`,
  receiptOf: (system) => `Comprobante de ${system}`,
  why: (organization) =>
    say`Recibe este correo porque ${organization} le pidió que conectara plataformas publicitarias a través de Adjoin.`,
  stop: 'No recibir más correos',
}
