import { quotas } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hours, invite, newcomer, tokenOf } from './inviting.ts'
import { makeLimitsLast } from './lasting-limits.ts'
import { createWorld, refusal, request, sql, trail, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await makeLimitsLast(world)
})
afterAll(() => world.stop())

const expire = (id: string) => world.query(sql`update invitations set expires_at = now() - interval '1 minute' where id = ${id}`)

describe('inviting to an organization', () => {
  it('mails a link that is valid for 48 hours, answers the pending invitation and is in the trail', async () => {
    const organization = await world.organization()
    const email = newcomer()
    const answer = await request(`${world.url}/v1/organizations/${organization.slug}/invitations`, {
      method: 'POST',
      headers: { ...organization.admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ email: `  ${email.toUpperCase()}`, role: 'member' }),
    })
    expect(answer.status).toBe(201)
    const invitation = answer.json<{ id: string; createdAt: string; expiresAt: string }>()
    expect(answer.headers.get('location'), 'nothing is to be read there').toBeNull()
    expect(invitation).toEqual({
      id: expect.any(String),
      email,
      role: 'member',
      status: 'pending',
      organization: { slug: organization.slug, name: 'Agency' },
      expiresAt: expect.any(String),
      createdAt: expect.any(String),
      inviterEmail: organization.admin.email,
      inviterName: 'Ada',
    })
    expect(hours(invitation.createdAt, invitation.expiresAt)).toBeCloseTo(48, 2)
    const [mail] = await world.mails(email)
    expect(mail!.subject).toBe('Ada invited you to Agency on Adjoin')
    expect(tokenOf(mail!)).toHaveLength(43)
    expect(await trail(organization)).toMatchObject([
      {
        action: 'invitation.created',
        target: { type: 'invitation', id: invitation.id, name: email },
        workspace: null,
        metadata: { role: 'member' },
      },
    ])
  })

  it('keeps the token sealed beside a keyed hash, and shows it to no reader', async () => {
    const organization = await world.organization()
    const email = newcomer()
    const { id } = await invite(organization, email)
    const token = tokenOf((await world.mails(email))[0]!)
    const [row] = await world.query<{ token_hash: Buffer; token_sealed: string }>(
      sql`select token_hash, token_sealed from invitations where id = ${id}`,
    )
    const { secrets, vault } = world.app.parts
    expect(row!.token_hash.equals(secrets.lookup('invitation', token))).toBe(true)
    expect(vault.open(row!.token_sealed, ['invitations', organization.id, id, 'token'])).toBe(token)
    expect(() => vault.open(row!.token_sealed, ['invitations', organization.id, crypto.randomUUID(), 'token'])).toThrow()
    const shown = JSON.stringify([
      await organization.admin.client.listOrganizationInvitations({ orgSlug: organization.slug }),
      await trail(organization),
    ])
    expect(shown).not.toContain(token)
    expect(world.log.lines.join('')).not.toContain(token)
  })

  it('is refused to whoever holds that role or a higher one', async () => {
    const organization = await world.organization()
    const viewer = await world.join(organization, 'viewer')
    const guest = await world.join(organization, 'guest')
    for (const { email } of [viewer, organization.admin])
      expect(await refusal(invite(organization, email, 'viewer'))).toMatchObject({ status: 409, code: 'role_held' })
    expect((await invite(organization, viewer.email, 'member')).role).toBe('member')
    expect((await invite(organization, guest.email, 'viewer')).role).toBe('viewer')
  })

  it('makes one pending invitation of twenty at once, over two replicas', async () => {
    const organization = await world.organization()
    const replica = await world.replica()
    const email = newcomer()
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        invite(organization, email, 'member', { client: world.client(organization.admin.headers, i % 2 ? replica.url : world.url) }).then(
          () => 'created',
          (error) => error.code,
        ),
      ),
    )
    expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1)
    expect(outcomes.filter((outcome) => outcome === 'invitation_pending')).toHaveLength(19)
    expect(await world.mails(email)).toHaveLength(1)
    expect(await trail(organization)).toHaveLength(1)
  })

  it('takes the place of an expired one', async () => {
    const organization = await world.organization()
    const email = newcomer()
    const old = await invite(organization, email)
    await expire(old.id)
    const fresh = await invite(organization, email, 'admin')
    const { invitations } = await organization.admin.client.listOrganizationInvitations({ orgSlug: organization.slug })
    expect(invitations.map(({ id, status }) => [id, status])).toEqual([
      [old.id, 'expired'],
      [fresh.id, 'pending'],
    ])
  })

  it('is for admins: by session, by an admin’s user key, by an organization key with role admin, whose creator is the inviter', async () => {
    const organization = await world.organization()
    const creator = await world.join(organization, 'admin')
    const keys = [
      await world.key(organization, { level: 'user', creator }),
      await world.key(organization, { level: 'organization', role: 'admin', creator }),
    ]
    for (const key of keys)
      expect(await invite(organization, newcomer(), 'member', key)).toMatchObject({ inviterEmail: creator.email, inviterName: 'admin' })
    expect((await trail(organization))[0]).toMatchObject({ actor: { type: 'apiKey', id: keys[1]!.id, email: creator.email } })
    const member = await world.join(organization, 'member')
    for (const who of [
      member,
      await world.key(organization, { level: 'user', creator: member }),
      await world.key(organization, { level: 'organization', role: 'member' }),
    ])
      expect(await refusal(invite(organization, newcomer(), 'viewer', who))).toMatchObject({ status: 403, code: 'role_too_low' })
    const workspaceKey = await world.key(organization, {
      level: 'workspace',
      role: 'admin',
      workspace: await world.workspace(organization),
    })
    expect(await refusal(invite(organization, newcomer(), 'viewer', workspaceKey))).toMatchObject({
      status: 401,
      code: 'credential_refused',
    })
  })

  it('refuses a guest role, unknown fields and what is no address', async () => {
    const organization = await world.organization()
    const bodies = [
      { email: newcomer(), role: 'guest' },
      { email: newcomer(), role: 'owner' },
      { email: 'nobody', role: 'member' },
      { email: newcomer(), role: 'member', status: 'accepted' },
      { email: newcomer() },
    ]
    for (const body of bodies) {
      const refused = await refusal(organization.admin.client.createOrganizationInvitation({ orgSlug: organization.slug }, body as never))
      expect([refused.status, refused.code]).toEqual([400, 'validation_failed'])
    }
  })

  it('through a key is limited to thirty a minute; a person is not', async () => {
    const organization = await world.organization()
    const key = await world.key(organization, { level: 'organization', role: 'admin' })
    for (let i = 0; i < 30; i++) await invite(organization, newcomer(), 'viewer', key)
    const limited = await refusal(invite(organization, newcomer(), 'viewer', key))
    expect(limited).toMatchObject({ status: 429, code: 'limit_exceeded' })
    expect(limited.retryAfter).toBeGreaterThanOrEqual(1)
    await invite(organization, newcomer(), 'viewer', await world.key(organization, { level: 'organization', role: 'admin' }))
    await invite(organization, newcomer())
  })

  it('stops at the quota of pending ones, exactly, when many ask for the last place; an expired one brought back needs a place too', async () => {
    const organization = await world.organization()
    const { id: old } = await invite(organization, newcomer())
    await expire(old)
    const { id: other } = await world.join(organization, 'admin') // one person alone has a share only
    await world.query(sql`insert into invitations (organization_id, email, role, token_hash, inviter_id, expires_at)
      select ${organization.id}, 'n' || n || '@many.example', 'viewer', sha256(convert_to(${organization.id} || n, 'utf8')), ${other}, now() + interval '1 hour'
      from generate_series(1, ${quotas.pendingInvitations - 1}) n`)
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => invite(organization, newcomer())))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'quota_reached' })
    const resent = organization.admin.client.resendOrganizationInvitation({ orgSlug: organization.slug, id: old })
    expect(await refusal(resent)).toMatchObject({ status: 409, code: 'quota_reached' })
  })
})
