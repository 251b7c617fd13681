// Mails to people who may not have asked for them are counted by who sends,
// for whom, and to whom; and whoever is refused leaves no trace.
import { limits, operationIds, operations, route } from '@adjoin/contract'
import { beforeAll, describe, expect, it } from 'vitest'
import { world } from '../identity-world.ts'
import { makeLimitsLast } from '../lasting-limits.ts'
import { newAddress, refusal, request, sql, type TestOrganization } from '../world.ts'

beforeAll(async () => void (await makeLimitsLast(world)))

let count = 0
const someone = () => `someone${++count}@mailbox${count}.example`
const rows = async () => (await world.query(sql`select from limits`)).length
describe('invitations', () => {
  const invite = (of: TestOrganization, email = someone(), client = of.admin.client) =>
    client.createOrganizationInvitation({ orgSlug: of.slug }, { email, role: 'viewer' })

  it('by one person are sixty an hour, over all their organizations, keys and resends', async () => {
    const [one, other] = [await world.organization(), await world.organization()]
    await world.join(other, 'admin', one.admin)
    const key = await world.key(one, { level: 'organization', role: 'admin' })
    const { id } = await invite(one)
    await one.admin.client.resendOrganizationInvitation({ orgSlug: one.slug, id })
    for (let i = 0; i < 28; i++) await invite(one, someone(), key.client)
    for (let i = 0; i < 30; i++) await invite(other, someone(), one.admin.client)
    const attempts = [() => invite(one), () => invite(other, someone(), one.admin.client), () => invite(one, someone(), key.client)]
    for (const attempt of attempts) {
      const { status, problem, retryAfter } = await refusal(attempt())
      expect([status, problem.code]).toEqual([429, 'limit_exceeded'])
      expect(problem.detail).toMatch(/^You’ve reached the hourly limit for invitations\. Try again in [3-6]\d minutes\.$/)
      expect(retryAfter).toBeGreaterThan(1800)
    }
    const colleague = await world.join(one, 'admin')
    expect((await invite(one, someone(), colleague.client)).status).toBe('pending')
  })

  it('of one organization are five hundred a day, whoever sends them', async () => {
    const of = await world.organization()
    await world.query(sql`delete from limits`)
    await invite(of)
    // The day's counters of this invitation: one for its mailbox,
    // one for the organization. Neither is told apart from outside.
    await world.query(sql`update limits set hits = 500 where ends_at > now() + interval '23 hours'`)
    const colleague = await world.join(of, 'admin')
    const { problem } = await refusal(invite(of, someone(), colleague.client))
    expect(problem.detail).toMatch(/^Your organization has reached its daily limit for invitations\. Try again in 24 hours\.$/)
    expect((await invite(await world.organization())).status).toBe('pending')
  })

  it('to one mailbox are five a day, over all organizations and resends', async () => {
    const email = someone()
    const [first, second, third] = [await world.organization(), await world.organization(), await world.organization()]
    const { id } = await invite(first, email)
    await first.admin.client.resendOrganizationInvitation({ orgSlug: first.slug, id })
    const workspace = await world.workspace(second)
    const at = { orgSlug: second.slug, workspaceSlug: workspace.slug }
    await second.admin.client.createWorkspaceInvitation(at, { email: email.toUpperCase(), role: 'viewer' })
    await invite(second, email)
    await invite(third, email)
    const fourth = await world.organization()
    for (const attempt of [
      () => first.admin.client.resendOrganizationInvitation({ orgSlug: first.slug, id }),
      () => invite(fourth, email),
    ]) {
      const { status, problem } = await refusal(attempt())
      expect([status, problem.detail]).toEqual([429, 'No more invitations can be emailed to this address today. Try again in 24 hours.'])
    }
    expect(await world.mails(email, 5)).toHaveLength(5)
  })

  it('that are refused use nothing up, and change nothing', async () => {
    const of = await world.organization()
    const email = someone()
    await invite(of, email)
    for (let i = 0; i < 10; i++) expect((await refusal(invite(of, email))).code).toBe('invitation_pending')
    const stranger = await world.person()
    for (let i = 0; i < 10; i++) expect((await refusal(invite(of, email, stranger.client))).status).toBe(404)
    expect((await invite(await world.organization(), email)).status).toBe('pending')
  })
})

describe('a request that is refused', () => {
  it('leaves no row, with however many addresses it comes', async () => {
    const address = newAddress()
    const send = () =>
      request(`${world.url}/v1/auth/magic-link`, {
        method: 'POST',
        address,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email: someone() }),
      })
    for (let i = 0; i < 10; i++) expect((await send()).status).toBe(202)
    const before = await rows()
    const answers = await Promise.all(Array.from({ length: 400 }, send))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([429]))
    expect(await rows()).toBe(before)
  })

  it('nor does one that lost a race for the last place', async () => {
    const email = someone()
    await world.query(sql`delete from limits`)
    const answers = await Promise.all(
      Array.from({ length: 100 }, () =>
        request(`${world.url}/v1/auth/magic-link`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email }),
        }),
      ),
    )
    const allowed = answers.filter(({ status }) => status === 202).length
    expect(allowed).toBe(3)
    // The mailbox by minute and hour, and so each address that was let in.
    expect(await rows()).toBe(2 + 2 * allowed)
  })
})

describe('a browser that comes too often', () => {
  const redirecting = operationIds.filter((id) => 'redirect' in operations[id])

  it('is a limit on each way that redirects', () => {
    expect(redirecting.filter((id) => !limits[id]?.some(({ by }) => by === 'address'))).toEqual([])
    const shared = redirecting.flatMap((id) => limits[id]!.map(({ bucket }) => bucket))
    const elsewhere = operationIds.filter((id) => !redirecting.includes(id)).flatMap((id) => limits[id]?.map(({ bucket }) => bucket) ?? [])
    expect(shared.filter((bucket, at) => elsewhere.includes(bucket) || shared.indexOf(bucket) !== at)).toEqual([])
  })

  it.each(redirecting)('%s: is sent to the error page, with the time to wait', async (id) => {
    const address = newAddress()
    const go = () => request(`${world.url}${route(id)[1].replace('{provider}', 'google')}`, { address })
    const most = limits[id]!.find(({ by }) => by === 'address')!.limit
    for (let i = 0; i < most; i++) expect((await go()).status).toBe(302)
    const refused = await go()
    expect([refused.status, refused.text]).toEqual([302, ''])
    expect(refused.headers.get('location')).toMatch(/^http:\/\/localhost:3000\/error\?code=(connect_)?limit_exceeded$/)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await request(`${world.url}${route(id)[1].replace('{provider}', 'google')}`)).headers.get('location')).not.toContain(
      'limit_exceeded',
    )
  })

  it('and reads pages until it is told to wait still comes back from its consent', async () => {
    const address = newAddress()
    for (let i = 0; i < 61; i++) await request(`${world.url}/v1/connect/${'x'.repeat(43)}${i}`, { address })
    expect((await request(`${world.url}/v1/connect/unknown`, { address })).status).toBe(429)
    const back = await request(`${world.url}/v1/connect/oauth/callback?state=x`, { address })
    expect(back.headers.get('location')).toBe('http://localhost:3000/error?code=connect_state_invalid')
  })
})
