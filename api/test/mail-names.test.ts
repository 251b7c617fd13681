// What strangers write into names must not make a mail of ours theirs:
// no link but our own, and plain words in the subject.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as messages from '../src/mail/messages.ts'
import { createWorld, type World } from './world.ts'

const OURS = 'https://adjoin.example/'

const hostile = [
  'http://evil.example/x',
  'HTTPS://EVIL.EXAMPLE',
  'hxxp:evil',
  'www.evil.com',
  'evil.example/x',
  'Refund at evil.co.uk/pay?now=1, today',
  'ada@evil.example',
  'mailto:ada@evil.example?subject=x',
  'evil。рф',
  'ｅｖｉｌ．ｃｏｍ',
  'evil.\u200bcom',
  'evil.\u00adcom',
  'evil.xn--p1ai',
  '//evil.example',
  '\\\\evil\\share',
  'http://203.0.113.7/x',
  '<a href="https://evil.example">here</a>',
  'Ada](https://evil.example)',
  'Eve\r\nBcc: all@agency.example',
  'x'.repeat(250),
]

/** A domain whose addresses were proved to us may be read in full. */
const PROVED = 'proved.example'

/** One row for each mail there is: what it says with that name wherever a name can stand. */
const mails: { [Name in keyof typeof messages]: (name: string) => messages.Mail } = {
  signInMail: (name) => messages.signInMail(`${OURS}in`, '123456', { organization: name }),
  codesClosedMail: () => messages.codesClosedMail(),
  frozenMail: (name) =>
    messages.frozenMail({ organization: name, by: { name, email: `ada@${PROVED}` }, reason: name, link: `${OURS}settings` }),
  thawedMail: (name) => messages.thawedMail({ organization: name, by: { name, email: `ada@${PROVED}` }, link: `${OURS}settings` }),
  webhookFailingMail: (name) => messages.webhookFailingMail({ organization: name, webhook: name, detail: name, link: `${OURS}webhooks` }),
  webhookDisabledMail: (name) => messages.webhookDisabledMail({ organization: name, webhook: name, why: name, link: `${OURS}webhooks` }),
  unknownAddressMail: () => messages.unknownAddressMail(`${OURS}signup`),
  invitationMail: (name) => messages.invitationMail(name, `${name} (${name})`, 'member', `${OURS}invitation`),
  joinsMail: (name) => messages.joinsMail({ organization: name, domain: PROVED, emails: [`grace@${PROVED}`], link: `${OURS}members` }),
  autoJoinOffMail: (name) => messages.autoJoinOffMail({ organization: name, domain: PROVED, link: `${OURS}members` }),
  integrationConnectedMail: (name) =>
    messages.integrationConnectedMail({ name, system: name, workspace: name, account: `${name} (${name})`, link: `${OURS}integration` }),
  linkAskedForMail: (name) => messages.linkAskedForMail({ what: name, system: name, workspace: name, link: `${OURS}integration` }),
  digestMail: (name) =>
    messages.digestMail({
      organization: name,
      notices: (['failed', 'connected'] as const).map((kind) => ({ kind, name, system: name, workspace: name })),
      link: `${OURS}overview`,
    }),
  integrationErrorMail: (name) =>
    messages.integrationErrorMail({
      name,
      system: name,
      workspace: name,
      detail: `It is so. X replied: “${name}”`,
      mustAct: 'client',
      connected: true,
      link: `${OURS}integration`,
    }),
}

const SCHEME = /[a-z][a-z0-9+.-]*:\/\//i
const HOST = /[\p{L}\p{N}-][.．。｡](?:\p{Cf})*\p{L}{2}/u
const ADDRESS = /[^\s@]@[^\s@]/
const UNC = /\\\\/
/** What a mail program makes a link of, or a part of one. */
const links = (text: string) => [SCHEME, HOST, ADDRESS, UNC, /mailto:\S/i, /\d\.\d+\.\d+\.\d/].flatMap((form) => form.exec(text)?.[0] ?? [])
const without = (text: string) => text.replace(/https:\/\/adjoin\.example\/\S*|\S*proved\.example/g, '')
/** A page without its markup and our links; whatever markup is left would be a stranger's. */
const body = (html: string) =>
  html.slice(html.indexOf('<body')).replace(/<a href="https:\/\/adjoin\.example\/[^"]*"[^>]*>|<(?!a)[^>]*>|<\/a>/g, ' ')
const decoded = (html: string) => html.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))

describe.each(Object.entries(mails))('%s', (_, mail) => {
  it.each(hostile)('says nothing that a mail program links, and words in its subject: %s', (name) => {
    const { subject, text, html } = mail(name)
    expect(links(without(text))).toEqual([])
    expect(body(html)).not.toContain('<')
    expect(links(without(decoded(body(html))))).toEqual([])
    expect(links(subject)).toEqual([])
    expect(subject).toMatch(/^[\p{L}\p{M}\p{N} '’&(),:…-]+$/u)
    expect([...subject].length).toBeLessThanOrEqual(200)
  })
})

it('the judge of these tests finds a link in every one of them', () => {
  expect(hostile.filter((name) => !/hxxp|^x+$/.test(name) && links(name).length === 0)).toEqual([])
})

describe('the service', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world.stop())
  const ours = (text: string) => text.replace(/http:\/\/localhost:3000\/\S*/g, '')

  it('mails no stranger’s link by a sign-up', async () => {
    const email = 'victim@victim.example'
    const organizationName = 'Claim at https://evil.example/x'
    await world.client().signUp({ email, name: 'evil.example', organizationName, organizationSlug: 'victim', provider: 'magic-link' })
    const [mail] = await world.mails(email)
    expect(mail!.subject).toBe('Finish signing up Claim at https evil example x for Adjoin')
    expect(links(ours(mail!.text))).toEqual([])
  })

  it('nor by an invitation', async () => {
    const of = await world.organization()
    await of.admin.client.updateMe({ name: 'www.evil.example' })
    await of.admin.client.updateOrganization({ orgSlug: of.slug }, { name: 'ada@evil.example' })
    const workspace = await world.workspace(of)
    await of.admin.client.updateWorkspace({ orgSlug: of.slug, workspaceSlug: workspace.slug }, { name: 'http://evil.example' })
    const email = 'invited@victim.example'
    await of.admin.client.createWorkspaceInvitation({ orgSlug: of.slug, workspaceSlug: workspace.slug }, { email, role: 'viewer' })
    const [mail] = await world.mails(email)
    expect(mail!.subject).toBe('www evil example invited you to http evil example (ada evil example) on Adjoin')
    expect(links(ours(mail!.text))).toEqual([])
  })

  it('nor by an integration that a client connects', async () => {
    const of = await world.organization()
    const at = { orgSlug: of.slug, workspaceSlug: (await world.workspace(of)).slug }
    const made = await of.admin.client.createIntegration(at, { provider: 'xandr', name: 'evil.example/x' })
    const token = made.connectUrl.split('/').at(-1)!
    await world.client().submitConnectCredentials({ token }, { username: 'api-user', password: 'Correct-Horse-1' })
    const [mail] = await world.mails(of.admin.email)
    expect(mail!.subject).toBe('evil example x: Microsoft Monetize (Xandr) is connected')
    expect(links(ours(mail!.text))).toEqual([])
  })
})
