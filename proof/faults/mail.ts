// What can be wrong with the mail server. Nobody is refused meanwhile;
// mails come late, and none is lost that the server did not refuse itself.
import { randomBytes } from 'node:crypto'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FaultKind } from './kind.ts'
import type { ServiceUnderLoad } from './service-under-load.ts'

/** Mails that failed are tried again after 2, 4, 8 … s. */
const DELIVERED_MS = 20_000

export function mailKinds(): FaultKind[] {
  const kind = (name: string, cause: FaultKind['cause'], check: FaultKind['check'] = delivered): FaultKind => ({
    name: `mail server ${name}`,
    refusals: [],
    withinMs: 15_000,
    cause,
    check,
  })
  /** Something else answers in its place for a while. */
  const replaced = (name: string, stranger: (socket: Socket) => void, check?: FaultKind['check']) =>
    kind(
      name,
      async ({ dependencies: { mail } }) => {
        mail.replace(stranger)
        await sleep(2000)
        mail.pass()
      },
      check,
    )

  return [
    kind('down for 3 s', async ({ dependencies: { mail } }) => {
      await mail.down()
      await sleep(3000)
      await mail.up()
    }),
    kind('slow: 300 ms each way', async ({ dependencies: { mail } }) => {
      mail.delay(300)
      await sleep(3000)
      mail.pass()
    }),
    replaced('says nothing', () => {}),
    replaced('answers 451: try later', (socket) => talk(socket, '451 4.3.0 Try again later')),
    replaced('answers 550: no such mailbox', (socket) => talk(socket, '550 5.1.1 No such mailbox'), refused),
    replaced('answers garbage', (socket) => socket.end(randomBytes(2048))),
    kind('hangs up after it took the mail', async ({ dependencies: { mail } }) => {
      mail.watch((sent) => (sent.includes('\r\n.\r\n') ? 'pass and cut' : 'pass'))
      await sleep(2000)
      mail.pass()
    }),
  ]
}

/** An SMTP server that agrees to everything but the recipient. */
function talk(socket: Socket, refusal: string): void {
  const say = (line: string) => socket.write(`${line}\r\n`)
  say('220 proof ESMTP')
  socket.on('data', (heard) => {
    for (const line of heard.toString().split('\r\n').filter(Boolean)) {
      if (/^RCPT/i.test(line)) say(refusal)
      else if (/^QUIT/i.test(line)) socket.end('221 Bye\r\n')
      else say('250 OK')
    }
  })
}

/** Every mail that was promised until now comes. */
async function delivered({ ledger }: ServiceUnderLoad): Promise<string[]> {
  const now = performance.now()
  const late = () => [...ledger.awaited].filter(([, asked]) => asked < now).map(([email]) => email)
  for (const until = now + DELIVERED_MS; late().length; await sleep(50))
    if (performance.now() > until) return [`${late().length} mails were not delivered within ${DELIVERED_MS / 1000} s (${late()[0]})`]
  return []
}

/** Such a mail is given up, as the server said: its person asks again. Nobody waits for those. */
async function refused({ ledger }: ServiceUnderLoad): Promise<string[]> {
  const now = performance.now()
  await sleep(1000)
  for (const [email, asked] of ledger.awaited) if (asked < now) ledger.awaited.delete(email)
  return []
}
