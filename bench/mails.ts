// How fast mails leave: a queue of them, one process for jobs, a loopback server that takes them at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { startApp } from '../api/src/app.ts'
import { readConfig } from '../api/src/config.ts'
import { invitationMail } from '../api/src/mail/messages.ts'
import { startSmtpPeer } from '../api/test/smtp-peer.ts'
import { type Measure, rounded } from './measure.ts'
import { createBench } from './setup.ts'

const MAILS = 2000
const PATIENCE_MS = 120_000

export async function* mails(): AsyncIterable<Measure> {
  const [bench, smtp] = [await createBench(), await startSmtpPeer()]
  try {
    const app = await startApp(readConfig({ ...bench.env, PORT: '0', ROLES: 'api', SMTP_URL: smtp.url }))
    const mail = invitationMail('Ada', 'Agency', 'member', 'https://adjoin.example/invitation#token=bench')
    const { db, jobs } = app.parts
    for (let i = 0; i < MAILS; i++) await jobs.enqueue(db.query, 'mail.send', { to: `person-${i}@bench.example`, ...mail })
    await app.stop()

    await bench.adjoin({ ROLES: 'jobs', SMTP_URL: smtp.url })
    const [began, before] = [performance.now(), smtp.letters.length]
    while (smtp.letters.length < MAILS && performance.now() - began < PATIENCE_MS) await sleep(10)
    const seconds = (performance.now() - began) / 1000
    yield {
      what: `${MAILS} mails by one process for jobs`,
      numbers: { perSecond: rounded((smtp.letters.length - before) / seconds), came: smtp.letters.length },
      good: smtp.letters.length === MAILS,
    }
  } finally {
    await bench.remove()
    await smtp.close()
  }
}
