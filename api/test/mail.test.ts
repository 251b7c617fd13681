import { createServer, type Socket } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { readConfig } from '../src/config.ts'
import { integrationConnectedMail, invitationMail, signInMail } from '../src/mail/messages.ts'
import { smtpTransport } from '../src/mail/transport.ts'
import { stopwatch } from './stopwatch.ts'
import { createWorld, request, sql, type World } from './world.ts'

const mail = signInMail('https://adjoin.example/signin/link#token=abc', '123456', {})

/** A real SMTP server, and what it was given. */
async function postOffice(options: SMTPServerOptions = {}) {
  const letters: { to: string[]; from: string; text: string }[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onData(stream, session, done) {
      let text = ''
      stream
        .on('data', (chunk) => (text += chunk))
        .on('end', () => {
          const { mailFrom, rcptTo } = session.envelope
          letters.push({ to: rcptTo.map(({ address }) => address), from: mailFrom ? mailFrom.address : '', text })
          done()
        })
    },
    ...options,
  })
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.server.address() as { port: number }
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())))
  return { letters, url: `smtp://127.0.0.1:${port}` }
}

function transport(smtpUrl: string) {
  const made = smtpTransport({
    ...readConfig({ PUBLIC_URL: 'https://adjoin.example', MAIL_FROM: 'Adjoin <no-reply@adjoin.example>' }),
    smtpUrl,
  })
  onTestFinished(() => made.close())
  return made
}
const refusing = (code: number) =>
  postOffice({ onRcptTo: (_, __, done) => done(Object.assign(new Error('no such mailbox'), { responseCode: code })) })

describe('a mail', () => {
  it('reaches its server as text and HTML, under an id that a second delivery shares', async () => {
    const { letters, url } = await postOffice()
    const { deliver, healthy } = transport(url)
    await deliver('ada@agency.example', mail, 'job-1')
    await deliver('ada@agency.example', mail, 'job-1')
    expect(letters).toMatchObject([{ to: ['ada@agency.example'], from: 'no-reply@adjoin.example' }, {}])
    const ids = letters.map(({ text }) => /^Message-ID: (.*)$/im.exec(text)![1])
    expect(ids).toEqual(['<job-1@adjoin.example>', '<job-1@adjoin.example>'])
    expect(letters[0]!.text).toContain('Content-Type: text/plain')
    expect(letters[0]!.text).toContain('Content-Type: text/html')
    expect(letters[0]!.text).toContain('123456')
    expect(healthy()).toBe(true)
  })

  it('with line breaks and markup in a name stays one mail with one subject', async () => {
    const { letters, url } = await postOffice()
    const evil = 'Eve\r\nBcc: all@agency.example\r\n\r\n<script>alert(1)</script>'
    await transport(url).deliver('ada@agency.example', invitationMail(evil, evil, 'admin', 'https://adjoin.example/i'), 'job-2')
    await transport(url).deliver(
      'ada@agency.example',
      integrationConnectedMail({ name: evil, system: 'Ads', workspace: evil, link: 'https://adjoin.example', account: evil }),
      'job-3',
    )
    for (const { text, to } of letters) {
      expect(to).toEqual(['ada@agency.example'])
      expect(text.split('\r\n\r\n')[0]).not.toMatch(/^Bcc:/im)
      expect(text.slice(text.indexOf('text/html'))).not.toContain('<script>')
    }
  })

  it('that its server refuses for good is not tried again, and does not count as a fault of the server', async () => {
    const { url } = await refusing(550)
    const { deliver, healthy } = transport(url)
    await expect(deliver('nobody@agency.example', mail, 'job-4')).rejects.toMatchObject({ permanent: true })
    expect(healthy()).toBe(true)
  })

  it('that its server refuses for now is', async () => {
    const { url } = await refusing(451)
    await expect(transport(url).deliver('ada@agency.example', mail, 'job-5')).rejects.not.toMatchObject({ permanent: true })
  })

  it('that is refused because of our own login is tried again: the operator will mend it', async () => {
    const { url } = await postOffice({ authOptional: false, onAuth: (_, __, done) => done(new Error('wrong')), allowInsecureAuth: true })
    const { deliver, healthy } = transport(url.replace('//', '//user:wrong@'))
    const error = await deliver('ada@agency.example', mail, 'job-6').catch((reason) => reason)
    expect(error.permanent).not.toBe(true)
    expect(healthy()).toBe(false)
  })

  it('to a server that is down, or that accepts and says nothing, fails in time', async () => {
    const silent: Socket[] = []
    const server = createServer((socket) => silent.push(socket))
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => {
      for (const socket of silent) socket.destroy()
      server.close()
    })
    const { port } = server.address() as { port: number }
    const time = stopwatch()
    const { deliver, healthy } = transport(`smtp://127.0.0.1:${port}`)
    await expect(deliver('ada@agency.example', mail, 'job-7')).rejects.toThrow()
    expect(time()).toBeLessThan(60_000)
    expect(healthy()).toBe(false)
    await expect(transport('smtp://127.0.0.1:1').deliver('ada@agency.example', mail, 'job-8')).rejects.toThrow()
  })
})

describe('the service with a mail server', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld({ roles: { api: true, jobs: false } })
  })
  afterAll(() => world.stop())

  it('that greylists answers its client at once, shows it in /health, and sends one mail when it is back', async () => {
    let greylisting = true
    const { letters, url } = await postOffice({
      onRcptTo: (_, __, done) => done(!greylisting ? undefined : Object.assign(new Error('try later'), { responseCode: 451 })),
    })
    const sender = await world.replica({ smtpUrl: url, roles: { api: true, jobs: true } })
    const { admin } = await world.organization()
    const body = JSON.stringify({ email: admin.email })
    const answer = await request(`${sender.url}/v1/auth/magic-link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    })
    expect(answer.status).toBe(202)
    await expect
      .poll(async () => (await request(`${sender.url}/health`)).json())
      .toMatchObject({ status: 'degraded', checks: { mailer: 'degraded' } })
    greylisting = false
    await world.query(sql`update jobs set run_at = now()`)
    await expect.poll(() => letters.length).toBe(1)
    await expect.poll(async () => (await request(`${sender.url}/health`)).json()).toMatchObject({ status: 'ok' })
    expect(letters[0]!.to).toEqual([admin.email])
    const token = /token=3D([\w=\r\n-]+)/.exec(letters[0]!.text)?.[1]?.replace(/=\r\n/g, '') ?? /token=([\w-]+)/.exec(letters[0]!.text)?.[1]
    expect(world.log.lines.join('')).not.toContain(token!)
  })
})
