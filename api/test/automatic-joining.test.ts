// Who joins an organization without being asked in:
// colleagues, once, while its admins want it so, and never behind their backs.
import { canonicalMailbox, sameMailbox } from '@adjoin/contract'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { until } from '../../furnishing/until.ts'
import { closePublicDomains } from '../src/features/organizations/close-public-domains.ts'
import { digest, newToken } from '../src/vault/tokens.ts'
import { createWorld, refusal, sql, type TestOrganization, trail, type World } from './world.ts'

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
const roleIn = async (organization: TestOrganization, email: string) =>
  (
    await world.query<{ role: string }>(sql`select m.role from members m join users u on u.id = m.user_id
      where m.organization_id = ${organization.id} and u.email = ${email}`)
  )[0]?.role
/** Every job that is due has run, and every mail of theirs is delivered. */
const quiet = async () => {
  const due = () => world.query(sql`select kind, last_error from jobs where failed_at is null and (run_at <= now() or attempts > 0)`)
  await until(due, ({ length }) => !length, 'the end of all jobs that are due')
}
const mailsTo = async (email: string) => {
  await quiet()
  return (await world.mails(email, 0)).reverse()
}
/** An organization at a domain of that name, from the time before the lists knew it. */
const organizationAt = async (domain: string) => {
  const organization = await world.organization()
  await world.query(sql`update organizations set domain = ${domain} where id = ${organization.id}`)
  return { ...organization, domain }
}

describe('automatic joining', () => {
  it('is on from the start, and switched by admins, in sessions only, with an entry in the trail', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const { client } = organization.admin
    expect(await client.getOrganization({ orgSlug })).toMatchObject({ autoJoin: true })
    expect(await client.updateOrganization({ orgSlug }, { autoJoin: false })).toMatchObject({ autoJoin: false, name: organization.name })
    expect((await client.listOrganizations()).organizations).toMatchObject([{ autoJoin: false }])
    expect((await trail(organization))[0]).toMatchObject({
      action: 'organization.updated',
      actor: { id: organization.admin.id },
      changes: [{ field: 'autoJoin', from: true, to: false }],
    })
    expect(await client.updateOrganization({ orgSlug }, { autoJoin: false })).toMatchObject({ autoJoin: false })
    expect(await client.updateOrganization({ orgSlug }, {})).toMatchObject({ autoJoin: false })
    expect(await trail(organization)).toHaveLength(1)
    const member = await world.join(organization, 'member')
    const key = await world.key(organization, { level: 'organization', role: 'admin' })
    expect(await refusal(member.client.updateOrganization({ orgSlug }, { autoJoin: true }))).toMatchObject({ status: 403 })
    expect(await refusal(key.client.updateOrganization({ orgSlug }, { autoJoin: true }))).toMatchObject({ status: 401 })
  })

  it('that is off lets nobody in, known or unknown, raises no guest, and removes nobody', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const colleague = `colleague@${organization.domain}`
    await arrive(colleague)
    await organization.admin.client.updateOrganization({ orgSlug }, { autoJoin: false })
    const known = await world.person('Known', `known@${organization.domain}`)
    await arrive(known.email)
    expect(await roleIn(organization, known.email)).toBeUndefined()
    expect(await refusal(arrive(`unknown@${organization.domain}`))).toMatchObject({ status: 401 })
    const guest = await world.person('Guest', `guest@${organization.domain}`)
    await world.join(organization, 'guest', guest)
    await arrive(guest.email)
    expect(await roleIn(organization, guest.email)).toBe('guest')
    expect(await roleIn(organization, colleague)).toBe('member')
    await organization.admin.client.updateOrganization({ orgSlug }, { autoJoin: true })
    await arrive(known.email)
    expect(await roleIn(organization, known.email)).toBe('member')
  })

  it('that is switched off while somebody signs in counts: the sign-in waits for it', async () => {
    const organization = await world.organization()
    const racer = await world.person('Racer', `racer@${organization.domain}`)
    const [held, done] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const switching = world.app.parts.db.transaction(async (query) => {
      await query(sql`update organizations set auto_join = false where id = ${organization.id}`)
      held.resolve()
      await done.promise
    })
    await held.promise
    const arrival = arrive(racer.email)
    const waits = sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    await until(
      () => world.query(waits),
      ({ length }) => length > 0,
      'the arrival to wait for a lock',
    )
    done.resolve()
    await Promise.all([switching, arrival])
    expect(await roleIn(organization, racer.email)).toBeUndefined()
  })
})

