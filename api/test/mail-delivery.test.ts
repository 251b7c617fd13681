import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../furnishing/until.ts'
import { payloadBinding } from '../src/jobs/queue.ts'
import { signInMail } from '../src/mail/messages.ts'
import { createWorld, sql, type World } from './world.ts'

interface Post {
  from: string
  to: string[]
  raw: string
  text: string
}

/**
 * A real SMTP server on loopback. `moody` answers the first so many
 * deliveries with this refusal; `repeats` knows nobody and says whom.
 */
async function startSmtp({ port = 0, moody = 0, refusal = 554, repeats = false } = {}) {
  const mails: Post[] = []
  let refused = 0
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _, done) => {
      if (!repeats) return done(null, { user: username })
      const plain = Buffer.from(`\0${username}\0${password}`).toString('base64')
      done(new Error(`${username} with ${password} (AUTH PLAIN ${plain}) is not known`))
    },
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (refused < moody) {
          refused++
          return done(Object.assign(new Error('come back later'), { responseCode: refusal }))
        }
        const raw = Buffer.concat(chunks).toString()
        const { mailFrom, rcptTo } = session.envelope
        mails.push({ from: mailFrom ? mailFrom.address : '', to: rcptTo.map(({ address }) => address), raw, text: unquoted(raw) })
        return done()
      })
    },
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    mails,
    refused: () => refused,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
/** Quoted-printable, as far as our mails need it. */
const unquoted = (raw: string) =>
  raw.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)))

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop()
})
const worldWith = async (smtpUrl: string): Promise<World> => {
  const world = await createWorld({ smtpUrl, mailFrom: 'Adjoin <hello@adjoin.example>' })
  stops.push(world.stop)
  return world
}
const ask = async (world: World) => {
  const { admin } = await world.organization()
  await world.client().sendSignInLink({ email: admin.email })
  return admin.email
}
const jobs = (world: World) =>
  world.query<{ attempts: number; last_error: string | null; payload: string }>(sql`select attempts, last_error, payload from jobs`)

