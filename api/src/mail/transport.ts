import { createTransport } from 'nodemailer'
import type { Config } from '../config.ts'
import type { Mail } from './messages.ts'

export interface Transport {
  /**
   * `id` names the mail: a second delivery after a crash carries
   * the same Message-ID, so that mail programs show one.
   */
  deliver(to: string, mail: Mail, id: string): Promise<void>
  healthy(): boolean
  close(): void
}

const TIMEOUTS = { connectionTimeout: 5000, greetingTimeout: 5000, socketTimeout: 15_000 }

/** Real mail through SMTP, with time-outs on every step. */
export function smtpTransport(config: Config & { smtpUrl: string }): Transport {
  const url = new URL(config.smtpUrl)
  // nodemailer takes options from the address; what the operator wrote there wins.
  for (const [name, ms] of Object.entries(TIMEOUTS)) if (!url.searchParams.has(name)) url.searchParams.set(name, String(ms))
  const transporter = createTransport(url.href, { from: config.mailFrom })
  const ours = secretsIn(url)
  let lastFailed = false
  return {
    async deliver(to, mail, id) {
      try {
        await transporter.sendMail({ to, ...mail, messageId: `<${id}@${new URL(config.publicUrl).hostname}>` })
        lastFailed = false
      } catch (error) {
        const refused = refusesMail(error)
        lastFailed = !refused
        throw Object.assign(without(ours, error as Error), { permanent: refused })
      }
    },
    healthy: () => !lastFailed,
    close: () => transporter.close(),
  }
}

/**
 * The server works, and will never take this mail: an unknown mailbox, say.
 * A refused login or sender is ours to mend, so it stays a fault.
 */
const refusesMail = (error: unknown): boolean => {
  const { responseCode = 0, command = '' } = error as { responseCode?: number; command?: string }
  return responseCode >= 500 && /^(RCPT TO|DATA)$/.test(command)
}

/** The password in every spelling that SMTP sends it in: a careless server repeats what it refuses. */
function secretsIn({ username, password }: URL): string[] {
  if (!password) return []
  const [user, plain] = [decodeURIComponent(username), decodeURIComponent(password)]
  const encoded = [`\0${user}\0${plain}`, plain].map((text) => Buffer.from(text).toString('base64'))
  return [...encoded, password, plain]
}

function without(secrets: readonly string[], error: Error): Error {
  const clean = (text: string) => secrets.reduce((rest, secret) => rest.replaceAll(secret, '•••'), text)
  error.message = clean(error.message)
  if (error.stack) error.stack = clean(error.stack)
  return error
}

/** Development: the mailbox page. */
export const mailboxTransport = (put: (to: string, mail: Mail) => Promise<void>): Transport => ({
  deliver: (to, mail) => put(to, mail),
  healthy: () => true,
  close: () => {},
})
