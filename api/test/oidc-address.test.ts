import { describe, expect, it } from 'vitest'
import { browser, google, me, microsoft, oid, PUBLIC, start, sub, TENANT, world } from './identity-world.ts'
import { sql } from './world.ts'

const CONSUMERS = '9188040d-6c67-4c5b-b112-36a304b66dad'

describe('an address the provider does not vouch for', () => {
  it.each([
    ['false', false],
    ['absent', undefined],
    ['the text "true"', 'true'],
    ['the text "false"', 'false'],
  ])('links, provisions and creates nothing when email_verified is %s', async (_, email_verified) => {
    const organization = await world.organization()
    const email = organization.admin.email
    google.next = { sub: sub(), email, ...(email_verified !== undefined && { email_verified }) }
    const one = browser()
    const landing = await one.visit(start('google', '?callbackURL=/account'))
    expect(landing.pathname + landing.hash).toBe(`/signin#confirm=${encodeURIComponent(email)}`)
    expect(landing.searchParams.get('callbackURL')).toBe(`${PUBLIC}/account`)
    expect((await one.request('/v1/me')).status).toBe(401)
    expect(await world.query(sql`select from identities where subject = ${google.next.sub}`)).toHaveLength(0)
  })

  const mailed = async (email: string, count = 1) => {
    const [mail] = await world.mails(email, count)
    return { mail: mail!, code: /\b(\d{6})\b/.exec(mail!.text)![1]!, token: /#token=([\w-]{43})/.exec(mail!.text)![1]! }
  }

  it('is confirmed by the mailed code in the same browser, and then links, provisions and signs in from then on', async () => {
    const organization = await world.organization()
    const email = `work@${organization.domain}`
    microsoft.next = { sub: 'y', tid: TENANT, oid: oid(), email, name: 'Worker' }
    const one = browser()
    await one.visit(start('microsoft'))
    const { mail, code } = await mailed(email)
    expect(mail.text).toContain('with a Microsoft account that uses this email address')
    expect((await one.post('/v1/auth/magic-link/verify', { email, code })).status).toBe(200)
    expect(await me(one)).toMatchObject({ email, name: 'Worker' })
    const again = browser()
    expect((await again.visit(start('microsoft'))).href).toBe(`${PUBLIC}/`)
    expect((await me(again)).email).toBe(email)
  })

  it('lets nobody in beside the owner who uses the mail in another browser', async () => {
    const organization = await world.organization()
    const email = organization.admin.email
    microsoft.next = { sub: 'z', tid: TENANT, oid: oid(), email }
    const attacker = browser()
    await attacker.visit(start('microsoft'))
    const { token } = await mailed(email)
    const owner = browser()
    expect((await owner.post('/v1/auth/magic-link/verify', { token })).status).toBe(200)
    expect((await me(owner)).email).toBe(email)
    expect(await world.query(sql`select from identities where subject = ${`${TENANT}/${microsoft.next.oid}`}`)).toHaveLength(0)
    expect((await attacker.visit(start('microsoft'))).pathname).toBe('/signin')
    expect((await attacker.request('/v1/me')).status).toBe(401)
  })

  it('is linked by that very code alone, not by another one of the same address', async () => {
    const organization = await world.organization()
    const email = organization.admin.email
    microsoft.next = { sub: 'q', tid: TENANT, oid: oid(), email }
    const one = browser()
    await one.visit(start('microsoft'))
    await world.mails(email)
    await world.client().sendSignInLink({ email })
    const { token } = await mailed(email, 2)
    expect((await one.post('/v1/auth/magic-link/verify', { token })).status).toBe(200)
    expect(await world.query(sql`select from identities where subject = ${`${TENANT}/${microsoft.next.oid}`}`)).toHaveLength(0)
  })

  it('waits sealed: the row holds neither subject nor secret', async () => {
    const organization = await world.organization()
    const email = organization.admin.email
    microsoft.next = { sub: 's', tid: TENANT, oid: oid(), email }
    await browser().visit(start('microsoft'))
    await world.mails(email)
    const [row] = await world.query<{ identity: string }>(sql`select identity from sign_in_links where email = ${email}`)
    expect(row!.identity).toMatch(/^v1\.test1\./)
    expect(row!.identity).not.toContain(String(microsoft.next.oid))
  })

  it('cannot be used to flood a mailbox: the limit of sign-in mails counts', async () => {
    const email = `flooded@nowhere-${Date.now()}.example`
    microsoft.next = { sub: 'f', tid: TENANT, oid: oid(), email }
    const landings = []
    for (let i = 0; i < 4; i++) landings.push((await browser().visit(start('microsoft'))).pathname)
    expect(landings).toEqual(['/signin', '/signin', '/signin', '/error'])
    expect((await world.mails(email))[0]!.subject).toBe('There is no Adjoin account for this email address')
  })
})

describe('signing in with Microsoft', () => {
  it('takes an address as proved when the domain’s owner is verified, or the account is a consumer’s', async () => {
    for (const proof of [{ tid: TENANT, xms_edov: true }, { tid: TENANT, xms_edov: '1' }, { tid: CONSUMERS }]) {
      const organization = await world.organization()
      const email = `ms@${organization.domain}`
      microsoft.next = { sub: 'm', oid: oid(), email, ...proof }
      const one = browser()
      expect((await one.visit(start('microsoft'))).href).toBe(`${PUBLIC}/`)
      expect((await me(one)).email).toBe(email)
    }
  })

  it('does not believe xms_edov false, email_verified, or a user name that looks like an address', async () => {
    const organization = await world.organization()
    for (const claims of [
      { email: organization.admin.email, xms_edov: false },
      { email: organization.admin.email, email_verified: true },
      { preferred_username: organization.admin.email, xms_edov: true },
    ]) {
      microsoft.next = { sub: 'n', tid: TENANT, oid: oid(), ...claims }
      expect((await browser().visit(start('microsoft'))).pathname).toBe('/signin')
    }
  })

  it('tells people apart by tenant and object id, and refuses a token without them', async () => {
    const organization = await world.organization()
    const [one, other] = [oid(), TENANT.replace('1', '9')]
    for (const [tid, email] of [
      [TENANT, `a@${organization.domain}`],
      [other, `b@${organization.domain}`],
    ]) {
      microsoft.next = { sub: 'same-sub', tid, oid: one, email, xms_edov: true }
      const person = browser()
      await person.visit(start('microsoft'))
      expect((await me(person)).email).toBe(email)
    }
    microsoft.next = { sub: 'no-ids', email: `c@${organization.domain}`, xms_edov: true }
    expect((await browser().visit(start('microsoft'))).href).toBe(`${PUBLIC}/error?code=identity_invalid`)
  })

  it('provisions a linked person only when the address is proved today', async () => {
    const home = await world.organization()
    const email = `guest@later-${Date.now()}.example`
    const guest = await world.person('Guest', email)
    await world.join(home, 'guest', guest)
    microsoft.next = { sub: 'p', tid: TENANT, oid: oid(), email, xms_edov: true }
    await browser().visit(start('microsoft'))
    const later = await world.organization()
    await world.query(sql`update organizations set domain = ${email.split('@')[1]} where id = ${later.id}`)
    const membership = () => world.query(sql`select role from members where organization_id = ${later.id} and user_id = ${guest.id}`)
    microsoft.next = { ...microsoft.next, xms_edov: false }
    const one = browser()
    expect((await one.visit(start('microsoft'))).href).toBe(`${PUBLIC}/`)
    expect((await me(one)).email).toBe(email)
    expect(await membership()).toEqual([])
    microsoft.next = { ...microsoft.next, xms_edov: true }
    await browser().visit(start('microsoft'))
    expect(await membership()).toEqual([{ role: 'member' }])
  })
})
