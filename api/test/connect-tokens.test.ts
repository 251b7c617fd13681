import { createClient } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { beginVisit, readVisit } from '../src/features/connect/visit.ts'
import { newSealKey, parseKeyRing } from '../src/vault/key-ring.ts'
import { createVault } from '../src/vault/seal.ts'
import { createWorld, newAddress, refusal, request, sql, type TestOrganization, type TestWorkspace, type World } from './world.ts'

let world: World
let agency: TestOrganization
let place: TestWorkspace
let at: { orgSlug: string; workspaceSlug: string }
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 1000 })
  agency = await world.organization()
  place = await world.workspace(agency)
  at = { orgSlug: agency.slug, workspaceSlug: place.slug }
})
afterAll(() => world.stop())

const PUBLIC = 'http://localhost:3000'
const GONE = `${PUBLIC}/error?code=connect_link_gone`
const INVALID = `${PUBLIC}/error?code=connect_state_invalid`
const tokenOf = (url: string) => url.split('/').at(-1)!
let logins = 0
const login = () => ({ username: `api-user-${++logins}`, password: 'Correct-Horse-1' })
const create = async (provider: 'xandr' | 'google_ads' = 'xandr') => {
  const settings = provider === 'xandr' ? {} : { customerId: '1234567890' }
  const made = await agency.admin.client.createIntegration(at, { provider, name: 'Publisher', settings })
  return { id: made.id, token: tokenOf(made.connectUrl) }
}
const anyone = (url = world.url) => createClient({ url, headers: { 'x-forwarded-for': newAddress() } })
const outcome = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error) => error.code as string,
  )
const credentials = async (id: string) =>
  (await world.query<{ n: number }>(sql`select count(*)::int as n from integrations where id = ${id} and credential is not null`))[0]!.n

/** To the consent screen through one process; the address that the browser comes back with. */
async function consent(token: string, url = world.url): Promise<URL> {
  const { authorizationUrl } = await anyone(url).startConnectOAuth({ token }, {})
  const there = await fetch(`${authorizationUrl}&decision=allow`, { redirect: 'manual' })
  return new URL(there.headers.get('location')!)
}
const back = async (callback: URL, url = world.url) =>
  (await request(`${url}${callback.pathname}${callback.search}`)).headers.get('location')

