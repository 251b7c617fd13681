import { createClient } from '@adjoin/contract'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { newApiKey } from '../src/domain/api-key.ts'
import { sweep } from '../src/features/infra/sweep.ts'
import { countBadCredentials } from '../src/http/limits.ts'
import { makeLimitsLast } from './lasting-limits.ts'
import { placeIn } from './workspace-place.ts'
import { createWorld, newAddress, refusal, request, sql, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const send = (email: string, address = newAddress(), url = world.url, headers = {}) =>
  request(`${url}/v1/auth/magic-link`, {
    method: 'POST',
    address,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ email }),
  })
let count = 0
const someone = () => `someone${++count}@nowhere.example`
/** Time passes, as far as limits are concerned. */
const pass = (seconds: number) => world.query(sql`update limits set ends_at = ends_at - make_interval(secs => ${seconds})`)
const times = <T>(n: number, act: (i: number) => Promise<T>) => Promise.all(Array.from({ length: n }, (_, i) => act(i)))
/** For a group of tests that are about who is counted, and not about when. */
function lasting() {
  let undo: () => Promise<unknown>
  beforeAll(async () => {
    undo = await makeLimitsLast(world)
  })
  afterAll(() => undo())
}
const allowed = (answers: { status: number }[]) => answers.filter(({ status }) => status === 202).length

describe('a limit is exact', () => {
  lasting()

  it('for one email: of 500 at once over three replicas, from 500 addresses, three are allowed', async () => {
    const urls = [world.app, await world.replica(), await world.replica()].map(({ url }) => url)
    const email = someone()
    const answers = await times(500, (i) => send(email, newAddress(), urls[i % 3]))
    expect(allowed(answers)).toBe(3)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(497)
  })

  it('for one address: of 100 at once for as many emails, ten are allowed', async () => {
    const address = newAddress()
    expect(allowed(await times(100, () => send(someone(), address)))).toBe(10)
  })

  it('and whoever is at theirs leaves everybody else alone', async () => {
    const email = someone()
    await times(5, () => send(email))
    expect((await send(email)).status).toBe(429)
    expect((await send(someone())).status).toBe(202)
  })

  it('never for redeeming a link: an attacker at the limit cannot keep its owner out', async () => {
    const { admin } = await world.organization()
    await send(admin.email)
    const [mail] = await world.mails(admin.email)
    await times(20, () => send(admin.email))
    const token = /#token=([\w-]{43})/.exec(mail!.text)![1]!
    expect((await world.client().verifySignIn({ token })).user.email).toBe(admin.email)
  })
})

describe('a limited answer', () => {
  it('says how much is left, and a refused one how long to wait', async () => {
    const email = someone()
    const first = await send(email)
    expect(first.headers.get('ratelimit-policy')).toBe(
      '"sign-in-mails-email-60";q=3;w=60, "sign-in-mails-email-3600";q=10;w=3600, "sign-in-mails-address-60";q=10;w=60, "sign-in-mails-address-3600";q=60;w=3600',
    )
    expect(first.headers.get('ratelimit')).toBe('"sign-in-mails-email-60";r=2;t=60')
    await times(2, () => send(email))
    const refused = await send(email)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toMatch(/^[1-9]\d*$/)
    expect(refused.headers.get('ratelimit')).toMatch(/^"sign-in-mails-email-60";r=0;t=\d+$/)
    expect(refused.json()).toMatchObject({ title: 'Too Many Requests', code: 'limit_exceeded', status: 429 })
  })

  it('can be repeated after Retry-After, and not after half of it', async () => {
    const email = someone()
    await times(3, () => send(email))
    const wait = Number((await send(email)).headers.get('retry-after'))
    await pass(Math.floor(wait / 2))
    expect((await send(email)).status).toBe(429)
    await pass(Math.ceil(wait / 2))
    expect((await send(email)).status).toBe(202)
  })

  it('takes nothing when it is refused: knocking on a closed minute does not use up the hour', async () => {
    const email = someone()
    const answers = await times(30, () => send(email))
    const waits = answers.filter(({ status }) => status === 429).map(({ headers }) => Number(headers.get('retry-after')))
    expect(Math.max(...waits)).toBeLessThanOrEqual(60)
    await pass(60)
    expect(allowed(await times(3, () => send(email)))).toBe(3)
    await pass(60)
    expect(allowed(await times(5, () => send(email)))).toBe(3)
    await pass(60)
    const last = await times(2, () => send(email))
    expect(allowed(last)).toBe(1) // the tenth of the hour
    expect(Number(last.find(({ status }) => status === 429)!.headers.get('retry-after'))).toBeGreaterThan(60)
  })

  it('has its numbers multiplied by LIMITS_FACTOR, and never rounded to none', async () => {
    const [twice, tiny] = [await world.replica({ limitsFactor: 2 }), await world.replica({ limitsFactor: 0.01 })]
    const email = someone()
    expect(allowed(await times(10, () => send(email, newAddress(), twice.url)))).toBe(6)
    const other = someone()
    expect(allowed(await times(3, () => send(other, newAddress(), tiny.url)))).toBe(1)
  })
})

