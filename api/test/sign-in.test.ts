import { createClient } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeLimitsLast } from './lasting-limits.ts'
import { createWorld, newAddress, refusal, request, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
  await makeLimitsLast(world)
})
afterAll(() => world.stop())

let counter = 0
const signUp = async (domain = `agency${++counter}.example`) => {
  const email = `ada@${domain}`
  const slug = domain.replaceAll('.', '-')
  const body = { email, name: 'Ada Lovelace', organizationName: 'Agency', organizationSlug: slug, provider: 'magic-link' as const }
  const { challenge } = await world.client().signUp(body)
  const [mail] = await world.mails(email)
  const token = /#token=([\w-]{43})/.exec(mail!.text)![1]!
  const code = /\b(\d{6})\b/.exec(mail!.text)![1]!
  return { email, slug, token, code, challenge: challenge!, mail: mail! }
}

describe('signing up by mail', () => {
  it('creates the organization with the first session, in one go, and writes both into its audit trail', async () => {
    const { email, slug, token } = await signUp()
    const signedIn = await world.client().verifySignIn({ token })
    expect(signedIn).toMatchObject({
      signUp: 'completed',
      organizationSlug: slug,
      user: { email, name: 'Ada Lovelace', emailVerified: true, role: 'user' },
    })
    const client = world.client({ authorization: `Bearer ${signedIn.token}` })
    expect(await client.getOrganization({ orgSlug: slug })).toMatchObject({
      slug,
      name: 'Agency',
      role: 'admin',
      domain: email.split('@')[1],
    })
    const { auditLogs } = await client.listAuditLogs({ orgSlug: slug })
    expect(auditLogs.map(({ action }) => action)).toEqual(['user.signed_in', 'organization.created'])
    expect(auditLogs[1]).toMatchObject({
      sequence: 1,
      actor: { type: 'user', email },
      target: { type: 'organization' },
      context: { via: 'signIn' },
    })
  })

  it('signs in with the code as well as with the link', async () => {
    const { email, code, challenge } = await signUp()
    const signedIn = await world.client().verifySignIn({ email, code, challenge })
    expect(signedIn.token).toHaveLength(43)
  })

  it('lets the person sign in without the organization somebody asked for', async () => {
    const { token, slug } = await signUp()
    expect(await world.client().getSignInLink({ token })).toMatchObject({ organization: { slug, name: 'Agency' } })
    const signedIn = await world.client().verifySignIn({ token, completeSignUp: false })
    expect(signedIn.signUp).toBeUndefined()
    expect(await world.query(sql`select from organizations where slug = ${slug}`)).toHaveLength(0)
    expect(await world.query(sql`select from sign_ups where email = ${signedIn.user.email}`)).toHaveLength(0)
  })

  it.each([
    ['ada@gmail.com', 'a public mailbox'],
    ['ADA@GMail.COM.', 'a public mailbox in another spelling'],
    ['grace＠gmail.com', 'a full-width at sign'],
    ['alan@gmail。com', 'an ideographic full stop'],
    ['ada@post.gmail.com', 'a host below a public mailbox'],
    ['ada@mailinator.com', 'a throw-away address'],
  ])('refuses %s: %s', async (email) => {
    const error = await refusal(
      world.client().signUp({ email, name: 'Ada', organizationName: 'A', organizationSlug: 'a', provider: 'magic-link' }),
    )
    expect(error.problem).toMatchObject({ status: 400, title: 'Validation Failed', errors: [{ path: 'email' }] })
  })

  it('refuses a domain and a slug that are taken, each by its own word', async () => {
    const organization = await world.organization()
    const body = { name: 'Eve', organizationName: 'E', provider: 'magic-link' as const }
    const domain = await refusal(
      world.client().signUp({ ...body, email: `eve@${organization.domain.toUpperCase()}`, organizationSlug: 'other' }),
    )
    expect([domain.status, domain.code]).toEqual([409, 'domain_taken'])
    const slug = await refusal(world.client().signUp({ ...body, email: 'eve@free-domain.example', organizationSlug: organization.slug }))
    expect([slug.status, slug.code]).toEqual([409, 'slug_taken'])
  })

  it('gives two racing sign-ups for one slug to one of them; the other is told and signed in all the same', async () => {
    const [one, other] = await Promise.all(['first', 'second'].map((name) => signUp(`${name}-racer.example`)))
    await world.query(sql`update sign_ups set organization_slug = 'same-slug'`)
    const answers = await Promise.all([one!, other!].map(({ token }) => world.client().verifySignIn({ token })))
    expect(answers.map(({ signUp }) => signUp).sort()).toEqual(['completed', 'refused'])
    expect(answers.find(({ signUp }) => signUp === 'refused')).toMatchObject({ signUpReason: 'slug_taken', token: expect.any(String) })
  })
})