describe('the admins', () => {
  it('are mailed at the first automatic join at once, and of all others of the hour in one mail', async () => {
    const organization = await world.organization()
    const second = await world.join(organization, 'admin')
    const member = await world.join(organization, 'member')
    const at = (name: string) => `${name}@${organization.domain}`
    await arrive(at('first'))
    for (const { email } of [organization.admin, second]) {
      const [mail, ...more] = await mailsTo(email)
      expect(more).toEqual([])
      expect(mail!.subject).toBe('Someone joined Agency on Adjoin')
      expect(mail!.text).toContain(at('first'))
      expect(mail!.text).toContain(`/organizations/${organization.slug}/members`)
    }
    expect(await mailsTo(member.email)).toEqual([])

    for (const name of ['second', 'third', 'fourth']) await arrive(at(name))
    await arrive(at('first'))
    expect(await mailsTo(second.email)).toHaveLength(1)
    // The hour is over.
    await world.query(sql`update jobs set run_at = now()`)
    const [, digest, ...more] = await mailsTo(second.email)
    expect(more).toEqual([])
    expect(digest!.subject).toBe('3 people joined Agency on Adjoin')
    for (const name of ['second', 'third', 'fourth']) expect(digest!.text).toContain(at(name))
    expect(digest!.text).not.toContain(at('first'))
  })

  it('are mailed at once again when the last mail is more than an hour old', async () => {
    const organization = await world.organization()
    await arrive(`first@${organization.domain}`)
    expect(await mailsTo(organization.admin.email)).toHaveLength(1)
    await world.query(sql`update organizations set join_mail_at = join_mail_at - interval '61 minutes' where id = ${organization.id}`)
    await arrive(`second@${organization.domain}`)
    expect(await mailsTo(organization.admin.email)).toHaveLength(2)
  })

  it('are mailed of a guest who was raised, and of nobody who was invited', async () => {
    const organization = await world.organization()
    const { admin, slug: orgSlug, domain } = organization
    const invited = await world.person('Invited', `invited@${domain}`)
    const { id } = await admin.client.createOrganizationInvitation({ orgSlug }, { email: invited.email, role: 'viewer' })
    await invited.client.acceptInvitation({ id })
    expect(await mailsTo(admin.email)).toEqual([])
    const guest = await world.person('Guest', `guest@${domain}`)
    await world.join(organization, 'guest', guest)
    await arrive(guest.email)
    expect((await mailsTo(admin.email)).map(({ text }) => text.includes(guest.email))).toEqual([true])
  })
})

describe('an organization that holds a public mailbox’s domain', () => {
  it('lets nobody in, not even before its switch is turned', async () => {
    const organization = await organizationAt('fastmail.fm')
    const stranger = await world.person('Stranger', 'stranger@fastmail.fm')
    await arrive(stranger.email)
    expect(await roleIn(organization, stranger.email)).toBeUndefined()
  })

  it('is switched off at the next start, its members stay, its admins are mailed once, over any number of replicas', async () => {
    const organization = await organizationAt('tuta.io')
    const member = await world.join(organization, 'member')
    const elsewhere = await world.organization()
    await world.query(sql`delete from schedules where name = 'publicDomains'`) // an upgraded service starts
    const replica = await world.replica()
    const off = sql`select from organizations where id = ${organization.id} and not auto_join`
    await until(
      () => world.query(off),
      ({ length }) => length > 0,
      'automatic joining to be off',
    )
    await Promise.all([world.app, replica, world.app].map(({ parts }) => closePublicDomains(parts, 1)))
    expect((await mailsTo(organization.admin.email)).map(({ subject }) => subject)).toEqual(['Agency: automatic joining is off'])
    expect(await roleIn(organization, member.email)).toBe('member')
    expect(await trail(organization)).toMatchObject([
      {
        action: 'organization.updated',
        actor: { type: 'system' },
        changes: [{ field: 'autoJoin', from: true, to: false }],
        metadata: { reason: 'public_mailbox', domain: 'tuta.io' },
      },
    ])
    expect(await elsewhere.admin.client.getOrganization({ orgSlug: elsewhere.slug })).toMatchObject({ autoJoin: true })
  })

  it('cannot be switched on again, but renamed', async () => {
    const { admin, slug: orgSlug } = await organizationAt('posteo.de')
    await admin.client.updateOrganization({ orgSlug }, { autoJoin: false })
    const refused = await refusal(admin.client.updateOrganization({ orgSlug }, { autoJoin: true }))
    expect([refused.status, refused.code, refused.problem.errors![0]!.path]).toEqual([400, 'public_mailbox', 'autoJoin'])
    expect(await admin.client.updateOrganization({ orgSlug }, { name: 'Renamed' })).toMatchObject({ name: 'Renamed', autoJoin: false })
  })

  it('is not created by a sign-up that was parked before the lists knew its domain', async () => {
    const email = 'ada@disroot.org'
    await world.query(sql`insert into sign_ups (email, name, organization_name, organization_slug, provider, expires_at)
      values (${email}, 'Ada', 'Roots', 'roots', 'magic-link', now() + interval '1 hour')`)
    expect(await arrive(email)).toMatchObject({ signUp: 'refused', signUpReason: 'public_mailbox' })
    expect(await world.query(sql`select from organizations where slug = 'roots'`)).toHaveLength(0)
  })
})