describe('who is counted', () => {
  lasting()

  it('one mailbox, however it is spelled', async () => {
    const name = someone()
    const spellings = [name, name.toUpperCase(), ` ${name} `, name.replace('@', '＠'), name.replaceAll('.', '。'), `${name}.`]
    const answers = await times(spellings.length, (i) => send(spellings[i]!))
    expect(allowed(answers)).toBe(3)
  })

  it('one mailbox, whatever tag it is written with, and at Google with whatever dots', async () => {
    const [name] = someone().split('@')
    const tags = ['', '+1', '+2', '+a+b', '+', '+news']
    for (const domain of ['nowhere.example', 'gmail.com'])
      expect(allowed(await times(tags.length, (i) => send(`${name}${tags[i]}@${domain}`)))).toBe(3)
    const dotted = (domain: string) => times(5, (i) => send(`${name}x${'y'.repeat(i)}.${'y'.repeat(5 - i)}@${domain}`))
    expect(allowed(await dotted('googlemail.com'))).toBe(3)
    expect(allowed(await dotted('nowhere.example'))).toBe(5)
    const both = ['gmail.com', 'googlemail.com', 'GoogleMail.com', 'gmail.com.', 'googlemail。com']
    expect(allowed(await times(5, (i) => send(`${name}z@${both[i]}`)))).toBe(3)
  })

  it('for sign-ups as well: a tag is no new address', async () => {
    const [name] = someone().split('@')
    const sent = await times(6, (i) =>
      world
        .client()
        .signUp({
          email: `${name}+${i}@fresh-agency.example`,
          name: 'Ada',
          organizationName: 'Agency',
          organizationSlug: `tagged-${i}`,
          provider: 'magic-link',
        })
        .then(
          () => 202,
          ({ status }) => status,
        ),
    )
    expect(sent.filter((status) => status === 202)).toHaveLength(3)
  })

  it('the client that a trusted proxy names, not what the client says of itself', async () => {
    const real = newAddress()
    const answers = await times(20, (i) => send(someone(), `${i}.1.1.1, 198.51.100.${i}, ${real}`))
    expect(allowed(answers)).toBe(10)
  })

  it('the connection itself where no proxy is trusted', async () => {
    const direct = await world.replica({ trustedProxies: [] })
    const answers = await times(20, () => send(someone(), newAddress(), direct.url, { forwarded: `for=${newAddress()}` }))
    expect(allowed(answers)).toBe(10)
  })

  it('a whole /64 of IPv6, a /48 of it at eight times that, and IPv4 in whatever spelling', async () => {
    const prefix = `2001:db8:${(Date.now() & 0xffff).toString(16)}:1`
    expect(allowed(await times(20, (i) => send(someone(), i % 2 ? `${prefix}::${i}` : `${prefix.toUpperCase()}:0:0:0:${i}`)))).toBe(10)
    // Ten of each /64, and eighty of all of them.
    const from = await times(120, (i) => send(someone(), `2001:db8:${(process.pid & 0xffff).toString(16)}:${(i % 60).toString(16)}::1`))
    expect(allowed(from)).toBe(80)
    const mapped = ['::ffff:192.0.2.77', '::FFFF:c000:024d', '192.0.2.77', '0:0:0:0:0:ffff:192.0.2.77']
    expect(allowed(await times(20, (i) => send(someone(), mapped[i % 4])))).toBe(10)
  })
})