describe('a connect token', () => {
  it.each([
    ['of no length', '', [400, 404]],
    ['of 128 characters', 'x'.repeat(128), 404],
    ['of 129 characters', 'x'.repeat(129), 400],
    ['with a NUL', 'abc%00def', [400, 404]],
    ['with broken UTF-8', '%ff%fe', [400, 404]],
    ['with a slash', 'a%2Fb', 404],
    ['with a traversal', '..%2f..%2fv1%2fme', 404],
    ['of another script', encodeURIComponent('ключ🔑'), 404],
  ])('%s is refused with a problem, however it is asked for', async (_, token, expected) => {
    const asked = [
      request(`${world.url}/v1/connect/${token}`),
      ...['oauth', 'credentials'].map((verb) =>
        request(`${world.url}/v1/connect/${token}/${verb}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{}',
        }),
      ),
    ]
    for (const answer of await Promise.all(asked)) {
      expect([expected].flat()).toContain(answer.status)
      expect(answer.headers.get('content-type')).toContain('application/problem+json')
    }
  })

  it('that was replaced is dead at once on every replica, and the new one lives there', async () => {
    const replicas = [world.app, await world.replica(), await world.replica()]
    for (let round = 0; round < 5; round++) {
      const { id, token } = await create()
      for (const { url } of replicas) expect((await anyone(url).getConnectLink({ token })).state).toBe('ready')
      const fresh = tokenOf((await agency.admin.client.issueConnectLink({ ...at, id }, {})).connectUrl)
      const reads = replicas.flatMap(({ url }) => [
        outcome(anyone(url).getConnectLink({ token })),
        outcome(anyone(url).submitConnectCredentials({ token }, login())),
      ])
      expect(await Promise.all(reads)).toEqual(reads.map(() => 'not_found'))
      for (const { url } of replicas) expect((await anyone(url).getConnectLink({ token: fresh })).state).toBe('ready')
    }
  })

  it('expires at the second it says, for reads, submissions and in the record alike', async () => {
    const { id, token } = await create()
    const { connectLink } = await agency.admin.client.getIntegration({ ...at, id })
    expect([connectLink!.expired, (await anyone().getConnectLink({ token })).state]).toEqual([false, 'ready'])
    await world.query(sql`update connect_links set expires_at = now() + interval '1 second' where integration_id = ${id}`)
    const { expiresAt } = (await agency.admin.client.getIntegration({ ...at, id })).connectLink!
    await new Promise((resolve) => setTimeout(resolve, Date.parse(expiresAt) - Date.now() + 20))
    expect((await agency.admin.client.getIntegration({ ...at, id })).connectLink!.expired).toBe(true)
    expect((await anyone().getConnectLink({ token })).state).toBe('expired')
    const error = await refusal(anyone().submitConnectCredentials({ token }, login()))
    expect([error.status, error.code, await credentials(id)]).toEqual([401, 'link_expired', 0])
  })

  it('that was used cannot be told from one that never was', async () => {
    const { token } = await create()
    await anyone().submitConnectCredentials({ token }, login())
    const [used, unknown] = await Promise.all([token, 'y'.repeat(43)].map((one) => request(`${world.url}/v1/connect/${one}`)))
    expect({ ...used!.json(), instance: '', requestId: '' }).toEqual({ ...unknown!.json(), instance: '', requestId: '' })
  })

  it('opens its own integration’s page and nothing else', async () => {
    const { token } = await create()
    const page = await request(`${world.url}/v1/connect/${token}`)
    expect(Object.keys(page.json()).sort()).toEqual([
      'accessUntil',
      'callPolicy',
      'expectedAccount',
      'expiresAt',
      'language',
      'name',
      'organization',
      'provider',
      'requester',
      'state',
      'workspace',
    ])
    expect([page.headers.get('cache-control'), page.headers.get('referrer-policy')]).toEqual(['no-store', 'no-referrer'])
    expect(page.headers.getSetCookie()).toEqual([])
    for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-api-key': token }, { cookie: `adjoin_session=${token}` }])
      expect((await request(`${world.url}/v1/me`, { headers })).status).toBe(401)
  })

  it('is limited by itself and by the address that sends it', async () => {
    const strict = await world.replica({ limitsFactor: 1 })
    const { token } = await create()
    const from = (address: string) => createClient({ url: strict.url, headers: { 'x-forwarded-for': address }, retries: 0 })
    const many = (n: number, call: (i: number) => Promise<unknown>) => Promise.all(Array.from({ length: n }, (_, i) => outcome(call(i))))
    const byToken = await many(40, () => from(newAddress()).getConnectLink({ token }))
    expect(byToken.filter((code) => code === 'done')).toHaveLength(30)
    const one = newAddress()
    const byAddress = await many(25, (i) => from(one).submitConnectCredentials({ token: `${i}`.padStart(43, 'z') }, login()))
    expect(byAddress.filter((code) => code === 'not_found')).toHaveLength(20)
    expect((await anyone().getConnectLink({ token: (await create()).token })).state).toBe('ready')
  })
})

describe('connecting while the integration is', () => {
  const rounds = Array.from({ length: 8 })

  it('deleted leaves nothing behind', async () => {
    for (const _ of rounds) {
      const { id, token } = await create()
      await Promise.all([
        outcome(anyone().submitConnectCredentials({ token }, login())),
        agency.admin.client.deleteIntegration({ ...at, id }),
      ])
      expect(await world.query(sql`select from integrations where id = ${id}`)).toHaveLength(0)
      expect(await world.query(sql`select from connect_links where integration_id = ${id}`)).toHaveLength(0)
    }
  })

  it('disabled ends disabled, connected before or not at all', async () => {
    for (const _ of rounds) {
      const { id, token } = await create()
      const [connected] = await Promise.all([
        outcome(anyone().submitConnectCredentials({ token }, login())),
        agency.admin.client.disableIntegration({ ...at, id }),
      ])
      expect((await agency.admin.client.getIntegration({ ...at, id })).status).toBe('disabled')
      expect(await credentials(id)).toBe(connected === 'done' ? 1 : 0)
    }
  })

  it('given a new link connects by the old one before that, or not at all', async () => {
    for (const _ of rounds) {
      const { id, token } = await create()
      const [connected, { connectUrl }] = await Promise.all([
        outcome(anyone().submitConnectCredentials({ token }, login())),
        agency.admin.client.issueConnectLink({ ...at, id }, {}),
      ])
      const after = await agency.admin.client.getIntegration({ ...at, id })
      expect([after.status, await credentials(id)]).toEqual(connected === 'done' ? ['active', 1] : ['pending', 0])
      expect(after.connectLink?.connectUrl).toBe(connectUrl)
    }
  })
})

describe('the state of a visit', () => {
  it('opens only as it was sealed: every character changed, cut or added is refused, on the way back too', async () => {
    const { id, token } = await create('google_ads')
    const callback = await consent(token)
    const state = callback.searchParams.get('state')!
    expect(readVisit(world.app.parts, state)).toMatchObject({ integrationId: id, provider: 'google_ads' })
    for (let i = 0; i < state.length; i++) {
      const other = state[i] === 'A' ? 'B' : 'A'
      expect(readVisit(world.app.parts, `${state.slice(0, i)}${other}${state.slice(i + 1)}`), `character ${i}`).toBeUndefined()
      expect(readVisit(world.app.parts, state.slice(0, i)), `cut at ${i}`).toBeUndefined()
    }
    for (const bad of [`${state}A`, ` ${state}`, `${state}.`, `${state}=`, state.toUpperCase(), 'v1.test1.', '', 'x'.repeat(4096)]) {
      callback.searchParams.set('state', bad)
      expect(await back(callback)).toBe(INVALID)
    }
    callback.searchParams.set('state', state)
    expect(await back(callback)).toContain('/connect/result#')
    expect(await back(callback)).toBe(INVALID)
  })

  it('carries the verifier sealed, in less than 2 KB, and nothing readable', async () => {
    const { id, token } = await create('google_ads')
    const state = (await consent(token)).searchParams.get('state')!
    const { codeVerifier } = readVisit(world.app.parts, state)!
    expect(state.length).toBeLessThan(2048)
    expect(Buffer.from(state.split('.')[2]!, 'base64url').toString('latin1')).not.toMatch(new RegExp(`${codeVerifier}|${id}|${token}`))
  })

  it('lasts ten minutes by the database’s clock', async () => {
    const { token } = await create('google_ads')
    const callback = await consent(token)
    const { id } = readVisit(world.app.parts, callback.searchParams.get('state')!)!
    const [row] = await world.query<{ seconds: number }>(
      sql`update connect_visits set expires_at = now() where id = ${id} returning extract(epoch from (select expires_at from connect_visits where id = ${id}) - now())::int as seconds`,
    )
    expect(row!.seconds).toBeGreaterThan(570)
    expect(row!.seconds).toBeLessThanOrEqual(600)
    expect(await back(callback)).toBe(INVALID)
  })

  it('is of no use to another integration or provider than its own', async () => {
    const [mine, other] = [await create('google_ads'), await create('google_ads')]
    const callback = await consent(mine.token)
    const { id: _, ...visit } = readVisit(world.app.parts, callback.searchParams.get('state')!)!
    for (const changed of [{ integrationId: other.id }, { provider: 'meta_ads' }, { linkHash: 'AAAA' }]) {
      callback.searchParams.set('state', await beginVisit(world.app.parts, { ...visit, ...changed }))
      expect(await back(callback)).toBe(GONE)
    }
    expect([await credentials(mine.id), await credentials(other.id)]).toEqual([0, 0])
  })

  it('opens under a key that no longer seals, and is refused like any other under one that is gone', async () => {
    const next = parseKeyRing(newSealKey('test2'))[0]!
    const rotated = await world.replica({ sealKeys: [next, ...world.config.sealKeys!] })
    const [first, second] = [await create('google_ads'), await create('google_ads')]
    expect(await back(await consent(first.token), rotated.url)).toContain('/connect/result#')
    const callback = await consent(second.token, rotated.url)
    expect(callback.searchParams.get('state')).toMatch(/^v1\.test2\./)
    expect(await back(callback, world.url)).toBe(INVALID)
    expect(
      readVisit({ ...world.app.parts, vault: createVault([{ ...next, key: Buffer.alloc(32, 7) }]) }, callback.searchParams.get('state')!),
    ).toBeUndefined()
    expect(await credentials(second.id)).toBe(0)
  })
})