describe('one mailbox', () => {
  it('that was removed, or left, does not come back under a tag; an invitation to that very address brings it in', async () => {
    const organization = await world.organization()
    const { admin, slug: orgSlug, domain } = organization
    for (const leaving of ['removed', 'left']) {
      const { user, token } = await arrive(`${leaving}@${domain}`)
      const own = world.client({ authorization: `Bearer ${token}` })
      await (leaving === 'left' ? own : admin.client).removeOrganizationMember({ orgSlug, userId: user.id })
      for (const tagged of [`${leaving}+1@${domain}`, `${leaving}+a+b@${domain}`]) {
        await arrive(tagged)
        expect(await roleIn(organization, tagged)).toBeUndefined()
      }
      const tagged = `${leaving}+back@${domain}`
      await admin.client.createOrganizationInvitation({ orgSlug }, { email: tagged, role: 'viewer' })
      const invited = world.client({ authorization: `Bearer ${(await arrive(tagged)).token}` })
      const { invitations } = await invited.listMyInvitations()
      await invited.acceptInvitation({ id: invitations[0]!.id })
      expect(await roleIn(organization, tagged)).toBe('viewer')
      await arrive(`${leaving}@${domain}`)
      expect(await roleIn(organization, `${leaving}@${domain}`)).toBeUndefined()
    }
  })

  it('that was removed under a tag does not come back without it', async () => {
    const organization = await world.organization()
    const { user } = await arrive(`intern+1@${organization.domain}`)
    await organization.admin.client.removeOrganizationMember({ orgSlug: organization.slug, userId: user.id })
    await arrive(`intern@${organization.domain}`)
    expect(await roleIn(organization, `intern@${organization.domain}`)).toBeUndefined()
  })

  it('is not a second member under a tag: a viewer gets no higher role that way', async () => {
    const organization = await world.organization()
    const viewer = await world.person('Viewer', `viewer@${organization.domain}`)
    await world.join(organization, 'viewer', viewer)
    await arrive(`viewer+1@${organization.domain}`)
    expect(await roleIn(organization, `viewer+1@${organization.domain}`)).toBeUndefined()
    expect(await roleIn(organization, viewer.email)).toBe('viewer')
  })

  it('with another name, or of another organization, is somebody else', async () => {
    const [organization, other] = [await world.organization(), await world.organization()]
    const { user } = await arrive(`intern@${organization.domain}`)
    await organization.admin.client.removeOrganizationMember({ orgSlug: organization.slug, userId: user.id })
    for (const [where, email] of [
      [organization, `intern-1@${organization.domain}`],
      [organization, `in.tern@${organization.domain}`],
      [other, `intern@${other.domain}`],
    ] as const) {
      await arrive(email)
      expect(await roleIn(where, email)).toBe('member')
    }
  })

  it('is told apart by the database as by the contract', async () => {
    const local = fc.string({ unit: fc.constantFrom(...'ab.+-_1'), minLength: 1, maxLength: 12 })
    const domain = fc.constantFrom(...sameMailbox.flat(), 'agency.example', 'mail.gmail.com')
    const emails = fc.sample(fc.tuple(local, domain), 500).map((parts) => parts.join('@'))
    const rows = await world.query<{ mailbox: string }>(
      sql`select canonical_mailbox(email) as mailbox from unnest(${emails}::text[]) with ordinality as e (email, n) order by n`,
    )
    expect(rows.map(({ mailbox }) => mailbox)).toEqual(emails.map(canonicalMailbox))
  })
})