describe('what is counted for a thing of an organization', () => {
  it('is not used up by strangers who know its id', async () => {
    const of = await world.organization()
    const stranger = await world.person()
    const invited = await of.admin.client.createOrganizationInvitation({ orgSlug: of.slug }, { email: someone(), role: 'member' })
    for (let i = 0; i < 8; i++) {
      const { status } = await refusal(stranger.client.resendOrganizationInvitation({ orgSlug: of.slug, id: invited.id }))
      expect([404, 429]).toContain(status)
    }
    const sent = await of.admin.client.resendOrganizationInvitation({ orgSlug: of.slug, id: invited.id })
    expect(sent.id).toBe(invited.id)
  })
})

describe('a limit on a thing', () => {
  it('is not used up from elsewhere by whoever knows its id, and tells nobody that it exists', async () => {
    const [ours, theirs] = [await placeIn(world), await placeIn(world)]
    const { id } = await ours.admin.client.createIntegration(ours.at, { provider: 'xandr', name: 'Seat' })
    const invitation = await ours.admin.client.createOrganizationInvitation(
      { orgSlug: ours.at.orgSlug },
      { email: 'grace@elsewhere.example', role: 'viewer' },
    )
    const foreign = { ...theirs.at, id }
    for (let i = 0; i < 10; i++) expect(await refusal(theirs.admin.client.verifyIntegration(foreign))).toMatchObject({ status: 404 })
    for (let i = 0; i < 5; i++) {
      const resend = theirs.admin.client.resendOrganizationInvitation({ orgSlug: theirs.at.orgSlug, id: invitation.id })
      expect(await refusal(resend)).toMatchObject({ status: 404 })
    }
    expect(await refusal(ours.admin.client.verifyIntegration({ ...ours.at, id }))).toMatchObject({ code: 'integration_unconnected' })
    expect(await ours.admin.client.resendOrganizationInvitation({ orgSlug: ours.at.orgSlug, id: invitation.id })).toMatchObject({
      status: 'pending',
    })
  })
})

describe('the counters', () => {
  it('that do not answer close what they guard: 503 with Retry-After, and all is well afterwards', async () => {
    const impatient = await createWorld({}, { timeouts: { lock: 1000 } })
    onTestFinished(() => impatient.stop())
    const operator = new pg.Client({ connectionString: impatient.config.databaseUrl })
    await operator.connect()
    await operator.query('begin; lock table limits')
    const refused = await send(someone(), newAddress(), impatient.url)
    expect(refused.status).toBe(503)
    expect(refused.headers.get('retry-after')).toBe('1')
    await operator.end()
    expect((await send(someone(), newAddress(), impatient.url)).status).toBe(202)
  })

  it('are swept when they have ended', async () => {
    await send(someone())
    await pass(86_400)
    await sweep(world.app.parts)
    expect(await world.query(sql`select from limits`)).toHaveLength(0)
  })
})

describe('guessing at credentials', () => {
  it('is slowed down per address, and never blocks a good credential', async () => {
    const { admin, slug } = await world.organization()
    const address = newAddress()
    const guess = (headers: Record<string, string>, from = address) =>
      request(`${world.url}/v1/organizations/${slug}`, { headers, address: from })
    const wrong = (i: number): Record<string, string> =>
      i % 2 ? { 'x-api-key': newApiKey() } : { authorization: `Bearer ${'a'.repeat(43)}` }
    const guesses = await times(32, (i) => guess(wrong(i)))
    expect(guesses.map(({ status }) => status).sort()).toEqual([...Array(30).fill(401), 429, 429])
    const refused = await guess({ 'x-api-key': 'malformed' })
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    const good = createClient({ url: world.url, headers: { 'x-forwarded-for': address, authorization: `Bearer ${admin.token}` } })
    expect((await good.getOrganization({ orgSlug: slug })).slug).toBe(slug)
    expect((await guess({ 'x-api-key': newApiKey() }, newAddress())).status).toBe(401)
  })

  it('is forgotten after a minute, also when the clock was set back meanwhile', () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] })
    onTestFinished(() => void vi.useRealTimers())
    const count = countBadCredentials(1)
    for (let i = 0; i < 30; i++) count('203.0.113.7')
    expect(() => count('203.0.113.7')).toThrow()
    vi.setSystemTime(Date.now() - 24 * 3600 * 1000)
    vi.advanceTimersByTime(61_000)
    expect(() => count('203.0.113.7')).not.toThrow()
  })
})
