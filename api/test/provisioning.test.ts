import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lockOrganization } from '../src/features/organizations/lock.ts'
import { digest, newToken } from '../src/vault/tokens.ts'
import { createWorld, sql, type TestOrganization, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

/** A proved address signs in: what the sign-in tests show, without the mail. */
async function arrive(email: string) {
  const token = newToken()
  await world.query(sql`insert into sign_in_links (email, token_hash, code_hash, expires_at)
    values (${email}, ${digest(token)}, ${digest(token)}, now() + interval '10 minutes')`)
  return world.client().verifySignIn({ token })
}
const roleIn = async (organization: TestOrganization, email: string) => {
  const [row] = await world.query<{ role: string }>(sql`select m.role from members m join users u on u.id = m.user_id
    where m.organization_id = ${organization.id} and u.email = ${email}`)
  return row?.role
}
const provisions = async (organization: TestOrganization) => {
  const { auditLogs } = await organization.admin.client.listAuditLogs({ orgSlug: organization.slug, action: 'member.provisioned' })
  return auditLogs.map(({ actor, changes }) => [actor.email, changes])
}

describe('an address of the organization’s domain', () => {
  it('joins as member at its first session, with one entry in the trail; the next session adds nothing', async () => {
    const organization = await world.organization()
    const email = `grace@${organization.domain}`
    await arrive(email)
    await arrive(email)
    expect(await roleIn(organization, email)).toBe('member')
    expect(await provisions(organization)).toEqual([[email, [{ field: 'role', from: null, to: 'member' }]]])
  })

  it('must be of exactly that domain', async () => {
    const organization = await world.organization()
    for (const domain of [`sub.${organization.domain}`, `x${organization.domain}`, `${organization.domain}.evil.example`]) {
      const stranger = await world.person('Eve', `eve@${domain}`)
      await arrive(stranger.email)
      expect(await roleIn(organization, stranger.email)).toBeUndefined()
    }
    expect(await provisions(organization)).toEqual([])
  })

  it('raises a guest to member and lowers nobody', async () => {
    const organization = await world.organization()
    for (const [role, after] of [
      ['guest', 'member'],
      ['viewer', 'viewer'],
      ['admin', 'admin'],
    ] as const) {
      const person = await world.person(role, `${role}@${organization.domain}`)
      await world.join(organization, role, person)
      await arrive(person.email)
      expect(await roleIn(organization, person.email)).toBe(after)
    }
    expect(await provisions(organization)).toEqual([[`guest@${organization.domain}`, [{ field: 'role', from: 'guest', to: 'member' }]]])
  })

  it('stays out once removed, and once gone by itself, until an invitation brings it back', async () => {
    const organization = await world.organization()
    const { admin, slug: orgSlug } = organization
    for (const leaving of ['removed', 'left']) {
      const email = `${leaving}@${organization.domain}`
      const { user, token } = await arrive(email)
      const own = world.client({ authorization: `Bearer ${token}` })
      await (leaving === 'left' ? own : admin.client).removeOrganizationMember({ orgSlug, userId: user.id })
      await arrive(email)
      expect(await roleIn(organization, email)).toBeUndefined()
      await admin.client.createOrganizationInvitation({ orgSlug }, { email, role: 'viewer' })
      const { invitations } = await own.listMyInvitations()
      await own.acceptInvitation({ id: invitations[0]!.id })
      expect(await roleIn(organization, email)).toBe('viewer')
    }
  })

  it('stays out when it is removed at the very moment it signs in', async () => {
    const organization = await world.organization()
    const email = `racer@${organization.domain}`
    // Not by signing in: the mail to the admins about a join would wait for the same lock.
    const user = await world.person('Racer', email)
    await world.query(sql`insert into members (organization_id, user_id, role) values (${organization.id}, ${user.id}, 'guest')`)
    const [removed, signedIn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const removal = world.app.parts.db.transaction(async (query) => {
      await lockOrganization(query, organization.id) // as every removal does
      await query(sql`insert into member_removals (organization_id, user_id) values (${organization.id}, ${user.id})`)
      await query(sql`delete from members where organization_id = ${organization.id} and user_id = ${user.id}`)
      removed.resolve()
      await signedIn.promise
    })
    await removed.promise
    const arrival = arrive(email)
    const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await expect.poll(() => world.query(waiting)).not.toHaveLength(0) // the sign-in waits for the removal by now
    signedIn.resolve()
    await Promise.all([removal, arrival])
    expect(await roleIn(organization, email)).toBeUndefined()
  })

  it('joins by the domain the organization has at that moment', async () => {
    const organization = await world.organization()
    const email = `mover@${organization.domain}`
    await world.person('Mover', email)
    await world.query(sql`update organizations set domain = ${`new-${organization.domain}`} where id = ${organization.id}`)
    await arrive(email)
    expect(await roleIn(organization, email)).toBeUndefined()
    await world.query(sql`update organizations set domain = ${organization.domain} where id = ${organization.id}`)
    await arrive(email)
    expect(await roleIn(organization, email)).toBe('member')
  })

  it('joins once when ten first sessions are made at once', async () => {
    const organization = await world.organization()
    const email = `many@${organization.domain}`
    const users = await Promise.all(Array.from({ length: 10 }, () => arrive(email)))
    expect(new Set(users.map(({ user }) => user.id)).size).toBe(1)
    expect(await provisions(organization)).toHaveLength(1)
  })

  it('is signed in but does not join an organization that is full; a guest of it is raised all the same', async () => {
    const organization = await world.organization()
    await world.query(sql`with people as (
      insert into users (email, name) select 'crowd' || n || '@' || ${organization.domain}, 'Crowd' from generate_series(1, 4999) n returning id
    ) insert into members (organization_id, user_id, role) select ${organization.id}, id, 'guest' from people`)
    const outsider = `late@${organization.domain}`
    expect((await arrive(outsider)).user.email).toBe(outsider)
    expect(await roleIn(organization, outsider)).toBeUndefined()
    await arrive(`crowd7@${organization.domain}`)
    expect(await roleIn(organization, `crowd7@${organization.domain}`)).toBe('member')
  })
})
