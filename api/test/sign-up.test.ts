import { describe, expect, it } from 'vitest'
import { createBrowser } from './browser.ts'
import { google, microsoft, PUBLIC, world } from './identity-world.ts'
import { createWorld, refusal, sql } from './world.ts'

let counter = 0
const fresh = () => {
  const slug = `signup-${++counter}`
  return { slug, domain: `${slug}.example`, email: `ada@${slug}.example` }
}
const park = (
  email: string,
  organizationSlug: string,
  provider: 'magic-link' | 'google' | 'microsoft' = 'google',
  organizationName = 'Agency',
) => world.client().signUp({ email, name: 'Ada Lovelace', organizationName, organizationSlug, provider })
const signInWithGoogle = async (email: string, subject = `sub-${email}`) => {
  google.next = { sub: subject, email, email_verified: true, name: 'A. L.' }
  const browser = createBrowser(PUBLIC, world.url)
  return { browser, landing: await browser.visit('/v1/auth/google') }
}
const organizationWith = async (slug: string) => (await world.query(sql`select name, domain from organizations where slug = ${slug}`))[0]

describe('a sign-up with an identity provider', () => {
  it('only parks, without a mail; the sign-in there creates the organization and says so to the page it lands on', async () => {
    const { slug, domain, email } = fresh()
    expect(await park(email, slug)).toEqual({ email, organizationSlug: slug, provider: 'google' })
    expect(await organizationWith(slug)).toBeUndefined()
    const { browser, landing } = await signInWithGoogle(email)
    expect(Object.fromEntries(landing.searchParams)).toEqual({ signUp: 'completed', organizationSlug: slug })
    expect(await organizationWith(slug)).toEqual({ name: 'Agency', domain })
    expect(JSON.parse((await browser.request('/v1/me')).text)).toMatchObject({ email, name: 'Ada Lovelace' })
    expect(JSON.parse((await browser.request(`/v1/organizations/${slug}`)).text)).toMatchObject({ role: 'admin' })
    expect(await world.query(sql`select from jobs`)).toHaveLength(0)
    expect(await world.mails(email, 0)).toEqual([])
  })

  it('is confirmed by mail first where the provider does not vouch for the address', async () => {
    const { slug, email } = fresh()
    await park(email, slug, 'microsoft')
    const oid = '00000000-0000-4000-8000-0000000000aa'
    microsoft.next = { sub: 'x', tid: oid, oid, email, name: 'A. L.' }
    const browser = createBrowser(PUBLIC, world.url)
    expect((await browser.visit('/v1/auth/microsoft')).pathname).toBe('/signin')
    expect(await organizationWith(slug)).toBeUndefined()
    const [mail] = await world.mails(email)
    const code = /\b(\d{6})\b/.exec(mail!.text)![1]!
    const answer = JSON.parse((await browser.post('/v1/auth/magic-link/verify', { email, code })).text)
    expect(answer).toMatchObject({ signUp: 'completed', organizationSlug: slug })
    // Known from now on; another sign-up of the same person still needs the address proved.
    await world.query(sql`delete from organizations where slug = ${slug}`)
    await park(email, `${slug}-again`, 'microsoft')
    expect((await createBrowser(PUBLIC, world.url).visit('/v1/auth/microsoft')).pathname).toBe('/signin')
    expect(await organizationWith(`${slug}-again`)).toBeUndefined()
  })

  it('is refused where that provider is not set up', async () => {
    const bare = await createWorld()
    const body = { email: 'ada@free.example', name: 'Ada', organizationName: 'A', organizationSlug: 'a', provider: 'google' as const }
    const { status, problem } = await refusal(bare.client().signUp(body))
    expect([status, problem.code, problem.errors]).toEqual([
      400,
      'provider_unconfigured',
      [{ path: 'provider', message: expect.any(String) }],
    ])
    await bare.stop()
  })
})

