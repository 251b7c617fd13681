// Every mail asks when it leaves whether its reader may still see what it tells. The table has a row for each mail there is:
// how it comes to be queued, and each way in which its reader loses the power to read it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../furnishing/until.ts'
import type { App } from '../src/app.ts'
import { openMailbox } from '../src/features/connect-requests/client-mailbox.ts'
import { mailDigests } from '../src/features/integrations/mail-digests.ts'
import { type MailKind, mailKinds } from '../src/features/mails/kinds.ts'
import { mailJoins } from '../src/features/organizations/announce-joins.ts'
import { closePublicDomains } from '../src/features/organizations/close-public-domains.ts'
import { disableBySystem, warnAdmins } from '../src/features/webhooks/fail-webhook.ts'
import * as clientMessages from '../src/mail/client-messages/index.ts'
import { readMailbox } from '../src/mail/mailbox.ts'
import * as messages from '../src/mail/messages.ts'
import { ROOT } from './production-tree.ts'
import { productIn } from './sources.ts'
import { createSuite, hooked, newCredentials, newcomer, requested, type Suite, type Tenant, tokenOf } from './suite.ts'
import { sql, type TestPerson } from './world.ts'

/** The service makes changes and sends nothing: what is queued waits until the powers have ended. */
let suite: Suite
beforeAll(async () => {
  suite = await createSuite({ roles: { api: true, jobs: false } })
})
afterAll(() => suite.stop())

interface Queued {
  /** Whose mail waits, under which subject. */
  readonly to: string
  readonly subject: RegExp
  /** Who hears of it instead, where somebody should. */
  readonly instead?: readonly string[]
}
type End = () => Promise<unknown>

/** A guest in the tenant's workspace, who also is one in another: removed here, they stay in the organization. */
async function guestOf({ world, organization, workspace }: Tenant): Promise<TestPerson> {
  const guest = await world.join(organization, 'guest')
  await world.assign(organization, workspace, guest, 'admin')
  await world.assign(organization, await world.workspace(organization), guest, 'admin')
  return guest
}
const admins = async (tenant: Tenant): Promise<string[]> => {
  await tenant.world.assign(tenant.organization, tenant.workspace, tenant.member, 'admin')
  return [tenant.organization.admin.email, tenant.member.email]
}
const refused = () => ({ ...newCredentials(), password: 'refuse-this-password' })

/** One that a guest made, and what its client did with the link. */
async function ofGuest(tenant: Tenant, fields = newCredentials(), mode: 'now' | 'daily' = 'now') {
  const guest = await guestOf(tenant)
  if (mode === 'daily') await guest.client.setMyNotifications({ mode })
  const made = await guest.client.createIntegration(tenant.w, { provider: 'xandr', name: 'Publisher' })
  const token = tokenOf(made.connectUrl)
  await tenant.world
    .client()
    .submitConnectCredentials({ token }, fields)
    .catch(() => {})
  return { guest, token, at: { ...tenant.w, id: made.id } }
}

const losing = (tenant: Tenant, { id: userId }: TestPerson): Record<string, End> => ({
  'is taken out of the workspace': () => tenant.admin.removeWorkspaceMember({ ...tenant.w, userId }),
  'is removed from the organization': () => tenant.admin.removeOrganizationMember({ ...tenant.o, userId }),
})

/** What a second admin is mailed, after they stopped being one. */
const toAdmins =
  (subject: RegExp, act: (tenant: Tenant, other: TestPerson) => Promise<unknown>) =>
  async (tenant: Tenant): Promise<{ queued: Queued; ends: Record<string, End> }> => {
    const other = await tenant.world.join(tenant.organization, 'admin')
    await act(tenant, other)
    const { o } = tenant
    return {
      queued: { to: other.email, subject },
      ends: {
        'is no longer an admin': () => tenant.admin.updateOrganizationMember({ ...o, userId: other.id }, { role: 'member' }),
        'is removed': () => tenant.admin.removeOrganizationMember({ ...o, userId: other.id }),
      },
    }
  }

const aboutWebhook =
  (act: typeof warnAdmins) =>
  async (tenant: Tenant): Promise<void> => {
    const { id } = await hooked(tenant)
    const { organization } = tenant
    const at = { organization_id: organization.id, organization_slug: organization.slug, id }
    await act(tenant.world.app.parts, at as Parameters<typeof warnAdmins>[1])
  }

const freeze = ({ admin, o }: Tenant) => admin.freezeOrganization(o, { reason: 'Something is wrong' })
const clientsEnds = (tenant: Tenant, { at }: Awaited<ReturnType<typeof requested>>, clientEmail: string): Record<string, End> => ({
  'wants no more mail': async () => {
    const { parts } = tenant.world.app
    const token = await openMailbox(parts, parts.db.query, tenant.organization.id, clientEmail)
    await tenant.world.client().stopClientMails({ token: token! })
  },
  'is written to at another address': () => tenant.admin.updateConnectRequest(at, { clientEmail: newcomer() }),
  'is asked no more, since the workspace is gone': () => tenant.admin.deleteWorkspace({ ...tenant.w, force: 'true' }),
})

