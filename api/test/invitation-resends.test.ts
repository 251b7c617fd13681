import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hours, invite, newcomer, tokenOf } from './inviting.ts'
import { createWorld, refusal, sql, trail, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const expire = (id: string) => world.query(sql`update invitations set expires_at = now() - interval '1 minute' where id = ${id}`)

describe('resending', () => {
  it('mails the same link again and adds 48 hours', async () => {
    const organization = await world.organization()
    const email = newcomer()
    const first = await invite(organization, email)
    const again = await organization.admin.client.resendOrganizationInvitation({ orgSlug: organization.slug, id: first.id })
    expect(again).toEqual({ ...first, expiresAt: expect.any(String) })
    expect(hours(first.expiresAt, again.expiresAt)).toBe(48)
    const [newest, oldest] = await world.mails(email, 2)
    expect(tokenOf(newest!)).toBe(tokenOf(oldest!))
    expect((await trail(organization))[0]).toMatchObject({
      action: 'invitation.resent',
      changes: [{ field: 'expiresAt', from: first.expiresAt, to: again.expiresAt }],
    })
  })

  it('brings an expired one back to life for 48 hours from now', async () => {
    const organization = await world.organization()
    const email = newcomer()
    const { id } = await invite(organization, email)
    await expire(id)
    const before = new Date().toISOString()
    const again = await organization.admin.client.resendOrganizationInvitation({ orgSlug: organization.slug, id })
    expect(again.status).toBe('pending')
    expect(hours(before, again.expiresAt)).toBeCloseTo(48, 2)
  })

  it('is refused when a newer one is pending, and works again when that one is gone', async () => {
    const organization = await world.organization()
    const { admin, slug: orgSlug } = organization
    const email = newcomer()
    const old = await invite(organization, email)
    await expire(old.id)
    const fresh = await invite(organization, email)
    expect(await refusal(admin.client.resendOrganizationInvitation({ orgSlug, id: old.id }))).toMatchObject({
      status: 409,
      code: 'invitation_pending',
    })
    await expire(fresh.id)
    expect((await admin.client.resendOrganizationInvitation({ orgSlug, id: old.id })).status).toBe('pending')
    expect(await refusal(admin.client.resendOrganizationInvitation({ orgSlug, id: fresh.id }))).toMatchObject({
      code: 'invitation_pending',
    })
  })

  it('never reaches more than 30 days ahead', async () => {
    const organization = await world.organization()
    const { id } = await invite(organization, newcomer())
    await world.query(sql`update invitations set expires_at = now() + interval '28 days 1 hour' where id = ${id}`)
    const refused = await refusal(organization.admin.client.resendOrganizationInvitation({ orgSlug: organization.slug, id }))
    expect([refused.status, refused.code]).toEqual([409, 'invitation_too_far'])
  })

  it.each(['accepted', 'declined', 'canceled'] as const)('is refused for one that was %s', async (status) => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const invitee = await world.person()
    const { id } = await invite(organization, invitee.email)
    const end = {
      accepted: () => invitee.client.acceptInvitation({ id }),
      declined: () => invitee.client.declineInvitation({ id }),
      canceled: () => organization.admin.client.cancelOrganizationInvitation({ orgSlug, id }),
    }
    await end[status]()
    const { resendOrganizationInvitation, cancelOrganizationInvitation } = organization.admin.client
    for (const again of [resendOrganizationInvitation, cancelOrganizationInvitation])
      expect(await refusal(again({ orgSlug, id }))).toMatchObject({ status: 409, code: 'invitation_closed' })
    const [row] = await world.query(sql`select status, token_sealed, closed_at from invitations where id = ${id}`)
    expect(row).toMatchObject({ status, token_sealed: null, closed_at: expect.any(Date) })
  })

  it('is limited to five an hour for each invitation', async () => {
    const organization = await world.organization()
    const { admin, slug: orgSlug } = organization
    const [{ id }, other] = [await invite(organization, newcomer()), await invite(organization, newcomer())]
    // Five a day to one mailbox come first: the first mail was one of them.
    await world.query(sql`delete from limits`)
    for (let i = 0; i < 5; i++) await admin.client.resendOrganizationInvitation({ orgSlug, id })
    expect(await refusal(admin.client.resendOrganizationInvitation({ orgSlug, id }))).toMatchObject({ status: 429 })
    await admin.client.resendOrganizationInvitation({ orgSlug, id: other.id })
  })
})

describe('canceling', () => {
  it('withdraws a pending or an expired invitation for good', async () => {
    const organization = await world.organization()
    const { admin, slug: orgSlug } = organization
    const [one, other] = [await invite(organization, newcomer()), await invite(organization, newcomer())]
    await expire(other.id)
    for (const { id } of [one, other]) await admin.client.cancelOrganizationInvitation({ orgSlug, id })
    const { invitations } = await admin.client.listOrganizationInvitations({ orgSlug })
    expect(invitations.map(({ status }) => status)).toEqual(['canceled', 'canceled'])
    expect((await trail(organization))[0]).toMatchObject({ action: 'invitation.canceled', target: { id: other.id } })
  })
})

describe('the list', () => {
  it('of closed invitations ends after ninety days, that of open ones never', async () => {
    const { sweep } = await import('../src/features/infra/sweep.ts')
    const organization = await world.organization()
    const { admin, slug: orgSlug } = organization
    const [kept, swept, live] = [
      await invite(organization, newcomer()),
      await invite(organization, newcomer()),
      await invite(organization, newcomer()),
    ]
    for (const { id } of [kept, swept]) await admin.client.cancelOrganizationInvitation({ orgSlug, id })
    await world.query(
      sql`update invitations set closed_at = now() - interval '89 days', expires_at = now() - interval '100 days' where id = ${kept.id}`,
    )
    await world.query(
      sql`update invitations set closed_at = now() - interval '91 days', expires_at = now() - interval '100 days' where id = ${swept.id}`,
    )
    await sweep(world.app.parts)
    const { invitations } = await admin.client.listOrganizationInvitations({ orgSlug })
    expect(invitations.map(({ id }) => id)).toEqual([kept.id, live.id])
  })
})