describe('a parked sign-up', () => {
  it('waits 24 hours by the database’s clock, and is gone after', async () => {
    const { slug, email } = fresh()
    await park(email, slug)
    const [row] = await world.query<{ hours: number }>(
      sql`select (extract(epoch from expires_at - now()) / 3600)::float as hours from sign_ups where email = ${email}`,
    )
    expect(row!.hours).toBeCloseTo(24, 1)
    await world.query(sql`update sign_ups set expires_at = now() where email = ${email}`)
    const { landing } = await signInWithGoogle(email)
    expect(landing.href).toBe(`${PUBLIC}/error?code=account_unknown`)
    expect(await organizationWith(slug)).toBeUndefined()
  })

  it('is replaced by a later one of the same address, in any spelling, by any provider', async () => {
    const { slug, email } = fresh()
    await park(email, `${slug}-first`, 'google', 'First')
    await park(email.toUpperCase(), `${slug}-second`, 'magic-link', 'Second')
    const { landing } = await signInWithGoogle(email)
    expect(landing.searchParams.get('organizationSlug')).toBe(`${slug}-second`)
    expect(await organizationWith(`${slug}-first`)).toBeUndefined()
    expect(await organizationWith(`${slug}-second`)).toMatchObject({ name: 'Second' })
  })

  it('holds neither slug nor domain: others may take them, and the loser is told why and signed in', async () => {
    const [one, other] = [fresh(), fresh()]
    await park(one.email, one.slug)
    await park(other.email, one.slug)
    await park(`bob@${other.domain}`, `${other.slug}-bob`)
    expect((await signInWithGoogle(other.email)).landing.searchParams.get('signUp')).toBe('completed')
    const slugLost = await signInWithGoogle(one.email)
    expect(Object.fromEntries(slugLost.landing.searchParams)).toEqual({ signUp: 'refused', signUpReason: 'slug_taken' })
    const domainLost = await signInWithGoogle(`bob@${other.domain}`)
    expect(Object.fromEntries(domainLost.landing.searchParams)).toEqual({ signUp: 'refused', signUpReason: 'domain_taken' })
    for (const { browser } of [slugLost, domainLost]) expect((await browser.request('/v1/me')).status).toBe(200)
    expect(await world.query(sql`select from sign_ups where email in (${one.email}, ${`bob@${other.domain}`})`)).toHaveLength(0)
    // Bob's domain is an organization's now: he is a member of it.
    const role = await world.query(
      sql`select m.role from members m join users u on u.id = m.user_id where u.email = ${`bob@${other.domain}`}`,
    )
    expect(role).toEqual([{ role: 'member' }])
  })

  it('is completed once when ten sessions of the address are made at once', async () => {
    const { slug, email } = fresh()
    await park(email, slug)
    google.next = { sub: `sub-${email}`, email, email_verified: true }
    const landings = await Promise.all(Array.from({ length: 10 }, () => createBrowser(PUBLIC, world.url).visit('/v1/auth/google')))
    const completed = `?signUp=completed&organizationSlug=${slug}`
    expect(landings.map(({ search }) => search).sort()).toEqual([...Array(9).fill(''), completed])
  })

  it('is never adopted by a session of another address, nor by one whose address is only known from before', async () => {
    const { slug, email } = fresh()
    const home = await world.organization()
    const guest = await world.person('Guest', email)
    await world.join(home, 'guest', guest)
    await signInWithGoogle(email)
    await park(email, slug)
    // The linked account shows another address today: it proves nothing about this one.
    const { browser, landing } = await signInWithGoogle(`moved@${home.domain}`, `sub-${email}`)
    expect(landing.href).toBe(`${PUBLIC}/`)
    expect(JSON.parse((await browser.request('/v1/me')).text).email).toBe(email)
    expect(await organizationWith(slug)).toBeUndefined()
    expect((await signInWithGoogle(email)).landing.searchParams.get('organizationSlug')).toBe(slug)
  })
})

describe('the address of a sign-up', () => {
  it.each([
    ['a@b@gmail.com', 'two at signs'],
    ['"ada"@free.example', 'a quoted local part'],
    ['ada(comment)@free.example', 'a comment'],
    ['ada@free.example\r\nBcc: eve@evil.example', 'a second header'],
    ['ada@[10.0.0.1]', 'an address literal'],
    ['ada@10.0.0.1', 'a bare address'],
    ['ada@localhost', 'no public host'],
    ['ada@free..example', 'an empty label'],
    ['ada@-free.example', 'a label that begins with a dash'],
    ['ada@free.example/evil', 'a path'],
    ['.ada@free.example', 'a dot in front'],
    ['ada @free.example', 'a space'],
    ['ada\u0000@free.example', 'NUL'],
    ['аda@free.example', 'a letter that only looks like one'],
    ['@free.example', 'nobody'],
    ['ada@', 'nowhere'],
  ])('%j is refused: %s', async (email) => {
    const { status, problem } = await refusal(park(email, 'free-slug'))
    expect([status, problem.errors![0]!.path]).toEqual([400, 'email'])
  })

  it.each([
    ['ADA@GOOGLEMAIL.COM', 'case'],
    ['bea@gmail.com.', 'a trailing dot'],
    ['ｅｖｅ＠ｇｍａｉｌ．ｃｏｍ', 'full width'],
    ['ada@mail.outlook.com', 'a host below'],
    ['ida@ⓖmail.com', 'a circled letter'],
    ['ada@10minutemail.com', 'throw-away'],
  ])('%s is a public mailbox in any spelling: %s', async (email) => {
    expect((await refusal(park(email, 'free-slug'))).code).toBe('public_mailbox')
  })

  it('is of a taken domain in any spelling', async () => {
    const organization = await world.organization()
    await world.query(sql`update organizations set domain = 'xn--bcher-kva.example' where id = ${organization.id}`)
    for (const email of ['a@bücher.example', 'b@BÜCHER.example.', 'c@xn--bcher-kva.EXAMPLE', 'd@bücher。example'])
      expect((await refusal(park(email, 'free-slug'))).code).toBe('domain_taken')
  })
})
