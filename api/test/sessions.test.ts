import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { digest, newToken } from '../src/vault/tokens.ts'
import { createWorld, refusal, request, sql, type TestPerson, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const another = (person: TestPerson) => world.signIn(person.id, person.email, person.name)
const works = (token: string, url = world.url) =>
  request(`${url}/v1/me`, { headers: { authorization: `Bearer ${token}` } }).then(({ status }) => status === 200)
const age = (token: string, days: { idle?: number; old?: number }) =>
  world.query(sql`update sessions set last_used_at = now() - make_interval(mins => ${Math.round((days.idle ?? 0) * 1440)}),
    created_at = now() - make_interval(mins => ${Math.round((days.old ?? days.idle ?? 0) * 1440)}) where token_hash = ${digest(token)}`)
const signInByMail = async (email: string, headers: Record<string, string> = {}) => {
  await world.client().sendSignInLink({ email })
  const [mail] = await world.mails(email)
  const token = /#token=([\w-]{43})/.exec(mail!.text)![1]!
  return request(`${world.url}/v1/auth/magic-link/verify`, {
    method: 'POST',
    body: JSON.stringify({ token }),
    headers: { 'content-type': 'application/json', ...headers },
  })
}

describe('a session', () => {
  it('is the same by cookie and as a bearer, and both end together', async () => {
    const { admin } = await world.organization()
    const byCookie = await request(`${world.url}/v1/auth/session`, { headers: { cookie: `adjoin_session=${admin.token}` } })
    const byBearer = await admin.client.getSession()
    expect(byCookie.json<typeof byBearer>().session.id).toBe(byBearer.session.id)
    await admin.client.signOut()
    for (const headers of [{ cookie: `adjoin_session=${admin.token}` }, { authorization: `Bearer ${admin.token}` }])
      expect((await request(`${world.url}/v1/me`, { headers })).status).toBe(401)
  })

  it('gets a new token at every sign-in: one planted before is worth nothing', async () => {
    const { admin } = await world.organization()
    const planted = newToken()
    const answer = await signInByMail(admin.email, { cookie: `adjoin_session=${planted}`, origin: 'http://localhost:3000' })
    const cookie = /^adjoin_session=([\w-]{43});/.exec(answer.headers.getSetCookie()[0]!)![1]!
    expect(cookie).not.toBe(planted)
    expect([await works(cookie), await works(planted)]).toEqual([true, false])
  })

  it('is handed to a browser in the cookie alone, and to a program as a token too', async () => {
    const browser = await signInByMail((await world.organization()).admin.email, { origin: 'http://localhost:3000' })
    expect(browser.json()).not.toHaveProperty('token')
    const program = await signInByMail((await world.organization()).admin.email)
    expect(program.json<{ token: string }>().token).toMatch(/^[\w-]{43}$/)
    const cookie = program.headers.getSetCookie()[0]!
    expect(cookie).toMatch(/^adjoin_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=[^;]+ GMT$/)
    // As long as the session can last at most: within it, the database decides.
    const days = (Date.parse(/Expires=([^;]+)/.exec(cookie)![1]!) - Date.now()) / 86_400_000
    expect(Math.round(days)).toBe(30)
  })

  it('has a closed cookie on https that no relaxation can open', async () => {
    const secure = await createWorld({ publicUrl: 'https://adjoin.example' })
    const { admin } = await secure.organization()
    await secure.client().sendSignInLink({ email: admin.email })
    const [mail] = await secure.mails(admin.email)
    const verify = await request(`${secure.url}/v1/auth/magic-link/verify`, {
      method: 'POST',
      body: JSON.stringify({ token: /#token=([\w-]{43})/.exec(mail!.text)![1] }),
      headers: { 'content-type': 'application/json' },
    })
    expect(verify.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^__Host-adjoin_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Expires=[^;]+; Secure$/),
    ])
    // The name without the prefix, which any host of the domain could set, means nothing.
    expect((await request(`${secure.url}/v1/me`, { headers: { cookie: `adjoin_session=${admin.token}` } })).status).toBe(401)
    expect((await request(`${secure.url}/v1/me`, { headers: { cookie: `__Host-adjoin_session=${admin.token}` } })).status).toBe(200)
    await secure.stop()
  })

  it('is stored as a hash only, of 256 random bits', async () => {
    const { admin } = await world.organization()
    expect(Buffer.from(admin.token, 'base64url')).toHaveLength(32)
    const rows = await world.query(sql`select row_to_json(s)::text as row from sessions s`)
    expect(JSON.stringify(rows)).not.toContain(admin.token)
  })

  it('ends a week after its last use and a month after its beginning, by the database’s clock', async () => {
    const { admin } = await world.organization()
    for (const [days, alive] of [
      [{ idle: 6.9 }, true],
      [{ idle: 7.01 }, false],
      [{ idle: 0, old: 29.9 }, true],
      [{ idle: 0, old: 30.01 }, false],
    ] as const) {
      const { token } = await another(admin)
      await age(token, days)
      expect(await works(token)).toBe(alive)
    }
  })

  it('slides with its use, and is not revived by it once it has ended', async () => {
    const own = await createWorld()
    const { admin } = await own.organization()
    const dead = await own.signIn(admin.id, admin.email, admin.name)
    const idle = (token: string, days: number) =>
      own.query(sql`update sessions set last_used_at = now() - make_interval(days => ${days}) where token_hash = ${digest(token)}`)
    await idle(admin.token, 6)
    await admin.client.getMe()
    await dead.client.getMe()
    await idle(dead.token, 8)
    await refusal(dead.client.getMe())
    await own.stop() // writes the last uses
    const left = await own.start()
    const idleDays = (token: string) =>
      left.parts.db.query<{ days: number }>(
        sql`select (extract(epoch from now() - last_used_at) / 86400)::int as days from sessions where token_hash = ${digest(token)}`,
      )
    expect([await idleDays(admin.token), await idleDays(dead.token)]).toEqual([[{ days: 0 }], [{ days: 8 }]])
    await left.stop()
  })
})

describe('my sessions', () => {
  it('are listed with where they came from, the current one marked, ended ones left out', async () => {
    const { admin } = await world.organization()
    const other = await another(admin)
    const ended = await another(admin)
    await ended.client.signOut()
    const { sessions } = await admin.client.listMySessions()
    expect(sessions).toHaveLength(2)
    expect(sessions.filter(({ current }) => current)).toHaveLength(1)
    expect((await other.client.listMySessions()).sessions.find(({ current }) => current)!.id).not.toBe(
      sessions.find(({ current }) => current)!.id,
    )
  })

  it('can be ended one by one, at once on every replica; the trail says so', async () => {
    const organization = await world.organization()
    const { admin } = organization
    const other = await another(admin)
    const replica = await world.replica()
    const { sessions } = await admin.client.listMySessions()
    const { id } = sessions.find(({ current }) => !current)!
    expect(await works(other.token, replica.url)).toBe(true)
    await admin.client.revokeMySession({ id })
    expect(await Promise.all([works(other.token), works(other.token, replica.url), works(admin.token)])).toEqual([false, false, true])
    expect((await refusal(admin.client.revokeMySession({ id }))).status).toBe(404)
    const { auditLogs } = await admin.client.listAuditLogs({ orgSlug: organization.slug })
    expect(auditLogs.map(({ action, metadata }) => [action, metadata])).toEqual([['user.signed_out', { sessions: 1 }]])
  })

  it('are mine alone: another person’s is not found, and stays', async () => {
    const [{ admin: one }, { admin: other }] = [await world.organization(), await world.organization()]
    const { session } = await other.client.getSession()
    const foreign = await refusal(one.client.revokeMySession({ id: session.id }))
    const missing = await refusal(one.client.revokeMySession({ id: '00000000-0000-4000-8000-000000000000' }))
    const bare = ({ instance: _, requestId: __, ...rest }: typeof foreign.problem) => rest
    expect(bare(foreign.problem)).toEqual(bare(missing.problem))
    expect(await works(other.token)).toBe(true)
    expect((await one.client.listMySessions()).sessions).toHaveLength(1)
  })

  it('all end when I sign out everywhere, on every replica', async () => {
    const { admin } = await world.organization()
    const others = await Promise.all([another(admin), another(admin)])
    const replica = await world.replica()
    await admin.client.signOutEverywhere()
    for (const { token } of [admin, ...others]) expect(await works(token, replica.url)).toBe(false)
  })

  it('clear the cookie when the current one ends', async () => {
    const { admin } = await world.organization()
    const { session } = await admin.client.getSession()
    const answer = await request(`${world.url}/v1/me/sessions/${session.id}`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${admin.token}` },
    })
    expect(answer.status).toBe(204)
    expect(answer.headers.getSetCookie()[0]).toMatch(/^adjoin_session=; .*Expires=Thu, 01 Jan 1970/)
  })

  it('are fifty at most, also when twenty sign-ins come at once: those used longest ago make room', async () => {
    const { admin } = await world.organization()
    await world.query(sql`insert into sessions (token_hash, user_id, method, last_used_at)
      select sha256(convert_to(n::text || ${admin.id}, 'utf8')), ${admin.id}, 'magic-link', now() - make_interval(hours => n) from generate_series(1, 44) n`)
    const links = Array.from({ length: 20 }, newToken)
    for (const token of links)
      await world.query(sql`insert into sign_in_links (email, token_hash, code_hash, expires_at)
        values (${admin.email}, ${digest(token)}, ${digest(token)}, now() + interval '10 minutes')`)
    const made = await Promise.all(links.map((token) => world.client().verifySignIn({ token })))
    const { sessions } = await world.client({ authorization: `Bearer ${made[0]!.token}` }).listMySessions()
    expect(sessions).toHaveLength(50)
    expect(await Promise.all(made.map(({ token }) => works(token!)))).not.toContain(false)
    expect(sessions.filter(({ lastUsedAt }) => Date.parse(lastUsedAt) < Date.now() - 30 * 3_600_000)).toHaveLength(0)
  })

  it('are not touched by cookies of other names or shapes', async () => {
    const { admin } = await world.organization()
    for (const cookie of [
      `adjoin_session.sig=${admin.token}`,
      `session=${admin.token}`,
      `adjoin_session=x; adjoin_session=${admin.token}`,
      `adjoin_session=${admin.token}x`,
      `adjoin_session=${encodeURIComponent(`${admin.token} `)}`,
      `ADJOIN_SESSION=${admin.token}`,
    ])
      expect(
        (
          await request(`${world.url}/v1/auth/sign-out-everywhere`, {
            method: 'POST',
            headers: { cookie, origin: 'http://localhost:3000' },
          })
        ).status,
      ).toBe(401)
    expect(await works(admin.token)).toBe(true)
  })
})
