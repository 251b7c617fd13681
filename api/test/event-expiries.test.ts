// What the system tells of by itself: links that are used or end, keys that are about to end. Each once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { noteExpiries } from '../src/features/audit/note-expiries.ts'
import { createSuite, integrate, newCredentials, type Suite, type Tenant } from './suite.ts'
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
