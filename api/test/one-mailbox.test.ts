// A mailbox at Google has two domains, dots that nobody reads, and tags: what ends for one spelling ends for all.
import { sameMailbox } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSuite, requested, type Suite } from './suite.ts'
import { refusal, sql } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

let count = 0
const name = () => `ada.byron${++count}x${process.pid}`
const spellings = (local: string) => [
  `${local}@gmail.com`,
  `${local}@googlemail.com`,
  `${local.replaceAll('.', '')}@googlemail.com`,
  `${local}+ads@gmail.com`,
  `${local.replace('ada', 'a.d.a')}+x+y@googlemail.com`,
]
const others = (local: string) => [`${local}2@gmail.com`, `${local}@mail.googlemail.com`, `${local}@agency.example`]

it('who is removed finds no invitation to any spelling', async () => {
  const tenant = await suite.tenant()
  const { admin, o, w, organization, world } = tenant
  for (const first of [0, 1]) {
    const local = name()
    const person = await world.join(organization, 'member', await world.person('Ada', spellings(local)[first]!))
    for (const email of [...spellings(local).filter((one) => one !== person.email), ...others(local)])
      await admin.createWorkspaceInvitation(w, { email, role: 'viewer' })
    await admin.removeOrganizationMember({ ...o, userId: person.id })
    const { invitations } = await admin.listWorkspaceInvitations({ ...w, status: 'pending' })
    expect(invitations.map(({ email }) => email).filter((email) => email.includes(local.slice(-6)))).toEqual(
      expect.arrayContaining(others(local)),
    )
    expect(invitations.filter(({ email }) => spellings(local).includes(email))).toEqual([])
  }
})

describe('what was noted before the domains of a service counted as one', () => {
  /** As it was known then. */
  const formerHash = (organizationId: string, mailbox: string) =>
    suite.world.app.parts.secrets.lookup('client-mailbox', `${organizationId}|${mailbox}`)

  it.each(sameMailbox)('at %s a stop holds for the mailbox under all of them', async (...domains) => {
    const tenant = await suite.tenant()
    const { id } = tenant.organization
    for (const domain of domains) {
      const local = name().replace('.', '')
      await suite.world.query(sql`insert into client_mails (organization_id, mailbox_hash, token_hash, shown, stopped_at)
        values (${id}, ${formerHash(id, `${local}@${domain}`)}, ${Buffer.from(local)}, 'a•••', now())`)
      for (const other of domains) {
        const { at, made } = await requested(tenant, { clientEmail: `${local}+ads@${other}` })
        expect(made.mailsStopped, `${domain}, then ${other}`).toBe(true)
        expect(await refusal(tenant.admin.sendConnectRequest(at))).toMatchObject({ code: 'mails_stopped' })
      }
    }
  })

  it('an open request goes on, and its mails arrive', async () => {
    const tenant = await suite.tenant()
    const clientEmail = `${name().replace('.', '')}@googlemail.com`
    const { at } = await requested(tenant, { clientEmail })
    await suite.world.query(sql`update connect_requests set mailbox_hash = ${formerHash(tenant.organization.id, clientEmail)}
      where id = ${at.requestId}`)
    await tenant.admin.sendConnectRequest(at)
    await suite.world.mails(clientEmail)
  })

  it('an open request whose client has stopped mails since gets none', async () => {
    const tenant = await suite.tenant()
    const clientEmail = `${name().replace('.', '')}@googlemail.com`
    const { at } = await requested(tenant, { clientEmail })
    const former = formerHash(tenant.organization.id, clientEmail)
    await suite.world.query(sql`update connect_requests set mailbox_hash = ${former} where id = ${at.requestId}`)
    const other = await requested(tenant, { clientEmail: clientEmail.replace('googlemail', 'gmail') })
    await tenant.admin.sendConnectRequest(other.at)
    await suite.world.query(sql`update client_mails set stopped_at = now() where organization_id = ${tenant.organization.id}`)
    expect(await refusal(tenant.admin.sendConnectRequest(at))).toMatchObject({ code: 'mails_stopped' })
  })
})

it('a client who wants no more mail gets none at any spelling', async () => {
  const tenant = await suite.tenant()
  const local = name()
  const [first, ...rest] = spellings(local)
  const { at } = await requested(tenant, { clientEmail: first! })
  await tenant.admin.sendConnectRequest(at)
  await suite.world.query(sql`update client_mails set stopped_at = now() where organization_id = ${tenant.organization.id}`)
  for (const clientEmail of rest) {
    const again = await requested(tenant, { clientEmail })
    expect(await refusal(tenant.admin.sendConnectRequest(again.at)), clientEmail).toMatchObject({ code: 'mails_stopped' })
  }
  const other = await requested(tenant, { clientEmail: others(local)[0]! })
  await tenant.admin.sendConnectRequest(other.at)
})
