import { createClient, quotas } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLimitsLast } from '../lasting-limits.ts'
import { createWorld, refusal, request, sql, type TestOrganization, type TestPerson, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await makeLimitsLast(world)
})
afterAll(() => world.stop())

type Role = 'viewer' | 'member' | 'admin'
const invite = ({ admin, slug }: TestOrganization, { email }: Pick<TestPerson, 'email'>, role: Role = 'member') =>
  admin.client.createOrganizationInvitation({ orgSlug: slug }, { email, role })
const tokenOf = async (email: string) => /\/invitation#token=([\w-]{43})\b/.exec((await world.mails(email))[0]!.text)![1]!
const roleOf = async ({ slug }: TestOrganization, who: TestPerson) => (await who.client.getOrganization({ orgSlug: slug })).role
const expire = (id: string) => world.query(sql`update invitations set expires_at = now() where id = ${id}`)

describe('accepting', () => {
  it('makes the invited person a member with that role, once, and is in the organization’s trail', async () => {
    const organization = await world.organization()
    const invitee = await world.person()
    const { id } = await invite(organization, invitee, 'viewer')
    expect((await invitee.client.listMyInvitations()).invitations.map((invitation) => invitation.id)).toEqual([id])
    expect(await invitee.client.acceptInvitation({ id })).toMatchObject({ id, status: 'accepted', role: 'viewer', email: invitee.email })
    expect(await roleOf(organization, invitee)).toBe('viewer')
    expect((await invitee.client.listMyInvitations()).invitations).toEqual([])
    expect(await refusal(invitee.client.acceptInvitation({ id }))).toMatchObject({ status: 409, code: 'invitation_closed' })
    const { auditLogs } = await organization.admin.client.listAuditLogs({ orgSlug: organization.slug, action: 'invitation.accepted' })
    expect(auditLogs).toMatchObject([
      { actor: { type: 'user', id: invitee.id }, target: { id }, changes: [{ field: 'role', from: null, to: 'viewer' }] },
    ])
  })

  it('never lowers a role, and raises one', async () => {
    const organization = await world.organization()
    const [raised, climber] = [await world.join(organization, 'guest'), await world.join(organization, 'viewer')]
    await raised.client.acceptInvitation({ id: (await invite(organization, raised, 'viewer')).id })
    expect(await roleOf(organization, raised)).toBe('viewer')
    const { id } = await invite(organization, climber, 'member')
    await world.query(sql`update members set role = 'admin' where user_id = ${climber.id}`)
    expect((await climber.client.acceptInvitation({ id })).status).toBe('accepted')
    expect(await roleOf(organization, climber)).toBe('admin')
  })

  it('is open to the invited address alone: any other session finds nothing, with the link or without', async () => {
    const organization = await world.organization()
    const invitee = await world.person()
    const { id } = await invite(organization, invitee)
    for (const other of [await world.person(), organization.admin]) {
      for (const answer of [other.client.acceptInvitation, other.client.declineInvitation])
        expect(await refusal(answer({ id }))).toMatchObject({ status: 404, code: 'not_found' })
      expect((await other.client.listMyInvitations()).invitations).toEqual([])
    }
    await world.query(sql`update users set email_verified = false where id = ${invitee.id}`)
    expect(await refusal(invitee.client.acceptInvitation({ id }))).toMatchObject({ status: 404 })
    expect((await invitee.client.listMyInvitations()).invitations).toEqual([])
    expect(await world.query(sql`select from members where user_id = ${invitee.id}`)).toHaveLength(0)
  })

  it('takes no body: nothing in the request can raise the role', async () => {
    const organization = await world.organization()
    const invitee = await world.person()
    const { id } = await invite(organization, invitee, 'viewer')
    const raised = await request(`${world.url}/v1/me/invitations/${id}/accept`, {
      method: 'POST',
      headers: { ...invitee.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ role: 'admin' }),
    })
    expect(raised.status).toBe(400)
    await invitee.client.acceptInvitation({ id })
    expect(await roleOf(organization, invitee)).toBe('viewer')
  })

  it('ends with the 48 hours, by the database’s clock, until it is sent again', async () => {
    const organization = await world.organization()
    const invitee = await world.person()
    const { id } = await invite(organization, invitee)
    await expire(id)
    expect((await invitee.client.listMyInvitations()).invitations).toEqual([])
    expect(await refusal(invitee.client.acceptInvitation({ id }))).toMatchObject({ status: 409, code: 'invitation_closed' })
    expect(await refusal(invitee.client.declineInvitation({ id }))).toMatchObject({ status: 409, code: 'invitation_closed' })
    await organization.admin.client.resendOrganizationInvitation({ orgSlug: organization.slug, id })
    expect((await invitee.client.acceptInvitation({ id })).status).toBe('accepted')
  })

  it('has one winner of a hundred at once over three replicas, round after round', async () => {
    const replicas = [world.app, await world.replica(), await world.replica()]
    for (let round = 0; round < 5; round++) {
      const organization = await world.organization()
      const invitee = await world.person()
      const { id } = await invite(organization, invitee)
      const tries = Array.from({ length: 100 }, (_, i) =>
        createClient({ url: replicas[i % 3]!.url, headers: invitee.headers })
          .acceptInvitation({ id })
          .then(
            () => 'won',
            (error) => error.code,
          ),
      )
      const outcomes = await Promise.all(tries)
      expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1)
      // On a busy machine some are sent away, and meet their own first try when they come again.
      const sentAway = ['unavailable', 'too_much_at_once', 'request_running']
      expect(outcomes.filter((outcome) => !['won', 'invitation_closed', ...sentAway].includes(outcome))).toEqual([])
      expect(outcomes).toContain('invitation_closed')
      const { auditLogs } = await organization.admin.client.listAuditLogs({ orgSlug: organization.slug, action: 'invitation.accepted' })
      expect(auditLogs).toHaveLength(1)
    }
  })

  it('and declining and canceling at once end in exactly one of the three', async () => {
    const organization = await world.organization()
    for (let round = 0; round < 10; round++) {
      const invitee = await world.person()
      const { id } = await invite(organization, invitee)
      const outcomes = await Promise.allSettled([
        invitee.client.acceptInvitation({ id }),
        invitee.client.declineInvitation({ id }),
        organization.admin.client.cancelOrganizationInvitation({ orgSlug: organization.slug, id }),
      ])
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
      const [row] = await world.query<{ status: string }>(sql`select status from invitations where id = ${id}`)
      const members = await world.query(sql`select from members where user_id = ${invitee.id}`)
      expect(members).toHaveLength(row!.status === 'accepted' ? 1 : 0)
    }
  })

  it('stops at the quota of members, exactly, when many want the last place: the invited and those who sign in by domain', async () => {
    const organization = await world.organization()
    await world.query(sql`with crowd as (insert into users (email, name) select 'm' || n || '@crowd.example', 'm' || n from generate_series(1, ${quotas.members - 2}) n returning id)
      insert into members (organization_id, user_id, role) select ${organization.id}, id, 'viewer' from crowd`)
    const invitees = await Promise.all(Array.from({ length: 4 }, () => world.person()))
    const invitations = await Promise.all(invitees.map((invitee) => invite(organization, invitee)))
    const colleagues = Array.from({ length: 4 }, (_, i) => `colleague-${i}@${organization.domain}`)
    for (const email of colleagues) await world.client().sendSignInLink({ email })
    const links = await Promise.all(colleagues.map(async (email) => /#token=([\w-]{43})/.exec((await world.mails(email))[0]!.text)![1]!))

    const [accepts, signIns] = await Promise.all([
      Promise.allSettled(invitees.map(({ client }, i) => client.acceptInvitation({ id: invitations[i]!.id }))),
      Promise.all(links.map((token) => world.client().verifySignIn({ token }))),
    ])
    for (const outcome of accepts)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'quota_reached' })
    expect(signIns.every(({ token }) => token)).toBe(true) // full or not, everyone gets in as a person
    const { members } = await organization.admin.client.listOrganizationMembers({ orgSlug: organization.slug })
    expect(members).toHaveLength(quotas.members)
  })
})

