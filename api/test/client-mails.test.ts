// Mails to clients: few, in their language, and none to those who asked for none.
import { languages } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { remindClients } from '../src/features/connect-requests/remind.ts'
import { confirmationMail, requestMail } from '../src/mail/client-messages/index.ts'
import { createSuite, newCredentials, newcomer, requested, type Suite, type Tenant } from './suite.ts'
import { refusal, request, sql } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

const sent = async (tenant: Tenant, clientEmail = newcomer()) => {
  const made = await requested(tenant, { clientEmail })
  await tenant.admin.sendConnectRequest(made.at)
  return { ...made, clientEmail }
}
const subjects = async (email: string) => (await suite.world.mails(email)).map(({ subject }) => subject).reverse()
/** As if so many days had passed. */
const pass = ({ requestId }: { requestId: string }, days: number) =>
  suite.world.query(sql`update connect_requests set remind_from = remind_from - make_interval(days => ${days}),
    remind_at = remind_at - make_interval(days => ${days}), expires_at = expires_at - make_interval(days => ${days}) where id = ${requestId}`)
const remind = () => remindClients(suite.world.app.parts)
/** Everything that was to be mailed has left. */
const quiet = async () => expect.poll(() => suite.world.query(sql`select from jobs where failed_at is null`)).toEqual([])

describe('a request', () => {
  it('is mailed when it is sent, and the client reminded after 2 days, after 5 and one before it expires', async () => {
    const tenant = await suite.tenant()
    const { at, clientEmail, made } = await sent(tenant)
    await expect.poll(() => subjects(clientEmail)).toHaveLength(1)
    const [first] = await suite.world.mails(clientEmail)
    expect(first!.text).toContain(made.connectUrl!)
    expect(first!.text).toContain('Xandr')
    for (const days of [1, 1, 1, 2, 1, 7]) {
      await pass(at, days)
      await remind()
      await remind()
      await quiet() // several that are due at once leave in any order
    }
    expect(await subjects(clientEmail)).toHaveLength(4)
    const [request1, ...reminders] = await subjects(clientEmail)
    expect(request1).toContain('is asking you to connect')
    expect(reminders.map((subject) => subject.split(' ')[0])).toEqual(['Reminder:', 'Reminder:', 'The'])
    const { events } = await tenant.admin.listEvents({ ...tenant.o, after: 'start', types: 'connect_request.sent' })
    expect(events.map(({ actor }) => actor.type)).toEqual(['user', 'system', 'system', 'system'])
  })

  it('that expires when some of it is done is confirmed with the receipts of that, once', async () => {
    const tenant = await suite.tenant()
    const [half, nothing, stopped] = [await sent(tenant), await sent(tenant), await sent(tenant)]
    for (const { items } of [half, stopped]) await suite.world.client().submitConnectItemCredentials(items[0]!, newCredentials())
    await quiet()
    const [mail] = await suite.world.mails(stopped.clientEmail)
    await suite.world.client().stopClientMails({ token: /connect\/stop\/([\w-]+)/.exec(mail!.text)![1]! })
    for (const { at } of [half, nothing, stopped]) {
      await suite.world.query(sql`update connect_requests set remind_step = 4, remind_at = expires_at where id = ${at.requestId}`)
      await pass(at, 15)
    }
    for (const _ of [1, 2]) await remind()
    await quiet()
    expect(await subjects(half.clientEmail)).toEqual([expect.any(String), expect.stringContaining('are connected to')])
    const [confirmation] = await suite.world.mails(half.clientEmail)
    expect(confirmation!.text.match(/connect\/receipt\/[\w-]{43}/g)).toHaveLength(1)
    for (const { clientEmail } of [nothing, stopped]) expect(await subjects(clientEmail)).toHaveLength(1)
  })

  it('is not reminded of when it is done, canceled, or nobody wants that', async () => {
    const tenant = await suite.tenant()
    const [done, canceled, unwanted] = [await sent(tenant), await sent(tenant), await sent(tenant)]
    await suite.world.client().declineConnectItem(done.items[1]!)
    await suite.world.client().submitConnectItemCredentials(done.items[0]!, newCredentials())
    await tenant.admin.cancelConnectRequest(canceled.at)
    await tenant.admin.updateConnectRequest(unwanted.at, { reminders: false })
    for (const { at } of [done, canceled, unwanted]) await pass(at, 3)
    await remind()
    await quiet()
    expect(await subjects(done.clientEmail)).toHaveLength(2) // with the confirmation
    expect(await subjects(canceled.clientEmail)).toHaveLength(1)
    expect(await subjects(unwanted.clientEmail)).toHaveLength(1)
  })

  it('needs an address, and a link that works', async () => {
    const tenant = await suite.tenant()
    const { at } = await requested(tenant)
    expect(await refusal(tenant.admin.sendConnectRequest(at))).toMatchObject({ status: 409, code: 'client_email_missing' })
    await tenant.admin.updateConnectRequest(at, { clientEmail: newcomer() })
    await suite.world.query(sql`update connect_requests set expires_at = now() where id = ${at.requestId}`)
    expect(await refusal(tenant.admin.sendConnectRequest(at))).toMatchObject({ status: 409, code: 'request_expired' })
  })

  it('that was mailed is mailed again when it is renewed', async () => {
    const tenant = await suite.tenant()
    const { at, clientEmail } = await sent(tenant)
    await quiet()
    const { connectUrl } = await tenant.admin.renewConnectRequest(at, {})
    await quiet()
    expect(await subjects(clientEmail)).toHaveLength(2)
    expect((await suite.world.mails(clientEmail))[0]!.text).toContain(connectUrl!)
  })
})

