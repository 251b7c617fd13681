// The way back to the agency from a request: handed out once, to the browser in which access was given, and to nobody else.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createSuite, newCredentials, PUBLIC, requested, type Suite, type Tenant, tokenOf } from './suite.ts'
import { sql } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite()
})
afterAll(() => suite.stop())

const anyone = () => suite.world.client()
const RETURN = 'https://agency.example/in'
type Item = { token: string; itemId: string }

const submit = async (item: Item): Promise<string> => (await anyone().submitConnectItemCredentials(item, newCredentials())).result

async function consentTo(item: Item, decision = 'allow'): Promise<string> {
  const { authorizationUrl } = await anyone().startConnectItemOAuth(item, {})
  const there = await fetch(`${authorizationUrl}&decision=${decision}`, { redirect: 'manual' })
  const back = await fetch(there.headers.get('location')!.replace(PUBLIC, suite.world.url), { redirect: 'manual' })
  return back.headers.get('location')!.split('#result=')[1]!
}

const take = async (result: string) => (await anyone().takeConnectReturn({ result })).returnUrl

async function asked(tenant: Tenant) {
  const made = await requested(tenant)
  await tenant.admin.updateConnectRequest(made.at, { returnUrl: RETURN })
  const back = `${RETURN}?status=connected&requestId=${made.at.requestId}`
  return { ...made, back, publisher: made.items[0]!, search: made.items[1]! }
}
type Asked = Awaited<ReturnType<typeof asked>>

/** How a request becomes complete, and whether the last result leads back. */
const ends: Record<string, { walk: (walk: Asked) => Promise<string[]>; leads: boolean[] }> = {
  'the form last': { walk: async ({ search, publisher }) => [await consentTo(search), await submit(publisher)], leads: [true, true] },
  'the consent last': { walk: async ({ search, publisher }) => [await submit(publisher), await consentTo(search)], leads: [true, true] },
  'a declined item last': {
    walk: async ({ search, publisher }) => {
      const result = await submit(publisher)
      await anyone().declineConnectItem(search)
      return [result]
    },
    leads: [true],
  },
  'a consent that was canceled first': {
    walk: async ({ search, publisher }) => [await consentTo(search, 'deny'), await submit(publisher), await consentTo(search)],
    leads: [false, true, true],
  },
}

describe('a complete request', () => {
  it.each(Object.entries(ends))('with %s leads back whoever gave access, once', async (_, { walk, leads }) => {
    const asking = await asked(await suite.tenant())
    const results = await walk(asking)
    const page = await anyone().getPublicConnectRequest({ token: asking.token })
    expect(page).toMatchObject({ state: 'complete', request: { returnUrl: null } })
    for (const [at, result] of results.entries()) {
      expect((await anyone().getConnectResult({ result })).returnUrl).toBeNull()
      expect(await take(result)).toBe(leads[at] ? asking.back : null)
      expect(await take(result)).toBeNull()
    }
  })

  it('of which everything was declined leads nobody anywhere', async () => {
    const tenant = await suite.tenant()
    const made = await tenant.admin.createConnectRequest(tenant.w, {
      title: 'Accounts',
      returnUrl: RETURN,
      items: [{ provider: 'google_ads', optional: true }],
    })
    const item = { token: tokenOf(made.connectUrl!), itemId: made.items[0]!.id }
    const denied = await consentTo(item, 'deny')
    await anyone().declineConnectItem(item)
    expect(await anyone().getPublicConnectRequest({ token: item.token })).toMatchObject({ state: 'complete', request: { returnUrl: null } })
    expect(await take(denied)).toBeNull()
  })

  it('hands the way back to one of a hundred that ask at once', async () => {
    const { search, publisher, back } = await asked(await suite.tenant())
    await submit(publisher)
    const result = await consentTo(search)
    const taken = await Promise.all(Array.from({ length: 100 }, () => take(result)))
    expect(taken.filter(Boolean)).toEqual([back])
  })
})

describe('the way back', () => {
  it('is kept until everything is done', async () => {
    const { search, publisher, back } = await asked(await suite.tenant())
    const result = await submit(publisher)
    expect(await take(result)).toBeNull()
    await consentTo(search)
    expect(await take(result)).toBe(back)
  })

  it.each([
    ['the request’s link has expired', (of: Asked) => sql`update connect_requests set expires_at = now() where id = ${of.at.requestId}`],
    ['the hour is over', () => sql`update connect_visits set expires_at = now()`],
  ])('ends when %s', async (_, change) => {
    const asking = await asked(await suite.tenant())
    await submit(asking.publisher)
    const result = await consentTo(asking.search)
    await suite.world.query(change(asking))
    expect(await take(result)).toBeNull()
  })

  it('ends with the link of the request, and while the organization is frozen', async () => {
    const tenant = await suite.tenant()
    const [frozen, ended] = [await asked(tenant), await asked(tenant)]
    const results: string[] = []
    for (const { publisher, search } of [frozen, ended]) {
      await submit(publisher)
      results.push(await consentTo(search))
    }
    await tenant.admin.cancelConnectRequest(ended.at)
    expect(await take(results[1]!)).toBeNull()
    await tenant.admin.freezeOrganization(tenant.o, { reason: 'A key leaked' })
    expect(await take(results[0]!)).toBeNull()
  })

  it('of a colleague to whom an item was passed on is not the request’s', async () => {
    const { publisher, search } = await asked(await suite.tenant())
    const { connectUrl } = await anyone().passOnConnectItem(publisher)
    await consentTo(search)
    const { result } = await anyone().submitConnectCredentials({ token: tokenOf(connectUrl) }, newCredentials())
    expect(await take(result)).toBeNull()
  })
})
