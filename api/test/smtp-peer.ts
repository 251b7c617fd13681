// A real SMTP server on loopback that keeps what it is given.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { until } from '../../furnishing/until.ts'

export interface ReceivedMail {
  from: string
  to: string[]
  subject: string
  text: string
}
export type SmtpPeer = Awaited<ReturnType<typeof startSmtpPeer>>

export async function startSmtpPeer() {
  const letters: ReceivedMail[] = []
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onData: (stream, session, done) => {
      text(stream).then((source) => {
        const { mailFrom, rcptTo } = session.envelope
        letters.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), ...read(source) })
        done()
      }, done)
    },
  })
  server.on('error', () => {}) // a client that hangs up in the middle is what some tests play
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  /** The newest letter to an address; waits until there are `count`. */
  const letterTo = async (address: string, count = 1): Promise<ReceivedMail> => {
    const found = () => letters.filter(({ to }) => to.includes(address))
    return (await until(found, ({ length }) => length >= count, `letter number ${count} to ${address}`)).at(-1)!
  }
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    letters,
    letterTo,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}

/** Subject and plain text of a letter, decoded as a mail program would. */
function read(source: string): { subject: string; text: string } {
  const { headers, body } = split(source)
  const boundary = /boundary="?([^";\s]+)/.exec(headers['content-type'] ?? '')?.[1]
  const parts = boundary ? body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, ''))) : [{ headers, body }]
  const plain = parts.find((part) => part.headers['content-type']?.startsWith('text/plain'))!
  return { subject: headers.subject ?? '', text: decode(plain.body, plain.headers['content-transfer-encoding'] ?? '7bit') }
}

function split(source: string): { headers: Record<string, string | undefined>; body: string } {
  const at = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, at)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  )
  return { headers, body: source.slice(at + 4) }
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8')
  if (encoding !== 'quoted-printable') return body
  const bytes = body.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString('utf8')
}