type Row = (tenant: Tenant) => Promise<{ queued: Queued; ends: Record<string, End> }>
/** `null`: for the holder of an address, and about nothing but what they asked for. */
const rows: Record<MailKind, Row | null> = {
  signInMail: null,
  unknownAddressMail: null,
  codesClosedMail: null,
  invitationMail: async ({ admin, o }) => {
    const email = newcomer()
    const { id } = await admin.createOrganizationInvitation(o, { email, role: 'member' })
    return {
      queued: { to: email, subject: /invited you/ },
      ends: { 'is no longer invited': () => admin.cancelOrganizationInvitation({ ...o, id }) },
    }
  },
  frozenMail: toAdmins(/is frozen/, freeze),
  thawedMail: toAdmins(/no longer frozen/, async (tenant) => {
    await freeze(tenant)
    await tenant.admin.thawOrganization(tenant.o)
  }),
  joinsMail: toAdmins(/joined/, async ({ world, organization, viewer }) => {
    await world.query(sql`insert into unannounced_joins (organization_id, user_id) values (${organization.id}, ${viewer.id})`)
    await mailJoins(world.app.parts)({ organizationId: organization.id }, {} as never)
  }),
  autoJoinOffMail: toAdmins(/automatic joining is off/, async ({ world, organization }) => {
    await world.query(sql`update organizations set domain = null where domain = 'gmail.com'`)
    await world.query(sql`update organizations set domain = 'gmail.com', auto_join = true where id = ${organization.id}`)
    await closePublicDomains(world.app.parts)
  }),
  webhookFailingMail: toAdmins(/has been failing/, aboutWebhook(warnAdmins)),
  webhookDisabledMail: toAdmins(
    /was disabled/,
    aboutWebhook((parts, at) => disableBySystem(parts, at, 'It never answered.')),
  ),
  integrationConnectedMail: async (tenant) => {
    const instead = await admins(tenant)
    const { guest } = await ofGuest(tenant)
    return { queued: { to: guest.email, subject: /is connected/, instead }, ends: losing(tenant, guest) }
  },
  integrationErrorMail: async (tenant) => {
    const instead = await admins(tenant)
    const { guest } = await ofGuest(tenant, refused())
    return { queued: { to: guest.email, subject: /needs attention/, instead }, ends: losing(tenant, guest) }
  },
  linkAskedForMail: async (tenant) => {
    const instead = await admins(tenant)
    const guest = await guestOf(tenant)
    const made = await guest.client.createIntegration(tenant.w, { provider: 'xandr', name: 'Publisher' })
    await tenant.world.query(sql`update connect_links set expires_at = now() where integration_id = ${made.id}`)
    await tenant.world.client().askForNewConnectLink({ token: tokenOf(made.connectUrl) })
    return { queued: { to: guest.email, subject: /asked for a new link/, instead }, ends: losing(tenant, guest) }
  },
  digestMail: async (tenant) => {
    const instead = await admins(tenant)
    const { guest } = await ofGuest(tenant, refused(), 'daily')
    await tenant.world.query(sql`update notices set at = at - interval '2 days' where user_id = ${guest.id}`)
    await mailDigests(tenant.world.app.parts)
    return { queued: { to: guest.email, subject: /stopped working/, instead }, ends: losing(tenant, guest) }
  },
  requestMail: async (tenant) => {
    const clientEmail = newcomer()
    const made = await requested(tenant, { clientEmail })
    await tenant.admin.sendConnectRequest(made.at)
    return {
      queued: { to: clientEmail, subject: /is asking you to connect/ },
      ends: { ...clientsEnds(tenant, made, clientEmail), 'is asked no more': () => tenant.admin.cancelConnectRequest(made.at) },
    }
  },
  confirmationMail: async (tenant) => {
    const clientEmail = newcomer()
    const made = await requested(tenant, { clientEmail })
    await tenant.world.client().declineConnectItem(made.items[1]!)
    await tenant.world.client().submitConnectItemCredentials(made.items[0]!, newCredentials())
    const { 'is written to at another address': _, ...ends } = clientsEnds(tenant, made, clientEmail)
    return { queued: { to: clientEmail, subject: /connected to/ }, ends }
  },
}

const asked = (Object.keys(mailKinds) as MailKind[]).filter((kind) => rows[kind] !== null)
const withPower = asked.filter((kind) => mailKinds[kind] !== 'mailbox')