describe('declining', () => {
  it('closes the invitation, is in the trail, and lets a new one be sent', async () => {
    const organization = await world.organization()
    const invitee = await world.person()
    const { id } = await invite(organization, invitee)
    expect(await invitee.client.declineInvitation({ id })).toMatchObject({ id, status: 'declined' })
    expect(await refusal(invitee.client.acceptInvitation({ id }))).toMatchObject({ status: 409, code: 'invitation_closed' })
    const { auditLogs } = await organization.admin.client.listAuditLogs({ orgSlug: organization.slug })
    expect(auditLogs[0]).toMatchObject({ action: 'invitation.declined', actor: { id: invitee.id }, target: { id } })
    await invite(organization, invitee)
  })
})

describe('the public read of a mailed link', () => {
  it('shows what is offered with the address masked and without the inviter’s', async () => {
    const organization = await world.organization()
    const invitee = await world.person('Grace', `grace-${crypto.randomUUID()}@elsewhere.example`)
    const { id, expiresAt, createdAt } = await invite(organization, invitee, 'admin')
    const answer = await request(`${world.url}/v1/invitations/${await tokenOf(invitee.email)}`)
    expect(answer.json()).toEqual({
      id,
      email: 'g•••@elsewhere.example',
      role: 'admin',
      status: 'pending',
      organization: { slug: organization.slug, name: 'Agency' },
      expiresAt,
      createdAt,
      inviterName: 'Ada',
    })
    expect(answer.headers.get('cache-control')).toBe('no-store')
  })

  it('tells what became of a closed or expired one, and knows no other token', async () => {
    const organization = await world.organization()
    const invitee = await world.person()
    const { id } = await invite(organization, invitee)
    const token = await tokenOf(invitee.email)
    const status = async () => (await world.client().getInvitation({ token })).status
    await expire(id)
    expect(await status()).toBe('expired')
    await organization.admin.client.cancelOrganizationInvitation({ orgSlug: organization.slug, id })
    expect(await status()).toBe('canceled')
    for (const unknown of [token.slice(1), `${token}A`, token.toLowerCase(), 'x'])
      expect(await refusal(world.client().getInvitation({ token: unknown }))).toMatchObject({ status: 404, code: 'not_found' })
    expect(await refusal(world.client().getInvitation({ token: 'x'.repeat(129) }))).toMatchObject({ status: 400 })
  })

  it('and the page behind it change nothing, by GET or HEAD, fifty times', async () => {
    const organization = await world.organization()
    const invitee = await world.person()
    await invite(organization, invitee)
    const token = await tokenOf(invitee.email)
    const state = () =>
      world.query(sql`select (select json_agg(i) from invitations i where organization_id = ${organization.id}) as invitations,
        (select count(*) from members) as members, (select count(*) from audit_entries) as entries, (select count(*) from jobs) as jobs, (select count(*) from mailbox) as mails`)
    // The mail has been put in its box a moment before its job is gone;
    // one that found no connection in the race above is tried again.
    await expect.poll(() => world.query(sql`select from jobs`)).toHaveLength(0)
    const before = await state()
    for (let i = 0; i < 50; i++) {
      const method = i % 2 ? 'HEAD' : 'GET'
      const read = await request(`${world.url}/v1/invitations/${token}`, { method, headers: { purpose: 'prefetch' } })
      expect(read.status).toBe(200)
      await request(`${world.url}/invitation`, { method, headers: { accept: 'text/html' } })
    }
    expect(await state()).toEqual(before)
  })

  it('is limited to sixty a minute for each client address', async () => {
    const address = '203.0.113.77'
    const reads = await Promise.all(Array.from({ length: 61 }, () => request(`${world.url}/v1/invitations/unknown`, { address })))
    expect(reads.filter(({ status }) => status === 404)).toHaveLength(60)
    expect(reads.filter(({ status }) => status === 429)).toHaveLength(1)
  })
})
