import { describe, expect, it } from 'vitest'
import { browser, google, me, microsoft, oid, PUBLIC, start, sub, TENANT, world } from './identity-world.ts'
import { createWorld, newAddress, request, sql } from './world.ts'

const usersWith = (email: string) => world.query<{ id: string }>(sql`select id from users where email = ${email}`)

describe('signing in with Google', () => {
  it('makes a member of a person whose proved address is of the organization’s domain, and remembers them by subject', async () => {
    const organization = await world.organization()
    const email = `grace@${organization.domain}`
    google.next = { sub: sub(), email, email_verified: true, name: 'Grace Hopper', picture: 'https://img.example/grace.png' }
    const one = browser()
    const landing = await one.visit(start('google', '?callbackURL=/organizations/x'))
    expect(landing.href).toBe(`${PUBLIC}/organizations/x`)
    expect(await me(one)).toMatchObject({ email, name: 'Grace Hopper', emailVerified: true, image: 'https://img.example/grace.png' })
    expect(JSON.parse((await one.request(`/v1/organizations/${organization.slug}`)).text).role).toBe('member')
    const { auditLogs } = await organization.admin.client.listAuditLogs({ orgSlug: organization.slug })
    expect(auditLogs.map(({ action, metadata }) => [action, metadata])).toEqual([
      ['user.signed_in', { method: 'google' }],
      ['member.provisioned', { domain: organization.domain }],
    ])
    expect(JSON.parse((await one.request('/v1/me/sessions')).text).sessions).toMatchObject([{ method: 'google', current: true }])
  })

  it('asks with state, nonce, PKCE S256 and the account to pre-select, and keeps its own secrets in a closed cookie', async () => {
    google.asked.length = 0
    google.next = null
    const one = browser()
    const { status, next, headers, text } = await one.step(start('google', '?loginHint=Ada%40Agency.Example'))
    expect([status, text]).toEqual([302, ''])
    expect(Object.fromEntries(next!.searchParams)).toMatchObject({
      client_id: 'adjoin',
      response_type: 'code',
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      login_hint: 'ada@agency.example',
      redirect_uri: `${PUBLIC}/v1/auth/google/callback`,
    })
    for (const name of ['state', 'nonce', 'code_challenge']) expect(next!.searchParams.get(name)!.length).toBeGreaterThanOrEqual(43)
    const cookie = headers.getSetCookie()[0]!
    expect(cookie).toMatch(/^adjoin_oidc_google=v1\.[^;]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/)
    expect(cookie).not.toContain(next!.searchParams.get('state'))
  })

  it('keeps the account when the address changes at the provider, and never moves it to the new address', async () => {
    const organization = await world.organization()
    const other = await world.organization()
    const person = { sub: sub(), email: `old@${organization.domain}`, email_verified: true, name: 'Ada' }
    google.next = person
    await browser().visit(start('google'))
    google.next = { ...person, email: `new@${other.domain}` }
    const again = browser()
    await again.visit(start('google'))
    expect((await me(again)).email).toBe(person.email)
    expect(await usersWith(`new@${other.domain}`)).toHaveLength(0)
    // Its admin alone.
    expect(await world.query(sql`select from members where organization_id = ${other.id}`)).toHaveLength(1)
  })

  it('does not let another subject with the same address take the account over', async () => {
    const organization = await world.organization()
    const email = `alan@${organization.domain}`
    google.next = { sub: sub(), email, email_verified: true }
    await browser().visit(start('google'))
    google.next = { sub: sub(), email, email_verified: true }
    const thief = browser()
    expect((await thief.visit(start('google'))).href).toBe(`${PUBLIC}/error?code=identity_conflict`)
    expect((await thief.request('/v1/me')).status).toBe(401)
    expect(await world.query(sql`select from identities i join users u on u.id = i.user_id where u.email = ${email}`)).toHaveLength(1)
    // The other provider may vouch for the same person: that is a second way in, not another person's.
    microsoft.next = { sub: 'x', tid: TENANT, oid: oid(), email, xms_edov: true }
    const second = browser()
    await second.visit(start('microsoft'))
    expect((await me(second)).email).toBe(email)
  })

  it('gives one account to a person who signs in for the first time in ten windows at once', async () => {
    const organization = await world.organization()
    const email = `many@${organization.domain}`
    google.next = { sub: sub(), email, email_verified: true }
    const landings = await Promise.all(Array.from({ length: 10 }, () => browser().visit(start('google'))))
    expect(new Set(landings.map(({ href }) => href))).toEqual(new Set([`${PUBLIC}/`]))
    expect(await usersWith(email)).toHaveLength(1)
    expect(await world.query(sql`select from members where organization_id = ${organization.id} and role = 'member'`)).toHaveLength(1)
  })

  it('sends an address that nothing waits for to the error page, and creates nothing', async () => {
    google.next = { sub: sub(), email: 'nobody@nowhere.example', email_verified: true }
    expect((await browser().visit(start('google'))).href).toBe(`${PUBLIC}/error?code=account_unknown`)
    expect(await usersWith('nobody@nowhere.example')).toHaveLength(0)
    expect(await world.query(sql`select from identities where subject = ${google.next.sub}`)).toHaveLength(0)
  })

  it('says in our own words that the person declined or has no address', async () => {
    google.next = null
    const denied = await browser().visit(start('google'))
    expect(denied.href).toBe(`${PUBLIC}/error?code=access_denied`)
    google.next = { sub: sub() }
    expect((await browser().visit(start('google'))).href).toBe(`${PUBLIC}/error?code=email_missing`)
  })

  it('looks at the organization’s domain when the person comes back, not when they left', async () => {
    const organization = await world.organization()
    const email = `late@${organization.domain}`
    google.next = { sub: sub(), email, email_verified: true }
    const one = browser()
    const callback = await one.visit(start('google'), (url) => url.pathname.endsWith('/callback'))
    await world.query(sql`update organizations set domain = ${`moved-${organization.domain}`} where id = ${organization.id}`)
    expect((await one.visit(callback)).href).toBe(`${PUBLIC}/error?code=account_unknown`)
    expect(await usersWith(email)).toHaveLength(0)
  })
})

describe('the portal', () => {
  it('reads from the version which providers are set up; an unconfigured one is not found', async () => {
    expect((await world.client().getVersion()).signInProviders).toEqual(['google', 'microsoft'])
    const bare = await createWorld()
    expect((await bare.client().getVersion()).signInProviders).toEqual([])
    for (const path of ['google', 'microsoft/callback?state=a&code=b']) {
      const answer = await request(`${bare.url}/v1/auth/${path}`, { address: newAddress() })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'application/problem+json'])
    }
    await bare.stop()
  })
})