/** A process that sends what waits, until nothing does. */
async function sendAll(): Promise<void> {
  const process: App = await suite.world.start({ roles: { api: false, jobs: true } })
  const waiting = () => suite.world.query(sql`select id from jobs where failed_at is null and run_at <= now() + interval '1 minute'`)
  await until(waiting, ({ length }) => !length, 'the end of all jobs that are due')
  await mailDigests(suite.world.app.parts)
  await until(waiting, ({ length }) => !length, 'the end of all jobs that are due')
  await process.stop()
}
const got = async (email: string, subject: RegExp) =>
  (await readMailbox(suite.world.app.parts)).filter((mail) => mail.to === email && subject.test(mail.subject)).length

describe('a mail that waits', () => {
  it('is of a kind that has its row here, and its power in the table', () => {
    const all = [...Object.keys(messages), ...Object.keys(clientMessages)].sort()
    expect(Object.keys(mailKinds).sort()).toEqual(all)
    expect(Object.keys(rows).sort()).toEqual(all)
    expect(withPower).toEqual(asked)
  })

  it('is queued in one place, which asks for its kind and its reader', () => {
    const queueing = productIn('api/src').filter(({ path }) => /enqueue\([^)]*'mail\.send'/s.test(readFileSync(join(ROOT, path), 'utf8')))
    expect(queueing.map(({ path }) => path).sort()).toEqual(['api/src/features/mails/queue-mail.ts', 'api/src/features/mails/send-mail.ts'])
  })

  it.each(asked)('%s: reaches its reader, and nobody who may no longer read it', async (kind) => {
    const ends = Object.keys((await rows[kind]!(await suite.tenant())).ends)
    const cases: { how: string; queued: Queued }[] = []
    for (const how of ['nothing happens', ...ends]) {
      const { queued, ends } = await rows[kind]!(await suite.tenant())
      await ends[how]?.()
      cases.push({ how, queued })
    }
    await sendAll()
    for (const { how, queued } of cases) {
      const lost = how !== 'nothing happens'
      const { to, subject, instead = [] } = queued
      expect({ how, to: await got(to, subject) }).toEqual({ how, to: lost ? 0 : 1 })
      for (const other of instead) expect({ how, instead: await got(other, subject) }).toEqual({ how, instead: lost ? 1 : 0 })
    }
  })
})

describe('a mail that comes after', () => {
  it('goes to the workspace’s admins where its creator or owner no longer sees the workspace', async () => {
    const tenant = await suite.tenant()
    const others = await admins(tenant)
    const { guest, at } = await ofGuest(tenant)
    await sendAll()
    await tenant.admin.removeWorkspaceMember({ ...tenant.w, userId: guest.id })
    await tenant.admin.submitIntegrationCredentials(at, refused())
    await tenant.world.query(sql`update integrations set owner_id = ${guest.id} where id = ${at.id}`)
    const request = await requested(tenant)
    await tenant.world.query(
      sql`update connect_requests set created_by = ${guest.id}, expires_at = now() where id = ${request.at.requestId}`,
    )
    await tenant.world.client().askForNewRequestLink({ token: request.token })
    await sendAll()
    for (const subject of [/needs attention/, /asked for a new link/])
      expect([await got(guest.email, subject), ...(await Promise.all(others.map((email) => got(email, subject))))]).toEqual([0, 1, 1])
  })

  it('tells of the day what its reader still sees, and the rest to others', async () => {
    const tenant = await suite.tenant()
    const others = await admins(tenant)
    const guest = await guestOf(tenant)
    await guest.client.setMyNotifications({ mode: 'daily' })
    const second = await tenant.world.workspace(tenant.organization)
    await tenant.world.assign(tenant.organization, second, guest, 'admin')
    for (const [workspaceSlug, name] of [
      [tenant.workspace.slug, 'Lost'],
      [second.slug, 'Kept'],
    ] as const) {
      const at = { ...tenant.o, workspaceSlug }
      const { id } = await guest.client.createIntegration(at, { provider: 'xandr', name })
      await tenant.admin.submitIntegrationCredentials({ ...at, id }, refused())
    }
    await tenant.world.query(sql`update notices set at = at - interval '2 days' where user_id = ${guest.id}`)
    await tenant.admin.removeWorkspaceMember({ ...tenant.w, userId: guest.id })
    await mailDigests(tenant.world.app.parts)
    await sendAll()
    const texts = async (email: string) =>
      (await readMailbox(tenant.world.app.parts)).filter(({ to }) => to === email).map(({ text }) => text)
    const [own, ...more] = await texts(guest.email)
    expect([own!.includes('Kept'), own!.includes('Lost'), more]).toEqual([true, false, []])
    for (const email of others) {
      const [told, ...rest] = await texts(email)
      expect([told!.includes('Lost'), told!.includes('Kept'), rest]).toEqual([true, false, []])
    }
  })
})
