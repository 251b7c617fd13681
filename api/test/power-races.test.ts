// No power outlives its revocation, at whatever moment the two meet.
// The judge is the chain itself: its order is that of the commits.
import { auditEvents, takesPower } from '@adjoin/contract'
import pg from 'pg'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import type { App } from '../src/app.ts'
import { placeIn } from './workspace-place.ts'
import { createWorld, refusal, sql, type TestOrganization, type TestPerson, type World } from './world.ts'

const ROUNDS = 12

let world: World
let replica: App
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 100 })
  replica = await world.replica()
})
afterAll(() => world.stop())

const sequences = (organization: TestOrganization, where: ReturnType<typeof sql>) =>
  world.query<{ sequence: number }>(sql`select sequence from audit_entries where organization_id = ${organization.id} and ${where}`)

/** The attacker's own entries that came after the entry that took their power. */
async function late(organization: TestOrganization, attacker: TestPerson, revocation: ReturnType<typeof sql>): Promise<number> {
  const [taken] = await sequences(organization, revocation)
  expect(taken).toBeDefined()
  return (await sequences(organization, sql`actor_id = ${attacker.id} and sequence > ${taken!.sequence}`)).length
}

/** Waits until so many appends stand behind a lock. */
const appendsWaiting = (count: number) =>
  vi.waitUntil(async () => {
    const waiting = await world.query(sql`select from pg_stat_activity where datname = current_database()
      and wait_event_type = 'Lock' and query like '%append_audit_entry%' and pid <> pg_backend_pid()`)
    return waiting.length === count
  }, 20_000)

/** Another connection, in a transaction that holds the organization's chain head until it commits. */
async function holdHead(organization: TestOrganization, change: string): Promise<{ commit(): Promise<void>; end(): Promise<void> }> {
  const outside = new pg.Client({ connectionString: world.config.databaseUrl })
  await outside.connect()
  await outside.query('begin')
  await outside.query(`update audit_heads set ${change} where organization_id = $1`, [organization.id])
  return { commit: async () => void (await outside.query('commit')), end: () => outside.end() }
}

const soon = () => new Promise((resolve) => setTimeout(resolve, Math.random() * 15))

it('a demoted admin adds nothing to the trail after the demotion', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const attacker = await world.join(organization, 'admin')
    const there = world.client(attacker.headers, replica.url)
    const create = async (i: number) => {
      await soon()
      await there.createWorkspace({ orgSlug }, { slug: `mine-${i}`, name: 'Mine' }).catch(() => {})
    }
    const demote = async () => {
      await soon()
      await organization.admin.client.updateOrganizationMember({ orgSlug, userId: attacker.id }, { role: 'viewer' })
    }
    const raise = async () => {
      await soon()
      await there.updateOrganizationMember({ orgSlug, userId: attacker.id }, { role: 'admin' }).catch(() => {})
    }
    await Promise.all([demote(), raise(), ...[1, 2, 3, 4].map(create)])
    expect(await late(organization, attacker, sql`action = 'member.updated' and actor_id = ${organization.admin.id}`)).toBe(0)
  }
})

it('a session that was signed out everywhere adds nothing to the trail after that', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const { organization, at, admin } = await placeIn(world)
    const victim = await world.join(organization, 'admin')
    const owner = await world.signIn(victim.id, victim.email, victim.name)
    const { id } = await admin.client.createIntegration(at, { provider: 'xandr', name: 'Seat' })
    const there = world.client(victim.headers, replica.url)
    const rename = async (i: number) => {
      await soon()
      await there.updateIntegration({ ...at, id }, { name: `Mine ${i}` }).catch(() => {})
    }
    const end = async () => {
      await soon()
      await owner.client.signOutEverywhere()
    }
    await Promise.all([end(), ...[1, 2, 3].map(rename)])
    expect(await late(organization, victim, sql`action = 'user.signed_out'`)).toBe(0)
  }
})