describe('a mail through SMTP', () => {
  it('that a server refuses while repeating our password leaves it neither in the log nor in the database', async () => {
    const smtp = await startSmtp({ repeats: true })
    stops.push(smtp.close)
    const world = await worldWith(`smtp://adjoin:p%40ss-word-of-ours@127.0.0.1:${smtp.port}`)
    await ask(world)
    await until(async () => (await jobs(world))[0]?.last_error)
    const [job] = await jobs(world)
    const log = world.log.lines.join('')
    expect(job!.last_error).toContain('is not known')
    expect(log).toContain('is not known')
    for (const secret of ['p@ss-word-of-ours', 'p%40ss-word-of-ours', Buffer.from('\0adjoin\0p@ss-word-of-ours').toString('base64')]) {
      expect(job!.last_error).not.toContain(secret)
      expect(log).not.toContain(secret)
    }
  })

  it('goes through SMTP to one person, from our address, once, and its link signs in', async () => {
    const smtp = await startSmtp()
    stops.push(smtp.close)
    const world = await worldWith(`smtp://127.0.0.1:${smtp.port}`)
    const email = await ask(world)
    await until(() => smtp.mails.length)
    await until(async () => !(await jobs(world)).length)
    expect(smtp.mails).toHaveLength(1)
    const { from, to, raw, text } = smtp.mails[0]!
    expect([from, to]).toEqual(['hello@adjoin.example', [email]])
    expect(raw).toMatch(/^Subject: Your Adjoin sign-in link\r$/m)
    expect(raw).toMatch(/^Message-ID: <[0-9a-f-]{36}@localhost>\r$/m)
    const token = /#token=([\w-]{43})/.exec(text)![1]!
    expect((await world.client().verifySignIn({ token })).user.email).toBe(email)
    expect(await world.client().getHealth()).toMatchObject({ status: 'ok', checks: { mailer: 'ok' } })
  })

  it('waits for a server that is down, is answered for all the same, and comes exactly once when it is back', async () => {
    const gone = await startSmtp()
    await gone.close()
    const world = await worldWith(`smtp://127.0.0.1:${gone.port}`)
    const replica = await world.replica()
    await ask(world)
    await until(async () => (await jobs(world))[0]?.last_error)
    const [waiting] = await jobs(world)
    expect(waiting!.last_error).toContain('ECONNREFUSED')
    expect(waiting!.payload).toMatch(/^v1\.test1\./)
    const back = await startSmtp({ port: gone.port })
    stops.push(back.close)
    await until(() => back.mails.length)
    await until(async () => !(await jobs(world)).length)
    await sleep(1500) // long enough for either replica to send it again, if it were to
    expect(back.mails).toHaveLength(1)
    expect(replica.url).not.toBe(world.url)
    // What failed along the way was told without what the mail holds.
    const token = /#token=([\w-]{43})/.exec(back.mails[0]!.text)![1]!
    const code = /^\s+(\d{6})\s*$/m.exec(back.mails[0]!.text)![1]!
    const log = world.log.lines.join('')
    expect(log).toContain('job failed, will be retried')
    for (const secret of [token, code]) expect(log + waiting!.last_error).not.toContain(secret)
  })

  it('that could not leave before its link expired is dropped, not delivered late', async () => {
    const smtp = await startSmtp()
    stops.push(smtp.close)
    const world = await worldWith(`smtp://127.0.0.1:${smtp.port}`)
    const { jobs: queue } = world.app.parts
    const mail = { subject: 'A link', text: 'https://adjoin.example', html: '' }
    const [{ past, future } = { past: '', future: '' }] = await world.query<{ past: string; future: string }>(
      sql`select to_json(now()) #>> '{}' as past, to_json(now() + interval '1 minute') #>> '{}' as future`,
    )
    await queue.enqueue(world.query, 'mail.send', { to: 'late@a.example', until: past, ...mail })
    await queue.enqueue(world.query, 'mail.send', { to: 'soon@a.example', until: future, ...mail })
    queue.wake()
    await until(async () => !(await jobs(world)).length)
    expect(smtp.mails.flatMap(({ to }) => to)).toEqual(['soon@a.example'])
    expect(world.log.lines.join('')).toContain('email not sent: its link has expired')
  })

  it('says until when it is of use: as long as the link of a sign-in or an invitation', async () => {
    const gone = await startSmtp()
    await gone.close()
    const world = await worldWith(`smtp://127.0.0.1:${gone.port}`)
    const { admin, slug } = await world.organization()
    await world.client().sendSignInLink({ email: admin.email })
    await admin.client.createOrganizationInvitation({ orgSlug: slug }, { email: 'grace@other.example', role: 'member' })
    const waiting = async () => (await jobs(world)).filter(({ last_error }) => last_error)
    await until(async () => (await waiting()).length === 2)
    const { vault } = world.app.parts
    const rows = await world.query<{ id: string; kind: string; payload: string; created_at: Date }>(
      sql`select id, kind, payload, created_at from jobs order by created_at`,
    )
    const minutes = rows.map(({ id, kind, payload, created_at }) => {
      const { until } = JSON.parse(vault.open(payload, payloadBinding(id, kind)))
      return Math.round((new Date(until).getTime() - created_at.getTime()) / 60_000)
    })
    expect(minutes.toSorted((a, b) => a - b)).toEqual([10, 48 * 60])
  })

  it('that the server refuses for good stays out of the log, too', async () => {
    const smtp = await startSmtp({ moody: 99 })
    stops.push(smtp.close)
    const world = await worldWith(`smtp://mailer:canary-password@127.0.0.1:${smtp.port}`)
    await ask(world)
    await until(async () => (await jobs(world))[0]?.last_error)
    const log = world.log.lines.join('')
    expect(log).toMatch(/job (failed|given up)/)
    for (const secret of ['#token=', 'canary-password']) expect(log).not.toContain(secret)
    expect([smtp.refused() > 0, smtp.mails.length]).toEqual([true, 0])
  })
})

describe('what a mail says', () => {
  it('fetches nothing when it is opened, and links to ourselves alone', () => {
    const mail = signInMail('https://adjoin.example/signin/link#token=t', '123456', { provider: 'google' })
    expect(mail.html).not.toMatch(/<(img|link|script|iframe)|url\(|@import|background=/i)
    expect([...mail.html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href)).toEqual(['https://adjoin.example/signin/link#token=t'])
  })
})
