// Six digits can be guessed at: only by whoever asked for them, five times, twenty a day for an address.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sweep } from '../src/features/infra/sweep.ts'
import { createBrowser } from './browser.ts'
import { createWorld, newAddress, refusal, request, sql, type TestPerson, type World } from './world.ts'

const PUBLIC = 'http://localhost:3000'
let world: World
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 1000 })
})
afterAll(() => world.stop())

const codeIn = (text: string) => /^\s+(\d{6})$/m.exec(text)?.[1]
const tokenIn = (text: string) => /#token=([\w-]{43})/.exec(text)![1]!
const wrong = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0')

const mailed = new Map<string, number>()
/** Asks for a mail as a program does. */
async function ask(email: string) {
  const { challenge } = await world.client().sendSignInLink({ email })
  const count = (mailed.get(email) ?? 0) + 1
  mailed.set(email, count)
  // A warning that was sent meanwhile may be newer.
  const mail = (await world.mails(email, count)).find(({ text }) => text.includes('#token='))
  return { email, challenge: challenge!, code: codeIn(mail!.text)!, token: tokenIn(mail!.text), text: mail!.text }
}
const someone = async (): Promise<TestPerson> => (await world.organization()).admin
const verify = (body: Parameters<ReturnType<World['client']>['verifySignIn']>[0]) => world.client().verifySignIn(body)
const invalid = async (body: Parameters<typeof verify>[0]) => expect((await refusal(verify(body))).code).toBe('sign_in_invalid')

describe('a code', () => {
  it('works with the challenge of the request that asked for it, and with no other', async () => {
    const { email } = await someone()
    const { challenge, code } = await ask(email)
    const another = await world.client().sendSignInLink({ email })
    await world.mails(email, 2)
    await invalid({ email, code })
    await invalid({ email, code, challenge: another.challenge! })
    await invalid({ email, code, challenge: `${challenge}x` })
    await invalid({ email: (await someone()).email, code, challenge })
    expect((await verify({ email, code, challenge })).user.email).toBe(email)
    await invalid({ email, code, challenge })
  })

  it('of a sign-up works with the challenge of the sign-up', async () => {
    const email = 'ada@fresh-agency.example'
    const body = { email, name: 'Ada', organizationName: 'Fresh', organizationSlug: 'fresh-agency', provider: 'magic-link' as const }
    const { challenge, ...rest } = await world.client().signUp(body)
    expect(rest).toEqual({ email, organizationSlug: 'fresh-agency', provider: 'magic-link' })
    const code = codeIn((await world.mails(email))[0]!.text)!
    await invalid({ email, code })
    expect((await verify({ email, code, challenge: challenge! })).signUp).toBe('completed')
  })

  it('guessed at with a wrong challenge, or none, is neither counted nor killed', async () => {
    const { email } = await someone()
    const { challenge, code } = await ask(email)
    for (let i = 0; i < 30; i++) await invalid({ email, code: wrong(code), ...(i % 2 && { challenge: 'x'.repeat(43) }) })
    expect(await world.query(sql`select from sign_in_guesses where email = ${email}`)).toHaveLength(0)
    expect((await verify({ email, code, challenge })).user.email).toBe(email)
  })

  it('that is wrong five times is dead; its link is not', async () => {
    const { email } = await someone()
    const { challenge, code, token } = await ask(email)
    for (let i = 0; i < 5; i++) await invalid({ email, code: wrong(code), challenge })
    await invalid({ email, code, challenge })
    expect((await verify({ token })).user.email).toBe(email)
  })

  it('answered through an older process, which knows no challenge, is not accepted; its link is', async () => {
    const { email } = await someone()
    const { challenge, code, token } = await ask(email)
    await world.query(sql`update sign_in_links set challenge_hash = null where email = ${email}`)
    await invalid({ email, code })
    await invalid({ email, code, challenge })
    expect((await verify({ token })).user.email).toBe(email)
  })
})

describe('a browser', () => {
  const post = (browser: ReturnType<typeof createBrowser>, path: string, body: object) => browser.post(path, body)

  it('gets its challenge as a cookie that scripts cannot read, for ten minutes, and never in an answer', async () => {
    const { email } = await someone()
    const answer = await request(`${world.url}/v1/auth/magic-link`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: PUBLIC },
      body: JSON.stringify({ email }),
    })
    expect(answer.json()).toEqual({ email })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^adjoin_challenge=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Max-Age=600$/),
    ])
  })

  it('signs in with the newest code that it asked for, and only there', async () => {
    const { email } = await someone()
    const [one, other] = [createBrowser(PUBLIC, world.url), createBrowser(PUBLIC, world.url)]
    await post(one, '/v1/auth/magic-link', { email })
    const first = codeIn((await world.mails(email))[0]!.text)!
    await post(one, '/v1/auth/magic-link', { email })
    const second = codeIn((await world.mails(email, 2))[0]!.text)!
    await post(other, '/v1/auth/magic-link', { email: (await someone()).email })
    expect((await post(other, '/v1/auth/magic-link/verify', { email, code: second })).status).toBe(401)
    if (first !== second) expect((await post(one, '/v1/auth/magic-link/verify', { email, code: first })).status).toBe(401)
    const signedIn = await post(one, '/v1/auth/magic-link/verify', { email, code: second })
    expect(signedIn.status).toBe(200)
    expect(one.cookies().has('adjoin_challenge')).toBe(false)
  })

  it('with two pages open for two people lets both in', async () => {
    const [ada, grace] = [await someone(), await someone()]
    const one = createBrowser(PUBLIC, world.url)
    for (const { email } of [ada, grace]) await post(one, '/v1/auth/magic-link', { email })
    const code = codeIn((await world.mails(ada.email))[0]!.text)!
    await world.mails(grace.email)
    expect((await post(one, '/v1/auth/magic-link/verify', { email: ada.email, code })).status).toBe(200)
  })
})