describe('stopped', () => {
  it('means no mail, of any request of the organization, for good; others may still write', async () => {
    const [tenant, other] = [await suite.tenant(), await suite.tenant()]
    const { at, clientEmail, items } = await sent(tenant)
    await expect.poll(() => subjects(clientEmail)).toHaveLength(1)
    const [mail] = await suite.world.mails(clientEmail)
    const address = /<(.+)>/.exec((mail as unknown as { headers: Record<string, string> }).headers['List-Unsubscribe']!)![1]!
    expect((mail as unknown as { headers: Record<string, string> }).headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
    const path = new URL(address).pathname

    // Looking is not asking: mail scanners open every link.
    expect((await request(`${suite.world.url}${path}`)).status).toBe(405)
    const click = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'List-Unsubscribe=One-Click' }
    for (let round = 0; round < 2; round++) {
      const { status, text } = await request(`${suite.world.url}${path}`, click)
      expect([status, JSON.parse(text)]).toEqual([200, { organization: { name: tenant.organization.name } }])
    }
    expect(await tenant.admin.getConnectRequest(at)).toMatchObject({ mailsStopped: true })
    expect(await refusal(tenant.admin.sendConnectRequest(at))).toMatchObject({ status: 409, code: 'mails_stopped' })

    await pass(at, 3)
    await remind()
    await suite.world.client().declineConnectItem(items[1]!)
    await suite.world.client().submitConnectItemCredentials(items[0]!, newCredentials())
    const [local, domain] = clientEmail.split('@')
    const again = await requested(tenant, { clientEmail: `${local}+ads@${domain}` })
    expect(await refusal(tenant.admin.sendConnectRequest(again.at))).toMatchObject({ code: 'mails_stopped' })
    await sent(other, clientEmail)
    await quiet()
    expect(await subjects(clientEmail)).toHaveLength(2)
    const { auditLogs } = await tenant.admin.listAuditLogs({ ...tenant.o, action: 'connect_request.mails_stopped' })
    expect(auditLogs).toMatchObject([{ actor: { type: 'client' }, target: { name: `n•••@${domain}` } }])
  })

  it('holds back what was already on its way', async () => {
    const waiting = await createSuite({ roles: { api: true, jobs: false } })
    const tenant = await waiting.tenant()
    const { at } = await requested(tenant, { clientEmail: newcomer() })
    await tenant.admin.sendConnectRequest(at)
    await waiting.world.query(sql`update client_mails set stopped_at = now() where organization_id = ${tenant.organization.id}`)
    const { startBackground } = await import('../src/background.ts')
    const { createJobs } = await import('../src/jobs/queue.ts')
    const { createMetrics } = await import('../src/metrics.ts')
    const delivered: string[] = []
    const transport = { deliver: async (to: string) => void delivered.push(to), healthy: () => true, close: () => {} }
    const { parts } = waiting.world.app
    const background = startBackground(parts, createJobs(parts.vault), transport, createMetrics())
    await expect.poll(() => waiting.world.query(sql`select from jobs where failed_at is null`)).toEqual([])
    await background.stop()
    expect(delivered).toEqual([])
    await waiting.stop()
  })
})

