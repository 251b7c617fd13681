// A mail server that asks for a login, keeps every letter as it came, and can be told to refuse.
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'

export interface DecodedMail {
  readonly to: string
  /** As it came, and decoded. */
  readonly source: string
  readonly text: string
}

export async function openPostOffice() {
  const letters: DecodedMail[] = []
  const office = { refusing: 0 }
  const server = new SMTPServer({
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    hideSTARTTLS: true,
    // A careless server that repeats what it was told.
    onAuth: ({ username, password }, _, done) =>
      office.refusing-- > 0 ? done(new Error(`535 ${username} ${password} is not known here`)) : done(null, { user: username }),
    onData: (stream, { envelope }, done) => {
      text(stream).then((source) => {
        for (const { address } of envelope.rcptTo) letters.push({ to: address, source, text: decoded(source) })
        done()
      }, done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  /** What the newest fitting letter to somebody says, once there are `count` of them. */
  const said = async (to: string, what: RegExp, count = 1): Promise<string> => {
    for (const until = Date.now() + 20_000; Date.now() < until; await sleep(20)) {
      const fitting = letters.filter((letter) => letter.to === to && what.test(letter.text))
      if (fitting.length >= count) return what.exec(fitting.at(-1)!.text)![1]!
    }
    throw new Error(`no letter came for ${to}`)
  }
  return {
    port: (server.server.address() as AddressInfo).port,
    letters,
    said,
    refuse: (times: number) => {
      office.refusing = times
    },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
export type PostOffice = Awaited<ReturnType<typeof openPostOffice>>

/** Quoted-printable undone everywhere: for looking at, not for reading. */
const decoded = (source: string) =>
  source.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