describe('twenty wrong codes within a day', () => {
  const guess = async (email: string, times: number) => {
    for (let left = times; left > 0; left -= 5) {
      const { challenge, code } = await ask(email)
      for (let i = 0; i < Math.min(5, left); i++) await invalid({ email, code: wrong(code), challenge })
    }
  }

  it('close the codes of the address, not its links, and its owner is told once', async () => {
    const { email } = await someone()
    await guess(email, 19)
    const last = await ask(email)
    await invalid({ email, code: wrong(last.code), challenge: last.challenge })
    mailed.set(email, mailed.get(email)! + 1) // the warning
    await invalid({ email, code: last.code, challenge: last.challenge })
    expect((await verify({ token: last.token })).user.email).toBe(email)

    const later = await ask(email)
    expect(later.code).toBeUndefined()
    expect(later.text).toContain('The link works once')
    expect((await verify({ token: later.token })).user.email).toBe(email)
    const warnings = (await world.mails(email, mailed.get(email)!)).filter(({ subject }) => subject.includes('wrong sign-in codes'))
    expect(warnings).toHaveLength(1)
  })

  it('open them again after 24 hours', async () => {
    const { email } = await someone()
    await guess(email, 20)
    mailed.set(email, mailed.get(email)! + 1)
    await world.query(sql`update sign_in_guesses set began_at = began_at - interval '24 hours', closed_until = closed_until - interval '24 hours'
      where email = ${email}`)
    const { challenge, code } = await ask(email)
    await invalid({ email, code: wrong(code), challenge })
    expect((await verify({ email, code, challenge })).user.email).toBe(email)
    await world.query(sql`update sign_in_guesses set began_at = began_at - interval '25 hours', closed_until = null where email = ${email}`)
    await sweep(world.app.parts)
    expect(await world.query(sql`select from sign_in_guesses where email = ${email}`)).toHaveLength(0)
  })

  it('are exactly twenty, however many arrive at once over three replicas and many mails', async () => {
    const urls = [world.app, await world.replica({ limitsFactor: 1000 }), await world.replica({ limitsFactor: 1000 })].map(({ url }) => url)
    const { email } = await someone()
    const asked = []
    for (let i = 0; i < 8; i++) asked.push(await ask(email))
    await Promise.all(
      asked.flatMap(({ challenge, code }, at) =>
        Array.from({ length: 5 }, (_, i) =>
          request(`${urls[(at + i) % 3]}/v1/auth/magic-link/verify`, {
            method: 'POST',
            address: newAddress(),
            headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ email, code: wrong(code), challenge }),
          }),
        ),
      ),
    )
    const [tried] = await world.query<{ attempts: number }>(
      sql`select sum(code_attempts)::int as attempts from sign_in_links where email = ${email}`,
    )
    expect(tried!.attempts).toBe(20)
  })

  it('of one address leave everybody else alone', async () => {
    const [victim, other] = [await someone(), await someone()]
    await guess(victim.email, 20)
    const { email, challenge, code } = await ask(other.email)
    expect((await verify({ email, code, challenge })).user.email).toBe(email)
  })
})

describe('an address without an account', () => {
  it('is answered like one with, when asked for a mail and when guessed at, by the same statements', async () => {
    const { email: known } = await someone()
    const unknown = 'nobody@nowhere-at-all.example'
    const traces = []
    for (const email of [known, unknown]) {
      const answer = await world.client().sendSignInLink({ email })
      await world.mails(email)
      world.statements.length = 0
      const problem = await refusal(verify({ email, code: '000000', challenge: answer.challenge! }))
      const { instance, requestId, ...rest } = problem.problem
      traces.push({ keys: Object.keys(answer), rest, statements: world.statements.filter((text) => /sign_in_(links|guesses)/.test(text)) })
    }
    expect(traces[0]).toEqual(traces[1])
    expect(traces[0]!.keys).toEqual(['email', 'challenge'])
    expect(traces[0]!.statements.length).toBeGreaterThan(2)
    expect(await world.query(sql`select from users where email = ${unknown}`)).toHaveLength(0)
  })
})