describe('in every language', () => {
  const to = {
    organization: 'Agency',
    clientName: 'Grace',
    stop: { page: 'https://adjoin.example/stop', oneClick: 'https://adjoin.example/v1' },
  }
  const about = {
    requester: 'Ada',
    message: 'Please.',
    systems: ['Google Ads'],
    unfinished: ['Magnite'],
    link: 'https://adjoin.example/l',
    expiresAt: new Date('2026-12-24'),
  }
  const receipt = (system: string, unfinished: boolean) => ({ system, unfinished, link: 'https://adjoin.example/r' })
  const all = (language: (typeof languages)[number]) => [
    ...(['request', 'reminder', 'lastReminder'] as const).map((kind) => requestMail({ ...to, ...about, language, kind })),
    confirmationMail({ ...to, language, receipts: [receipt('Google Ads', false), receipt('Magnite', true)] }),
    confirmationMail({ ...to, language, receipts: [receipt('Magnite', true)] }),
  ]

  it('says its own words, and marks them as such', () => {
    const subjects = languages.map((language) => all(language).map(({ subject }) => subject))
    expect(new Set(subjects.flat()).size).toBe(languages.length * 5)
    for (const language of languages)
      for (const { subject, text, html } of all(language)) {
        expect(html).toContain(`<html lang="${language}">`)
        for (const said of ['Agency', 'Grace', 'https://adjoin.example/stop']) expect(text).toContain(said)
        expect(subject).toContain('Agency')
      }
  })

  it('names the organization once, where nobody is left who asked', () => {
    for (const language of languages)
      for (const kind of ['request', 'reminder'] as const) {
        const [known, unknown] = ['Ada', null].map((requester) =>
          requestMail({ ...to, ...about, requester, message: null, organization: 'Northwind', language, kind }).text.split('Northwind'),
        )
        expect([language, unknown!.length]).toEqual([language, known!.length])
        expect(known!.join()).toContain('Ada')
      }
  })

  it.each([
    'https://evil.example/x',
    'www.evil.com',
    'ada@evil.example',
    '<a href="https://evil.example">here</a>',
    'Eve\r\nBcc: all@x.example',
  ])('carries nobody’s link but ours: %s', (name) => {
    for (const language of languages)
      for (const { subject, text, html, headers } of [
        requestMail({ ...to, ...about, organization: name, clientName: name, requester: name, message: name, language, kind: 'request' }),
        confirmationMail({ ...to, organization: name, clientName: name, language, receipts: [] }),
      ]) {
        const rest = `${subject} ${text} ${html.slice(html.indexOf('<body'))}`.replace(/https:\/\/adjoin\.example\/\w*/g, '')
        expect(rest).not.toMatch(/:\/\/|evil\.(example|com)|\S@\S/)
        expect(subject).not.toMatch(/[\r\n]/)
        expect(Object.values(headers!).join()).not.toMatch(/evil|Bcc/)
      }
  })
})