it('no device that was approved around a sign-out everywhere keeps a session', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const victim = await world.person() // belongs to no organization: no chain knows of the sign-out
    const owner = await world.signIn(victim.id, victim.email, victim.name)
    const started = await Promise.all([1, 2, 3, 4].map(() => world.client().startDeviceLogin({})))
    const there = world.client(victim.headers, replica.url)
    await there.approveDeviceLogin({ userCode: started[0]!.userCode })
    const approve = async (userCode: string) => {
      await soon()
      await there.approveDeviceLogin({ userCode }).catch(() => {})
    }
    const poll = async (deviceCode: string) => {
      await soon()
      await world
        .client(world.headersOf({}), replica.url)
        .pollDeviceLogin({ deviceCode })
        .catch(() => {})
    }
    const end = async () => {
      await soon()
      await owner.client.signOutEverywhere()
    }
    await Promise.all([end(), poll(started[0]!.deviceCode), ...started.slice(1).map(({ userCode }) => approve(userCode))])
    const polled = started.map(({ deviceCode }) => refusal(world.client().pollDeviceLogin({ deviceCode })))
    for (const one of polled) expect((await one).status).toBe(400)
    expect(await world.query(sql`select from sessions where user_id = ${victim.id} and ended_at is null`)).toHaveLength(0)
  }
})

it('who waits for the chain behind the entry that takes their power is refused', async () => {
  const { organization, at, admin } = await placeIn(world)
  const attacker = await world.join(organization, 'member')
  const { id } = await admin.client.createIntegration(at, { provider: 'xandr', name: 'Seat' })
  const head = await holdHead(organization, 'power = power')
  try {
    const demotion = admin.client.updateOrganizationMember({ orgSlug: organization.slug, userId: attacker.id }, { role: 'viewer' })
    await appendsWaiting(1)
    const change = refusal(world.client(attacker.headers, replica.url).updateIntegration({ ...at, id }, { name: 'Mine' }))
    await appendsWaiting(2)
    await head.commit()
    expect((await demotion).role).toBe('viewer')
    expect((await change).code).toBe('role_too_low')
    expect((await admin.client.getIntegration({ ...at, id })).name).toBe('Seat')
  } finally {
    await head.end()
  }
})

it('who keeps their power is let in again, and the change is made once', async () => {
  const { organization, at, admin } = await placeIn(world)
  const member = await world.join(organization, 'member')
  const { id } = await admin.client.createIntegration(at, { provider: 'xandr', name: 'Seat' })
  const head = await holdHead(organization, 'power = power + 1')
  try {
    const change = member.client.updateIntegration({ ...at, id }, { name: 'Renamed' })
    await appendsWaiting(1)
    await head.commit()
    expect((await change).name).toBe('Renamed')
    expect(await sequences(organization, sql`action = 'integration.updated'`)).toHaveLength(1)
  } finally {
    await head.end()
  }
})

it('the database and the service agree on what takes power', async () => {
  const rows = await world.query<{ kind: string; takes: boolean }>(
    sql`select kind, takes_power(kind) as takes from unnest(${Object.keys(auditEvents)}::text[]) as kind`,
  )
  // A sign-in takes power only when it ended a session:
  // the service knows, the older function takes every one for such.
  const byDatabase = rows.filter(({ takes }) => takes).map(({ kind }) => kind)
  expect(byDatabase.sort()).toEqual([...takesPower, 'user.signed_in'].sort())
})

it('a process of the version before raises the version with what it takes away', async () => {
  const organization = await world.organization()
  const power = async () =>
    (await world.query<{ power: number }>(sql`select power from audit_heads where organization_id = ${organization.id}`))[0]!.power
  const before = await power()
  await world.query(sql`select append_audit(${organization.id}, ${JSON.stringify({ id: 'x', action: 'workspace.created' })})`)
  expect(await power()).toBe(before)
  await world.query(sql`select append_audit(${organization.id}, ${JSON.stringify({ id: 'x', action: 'member.removed' })})`)
  expect(await power()).toBe(before + 1)
})
