// What the system tells of by itself: links that are used or end, keys that are about to end. Each once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteExpiries } from '../src/features/audit/note-expiries.ts'
import { findProvider } from '../src/providers/index.ts'
import { credentialOf } from '../src/providers/provider.ts'
import { grantEnd } from '../src/providers/session.ts'
import { connected, createSuite, integrate, newCredentials, type Suite, type Tenant } from './suite.ts'
import { sql } from './world.ts'

let suite: Suite
beforeAll(async () => {
  suite = await createSuite({ roles: { api: true, jobs: false } })
})
afterAll(() => suite.stop())

const told = async ({ admin, o }: Tenant, types: string) => (await admin.listEvents({ ...o, after: 'start', types })).events
const note = () => noteExpiries(suite.world.app.parts)

describe('a connect link', () => {
  it('is told of when a client first submits something, not when somebody looks', async () => {
    const tenant = await suite.tenant()
    const { token, id } = await integrate(tenant)
    const client = suite.world.client()
    await client.getConnectLink({ token })
    expect(await told(tenant, 'connect_link.*')).toEqual([])
    for (let round = 0; round < 2; round++)
      await client.submitConnectCredentials({ token }, { username: 'disabled-user', password: 'Correct-Horse-1' })
    await client.submitConnectCredentials({ token }, newCredentials())
    expect(await told(tenant, 'connect_link.*')).toMatchObject([
      { type: 'connect_link.started', actor: { type: 'client' }, data: { integration: { id, status: 'pending', mustAct: 'client' } } },
    ])
  })

  it('is told of when it has ended, and again when its successor has', async () => {
    const tenant = await suite.tenant()
    const { token: _, ...at } = await integrate(tenant)
    const expire = () => suite.world.query(sql`update connect_links set expires_at = now() where integration_id = ${at.id}`)
    await expire()
    await Promise.all([note(), note()])
    await note()
    expect(await told(tenant, 'connect_link.expired')).toMatchObject([
      {
        actor: { type: 'system' },
        workspace: { id: tenant.workspace.id },
        data: { integration: { mustAct: 'agency' }, expiresAt: expect.any(String) },
      },
    ])
    await tenant.admin.issueConnectLink(at, { expiresInDays: 1 })
    await note()
    await expire()
    await note()
    expect(await told(tenant, 'connect_link.expired')).toHaveLength(2)
  })
})

describe('a key', () => {
  it('is told of 14, 3 and 1 days before its end, unless it was made for less or has been retired', async () => {
    const tenant = await suite.tenant()
    const { world } = suite
    const key = await world.key(tenant.organization, { level: 'organization', role: 'viewer' })
    const ends = async (days: number, lived = 30) => {
      await world.query(sql`update api_keys set expires_at = now() + make_interval(days => ${days}) - interval '1 minute',
        created_at = now() - make_interval(days => ${lived}) where id = ${key.id}`)
      await note()
      return (await told(tenant, 'api_key.expiring')).map(({ data }) => data.days)
    }
    expect(await ends(15)).toEqual([])
    expect(await ends(10, 1)).toEqual([])
    expect(await ends(14)).toEqual([14])
    expect(await ends(13)).toEqual([14])
    expect(await ends(3)).toEqual([14, 3])
    expect(await ends(1)).toEqual([14, 3, 1])
    expect(await ends(1)).toEqual([14, 3, 1])
    const retired = await world.key(tenant.organization, {
      level: 'organization',
      role: 'viewer',
      expiresAt: new Date(Date.now() + 86_400_000),
    })
    await world.query(sql`update api_keys set created_at = now() - interval '30 days', revoked_at = now() where id = ${retired.id}`)
    await note()
    expect(await told(tenant, 'api_key.expiring')).toHaveLength(3)
  })
})

describe('the access of an integration', () => {
  it('is told of 14, 7, 3 and 1 days before its end, and anew once it was given anew', async () => {
    const tenant = await suite.tenant()
    const { id } = await connected(tenant)
    const ends = async (days: number) => {
      await suite.world.query(sql`update integrations set grant_ends_at = now() + make_interval(days => ${days}) - interval '1 minute',
        connected_at = now() - interval '300 days' where id = ${id}`)
      await note()
      return (await told(tenant, 'integration.expiring')).map(({ data }) => data.days)
    }
    expect(await ends(20)).toEqual([])
    expect(await ends(12)).toEqual([14])
    expect(await ends(6)).toEqual([14, 7])
    expect(await ends(3)).toEqual([14, 7, 3])
    expect(await ends(1)).toEqual([14, 7, 3, 1])
    expect(await ends(1)).toHaveLength(4)
    const [event] = await told(tenant, 'integration.expiring')
    expect(event).toMatchObject({
      actor: { type: 'system' },
      data: { integration: { id, status: 'active' }, expiresAt: expect.any(String) },
    })
    await tenant.admin.submitIntegrationCredentials({ ...tenant.w, id }, newCredentials())
    const [row] = await suite.world.query(sql`select grant_ends_at, expiring_noted from integrations where id = ${id}`)
    expect(row).toEqual({ grant_ends_at: null, expiring_noted: null })
  })

  it('is known where the ad system says so and renewing does not extend it', () => {
    const at = (days: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + days * 86_400_000).toISOString()
    const given = { ...credentialOf({}), accessToken: 'a', accessExpiresAt: at(60), refreshToken: 'r', refreshExpiresAt: at(365) }
    const endOf = (id: Parameters<typeof findProvider>[0], change = {}) =>
      grantEnd(findProvider(id)!, { ...given, ...change }).at?.toISOString() ?? null
    expect(endOf('linkedin_ads')).toBe(at(365))
    expect(endOf('amazon_ads')).toBe(at(365))
    expect(endOf('linkedin_ads', { refreshToken: null, refreshExpiresAt: null })).toBe(at(60))
    expect(endOf('pinterest_ads')).toBeNull()
    expect(endOf('google_ads', { refreshExpiresAt: null })).toBeNull()
    expect(endOf('magnite', { accessExpiresAt: null, refreshToken: null, refreshExpiresAt: null })).toBeNull()
  })
})
