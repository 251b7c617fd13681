import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, refusal, request, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const SCANNER = { purpose: 'prefetch', 'sec-purpose': 'prefetch', 'user-agent': 'Mozilla/5.0 (compatible; SafeLinks scanner)' }
const linkFor = async (email: string, count = 1) => {
  const { challenge } = await world.client().sendSignInLink({ email })
  const [mail] = await world.mails(email, count)
  return { token: /#token=([\w-]{43})/.exec(mail!.text)![1]!, code: /\b(\d{6})\b/.exec(mail!.text)![1]!, challenge: challenge! }
}
/** Everything that a link could have changed. */
const everything = async () =>
  JSON.stringify(
    await world.query(sql`select
      (select json_agg(to_json(l) order by l.id) from sign_in_links l) as links, (select json_agg(to_json(i) order by i.id) from invitations i) as invitations,
      (select count(*) from users) as users, (select count(*) from members) as members, (select json_agg(s.ended_at order by s.id) from sessions s) as sessions,
      (select count(*) from organizations) as organizations, (select count(*) from audit_entries) as entries, (select count(*) from sign_ups) as sign_ups,
      (select json_agg(d.status order by d.id) from device_logins d) as devices`),
  )

describe('the links that we mail', () => {
  it('do nothing when they are only looked at, fifty times by GET and by HEAD, whoever looks', async () => {
    const organization = await world.organization()
    const { admin, slug: orgSlug } = organization
    const { token } = await linkFor(admin.email)
    const guest = await world.person('Guest')
    await admin.client.createOrganizationInvitation({ orgSlug }, { email: guest.email, role: 'viewer' })
    const [mail] = await world.mails(guest.email)
    const invitation = new URL(/http\S+/.exec(mail!.text)![0])
    const secret = new URLSearchParams(invitation.hash.slice(1)).get('token') ?? invitation.pathname.split('/').at(-1)!
    const device = await world.client().startDeviceLogin({})
    const paths = [
      `/signin/link`,
      `/v1/auth/magic-link/${token}`,
      invitation.pathname,
      `/v1/invitations/${secret}`,
      `/device?code=${device.userCode}`,
      `/v1/auth/device/${device.userCode}`,
      '/v1/auth/magic-link/verify',
      `/v1/auth/magic-link/verify?token=${token}`,
    ]
    const before = await everything()
    for (let i = 0; i < 50; i++)
      await Promise.all(
        paths.map((path) =>
          request(`${world.url}${path}`, {
            method: i % 2 ? 'HEAD' : 'GET',
            headers: { ...SCANNER, authorization: `Bearer ${guest.token}` },
          }),
        ),
      )
    expect(await everything()).toBe(before)
    expect((await world.client().verifySignIn({ token })).user.email).toBe(admin.email)
    expect((await guest.client.listMyInvitations()).invitations).toHaveLength(1)
  })

  it('carry their token behind #, where no server and no log ever sees it', async () => {
    const { admin } = await world.organization()
    const { token } = await linkFor(admin.email)
    await request(`${world.url}/v1/auth/magic-link/${token}`)
    await refusal(world.client().verifySignIn({ token: `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}` }))
    expect(world.log.lines.join('')).not.toContain(token)
  })

  it('are kept hashed: the database knows neither token nor code', async () => {
    const { admin } = await world.organization()
    const { token, code } = await linkFor(admin.email)
    const [row] = await world.query<{ row: string }>(
      sql`select row_to_json(l)::text as row from sign_in_links l where email = ${admin.email}`,
    )
    expect(row!.row).not.toContain(token)
    expect(row!.row).not.toMatch(new RegExp(`\\b${code}\\b`))
    expect(Buffer.from(token, 'base64url')).toHaveLength(32)
  })

  it('each work once by themselves, and a code ends its own link', async () => {
    const { admin } = await world.organization()
    const first = await linkFor(admin.email)
    const { code, challenge, token } = await linkFor(admin.email, 2)
    await world.client().verifySignIn({ email: admin.email, code, challenge })
    expect((await refusal(world.client().verifySignIn({ email: admin.email, code, challenge }))).code).toBe('sign_in_invalid')
    expect((await refusal(world.client().verifySignIn({ token }))).code).toBe('sign_in_invalid')
    expect((await world.client().verifySignIn({ token: first.token })).user.email).toBe(admin.email)
    expect((await refusal(world.client().verifySignIn({ token: first.token }))).code).toBe('sign_in_invalid')
  })

  it('are spent even when what follows is refused', async () => {
    const organization = await world.organization()
    const email = `late@${organization.domain}`
    const { token } = await linkFor(email)
    await world.query(sql`update organizations set domain = null where id = ${organization.id}`)
    expect((await refusal(world.client().verifySignIn({ token }))).problem).toMatchObject({ status: 401, error: 'account_unknown' })
    await world.query(sql`update organizations set domain = ${organization.domain} where id = ${organization.id}`)
    expect((await refusal(world.client().verifySignIn({ token }))).code).toBe('sign_in_invalid')
    expect(await world.query(sql`select from users where email = ${email}`)).toHaveLength(0)
  })

  it('name the address they will sign in before anyone clicks, whichever browser opens them', async () => {
    const { admin } = await world.organization()
    const { token } = await linkFor(admin.email)
    expect(await world.client().getSignInLink({ token })).toMatchObject({ email: admin.email, organization: null })
  })

  it('are asked for with the same statements whether or not the address is known', async () => {
    const { admin } = await world.organization()
    const quiet = await world.start({ roles: { api: true, jobs: false } })
    const sent = async (email: string) => {
      const from = world.statements.length
      await world.client(undefined, quiet.url).sendSignInLink({ email })
      return world.statements.slice(from).filter((text) => !/jobs set leased_until|schedules/.test(text))
    }
    const known = await sent(admin.email)
    const unknown = await sent('nobody@nowhere.example')
    const blocked = await sent('nobody@gmail.com')
    await quiet.stop()
    expect(known.some((text) => text.includes('insert into jobs'))).toBe(true)
    const own = (texts: string[]) => texts.filter((text) => /limits|insert into jobs/.test(text))
    expect(own(unknown)).toEqual(own(known))
    expect(own(blocked)).toEqual(own(known))
    for (const texts of [known, unknown, blocked]) expect(own(texts).join()).not.toContain('users')
  })
})