describe('a mailed link', () => {
  it('is consumed by no GET and no HEAD, however often', async () => {
    const { token } = await signUp()
    for (let i = 0; i < 50; i++) {
      await request(`${world.url}/v1/auth/magic-link/${token}`, { method: i % 2 ? 'HEAD' : 'GET', headers: { purpose: 'prefetch' } })
      await request(`${world.url}/signin/link?token=${token}`, { headers: { accept: 'text/html' } })
    }
    expect((await world.client().verifySignIn({ token })).signUp).toBe('completed')
  })

  it('works once: of a hundred at once over three replicas exactly one wins', async () => {
    const replicas = [world.app, await world.replica(), await world.replica()]
    const { token } = await signUp()
    const tries = Array.from({ length: 100 }, (_, i) =>
      createClient({ url: replicas[i % 3]!.url, headers: { 'x-forwarded-for': newAddress() } })
        .verifySignIn({ token })
        .then(
          () => 'won',
          (error) => error.code,
        ),
    )
    const outcomes = await Promise.all(tries)
    expect(outcomes.filter((outcome) => outcome === 'won')).toHaveLength(1)
    expect(new Set(outcomes)).toEqual(new Set(['won', 'sign_in_invalid']))
  })

  it('outlives five wrong codes, which kill only the code', async () => {
    const { email, code, challenge, token } = await signUp()
    const wrong = code === '000000' ? '000001' : '000000'
    for (let i = 0; i < 5; i++)
      expect((await refusal(world.client().verifySignIn({ email, code: wrong, challenge }))).code).toBe('sign_in_invalid')
    expect((await refusal(world.client().verifySignIn({ email, code, challenge }))).code).toBe('sign_in_invalid')
    expect((await world.client().verifySignIn({ token })).user.email).toBe(email)
  })

  it('ends after ten minutes by the database’s clock', async () => {
    const { token, email } = await signUp()
    const [link] = await world.query<{ minutes: number }>(
      sql`select extract(epoch from expires_at - created_at) / 60 as minutes from sign_in_links where email = ${email}`,
    )
    expect(Math.round(Number(link!.minutes))).toBe(10)
    await world.query(sql`update sign_in_links set expires_at = now() where email = ${email}`)
    expect((await refusal(world.client().verifySignIn({ token }))).status).toBe(401)
  })
})

describe('a sign-in mail', () => {
  it('is answered alike for every address, and tells a stranger that there is no account', async () => {
    const organization = await world.organization()
    const known = await request(`${world.url}/v1/auth/magic-link`, json({ email: organization.admin.email }))
    const unknown = await request(`${world.url}/v1/auth/magic-link`, json({ email: 'nobody@nowhere.example' }))
    expect([known.status, unknown.status]).toEqual([202, 202])
    expect(Object.keys(known.json())).toEqual(Object.keys(unknown.json()))
    expect((await world.mails(organization.admin.email))[0]!.subject).toBe('Your Adjoin sign-in link')
    expect((await world.mails('nobody@nowhere.example'))[0]!.subject).toBe('There is no Adjoin account for this email address')
    expect(await world.query(sql`select from users where email = 'nobody@nowhere.example'`)).toHaveLength(0)
  })

  it('never takes its host from the request', async () => {
    const organization = await world.organization()
    await request(
      `${world.url}/v1/auth/magic-link`,
      json({ email: organization.admin.email }, { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }),
    )
    const [mail] = await world.mails(organization.admin.email)
    expect(mail!.text).toContain('http://localhost:3000/signin/link#token=')
    expect(mail!.text).not.toContain('evil.example')
  })

  it('is limited to three a minute for one address, with a Retry-After that suffices', async () => {
    const email = 'often@nowhere.example'
    const answers = []
    for (let i = 0; i < 4; i++)
      answers.push(await request(`${world.url}/v1/auth/magic-link`, json({ email: i % 2 ? email : email.toUpperCase() })))
    expect(answers.map(({ status }) => status)).toEqual([202, 202, 202, 429])
    expect(Number(answers[3]!.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(answers[3]!.headers.get('content-type')).toBe('application/problem+json')
  })
})

const json = (body: unknown, headers: Record<string, string> = {}) => ({
  method: 'POST',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json', ...headers },
})
