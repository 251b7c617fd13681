// What a key is worth at this very moment, on whichever replica it is tried.
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { makeLimitsLast } from '../lasting-limits.ts'
import { exchange, head } from '../raw-socket.ts'
import { createWorld, refusal, request, sql, type TestKey, type TestOrganization, type TestPerson, type World } from '../world.ts'

let world: World
let urls: string[]
beforeAll(async () => {
  world = await createWorld()
  await makeLimitsLast(world)
  urls = [world.url, (await world.replica()).url, (await world.replica()).url]
})
afterAll(() => world.stop())
afterEach(() => {
  vi.useRealTimers()
})

const statusesOn = async (key: Pick<TestKey, 'headers'>, path: string) =>
  (await Promise.all(urls.map((url) => request(`${url}${path}`, { headers: key.headers })))).map(({ status }) => status)

/** Many requests down one connection without waiting: the quickest way to ask a thousand times. */
const pipeline = async (url: string, key: TestKey, count: number): Promise<number[]> => {
  const last = head('GET', '/v1/api-keys/self', [`x-api-key: ${key.key}`])
  const answers = await exchange(url, last.replace('Connection: close\r\n', '').repeat(count - 1) + last, 20_000)
  return answers.map(({ status }) => status)
}

describe('from the answer on no replica accepts the key after', () => {
  type Scene = { organization: TestOrganization; member: TestPerson; key: TestKey; workspaceSlug: string }
  const endings: [string, 'user' | 'organization' | 'workspace', (scene: Scene) => Promise<unknown>][] = [
    ['revoking it', 'organization', ({ organization: { slug, admin }, key }) => admin.client.revokeApiKey({ orgSlug: slug, id: key.id })],
    [
      'rotating it without grace',
      'organization',
      ({ organization: { slug, admin }, key }) => admin.client.rotateApiKey({ orgSlug: slug, id: key.id }, {}),
    ],
    ['disabling it', 'organization', ({ organization: { slug, admin }, key }) => admin.client.disableApiKey({ orgSlug: slug, id: key.id })],
    [
      'removing its creator from the organization',
      'user',
      ({ organization: { slug, admin }, member }) => admin.client.removeOrganizationMember({ orgSlug: slug, userId: member.id }),
    ],
    [
      'removing its creator from the workspace',
      'workspace',
      ({ organization: { slug, admin }, member, workspaceSlug }) =>
        admin.client.removeWorkspaceMember({ orgSlug: slug, workspaceSlug, userId: member.id }),
    ],
  ]

  it.each(endings)('%s: none of 1,000 requests', async (_, level, end) => {
    const organization = await world.organization()
    const workspace = await world.workspace(organization)
    const member = await world.join(organization, 'member')
    await world.assign(organization, workspace, member, 'admin')
    const key = await world.key(organization, {
      level,
      creator: level === 'organization' ? organization.admin : member,
      ...(level !== 'user' && { role: 'viewer' as const }),
      ...(level === 'workspace' && { workspace }),
    })
    const send = async (count: number) => {
      const statuses: number[] = []
      // Five connections to each replica, each with six;
      // what a busy one sheds (503) was neither accepted nor refused.
      while (statuses.length < count) {
        const answers = await Promise.all([1, 2, 3, 4, 5].flatMap(() => urls.map((url) => pipeline(url, key, 6))))
        statuses.push(...answers.flat().filter((status) => status !== 503))
      }
      return statuses
    }
    expect(new Set(await send(90))).toEqual(new Set([200]))
    // The ending happens in the midst of traffic on every replica.
    const meanwhile = send(180)
    await end({ organization, member, key, workspaceSlug: workspace.slug })
    const after = await send(1000)
    await meanwhile
    expect(after.length).toBeGreaterThanOrEqual(1000)
    expect(after.filter((status) => status !== 401)).toEqual([])
  })
})

describe('a user key', () => {
  it('rises and falls with its creator on the next request, and never reaches another organization of theirs', async () => {
    const organization = await world.organization()
    const elsewhere = await world.organization()
    const creator = await world.join(organization, 'admin')
    await world.join(elsewhere, 'admin', creator)
    const key = await world.key(organization, { level: 'user', creator })
    const trail = `/v1/organizations/${organization.slug}/audit-logs`
    expect(await statusesOn(key, trail)).toEqual([200, 200, 200])
    await organization.admin.client.updateOrganizationMember({ orgSlug: organization.slug, userId: creator.id }, { role: 'member' })
    expect(await statusesOn(key, trail)).toEqual([403, 403, 403])
    expect(await statusesOn(creator, trail)).toEqual([403, 403, 403])
    await organization.admin.client.updateOrganizationMember({ orgSlug: organization.slug, userId: creator.id }, { role: 'admin' })
    expect(await statusesOn(key, trail)).toEqual([200, 200, 200])
    expect(await statusesOn(key, `/v1/organizations/${elsewhere.slug}`)).toEqual([404, 404, 404])
  })

  it('stays dead when its creator comes back', async () => {
    const organization = await world.organization()
    const creator = await world.join(organization, 'member')
    const key = await world.key(organization, { level: 'user', creator })
    await organization.admin.client.removeOrganizationMember({ orgSlug: organization.slug, userId: creator.id })
    await world.join(organization, 'member', creator)
    expect((await refusal(key.client.getCurrentApiKey())).problem.detail).toContain('revoked')
  })
})

it('a key minted while its creator is being removed is refused or revoked, whoever comes first', async () => {
  for (let round = 0; round < 20; round++) {
    const { id, slug: orgSlug, admin } = await world.organization()
    const member = await world.join({ id }, 'member')
    await Promise.allSettled([
      ...urls.map((url) => world.client(member.headers, url).createApiKey({ orgSlug }, { name: 'Late', level: 'user' })),
      admin.client.removeOrganizationMember({ orgSlug, userId: member.id }),
    ])
    expect(await world.query(sql`select from members where organization_id = ${id} and user_id = ${member.id}`)).toEqual([])
    expect(await world.query(sql`select from api_keys where organization_id = ${id} and revoked_at is null`)).toEqual([])
  }
})

describe('a workspace key', () => {
  it('has its own role, never more than its creator’s there, and nothing anywhere else', async () => {
    const organization = await world.organization()
    const [own, other] = [await world.workspace(organization), await world.workspace(organization)]
    const creator = await world.join(organization, 'viewer')
    await world.assign(organization, own, creator, 'admin')
    const key = await world.key(organization, { level: 'workspace', role: 'member', workspace: own, creator })
    const here = { orgSlug: organization.slug, workspaceSlug: own.slug }
    expect(await key.client.getWorkspace(here)).toMatchObject({ role: 'member', access: 'assigned' })
    await organization.admin.client.setWorkspaceMember({ ...here, userId: creator.id }, { role: 'viewer' })
    expect(await key.client.getWorkspace(here)).toMatchObject({ role: 'viewer' })
    expect((await key.client.getCurrentApiKey()).effectiveRole).toBe('viewer')
    expect((await refusal(key.client.getWorkspace({ ...here, workspaceSlug: other.slug }))).status).toBe(404)
    expect((await refusal(key.client.getOrganization(here))).code).toBe('credential_refused')
    expect((await refusal(key.client.listOrganizationMembers(here))).code).toBe('credential_refused')
  })
})

describe('an organization key', () => {
  it('outlives its creator, whose removal names it', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const creator = await world.join(organization, 'admin')
    const kept = await world.key(organization, { level: 'organization', role: 'admin', creator })
    const lost = await world.key(organization, { level: 'user', creator })
    await organization.admin.client.removeOrganizationMember({ orgSlug, userId: creator.id })
    expect(await kept.client.getCurrentApiKey()).toMatchObject({ effectiveRole: 'admin', creatorEmail: creator.email })
    const [entry] = (await kept.client.listAuditLogs({ orgSlug })).auditLogs
    expect(entry).toMatchObject({
      action: 'member.removed',
      metadata: { organizationKeys: [{ id: kept.id }], revokedKeys: [{ id: lost.id }] },
    })
  })

  it('lets nobody in once its creator has left: it reads and renews itself, on every replica, until an admin rotates it', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const { admin } = organization
    const workspace = await world.workspace(organization)
    const inWorkspace = { orgSlug, workspaceSlug: workspace.slug }
    const creator = await world.join(organization, 'admin')
    const key = await world.key(organization, { level: 'organization', role: 'admin', creator })
    const another = await world.key(organization, { level: 'organization', role: 'admin' })
    const invited = await admin.client.createOrganizationInvitation({ orgSlug }, { email: 'one@elsewhere.example', role: 'viewer' })
    const here = await admin.client.createWorkspaceInvitation(inWorkspace, { email: 'two@elsewhere.example', role: 'viewer' })
    const grant = (client: TestPerson['client']) => [
      () => client.createOrganizationInvitation({ orgSlug }, { email: creator.email, role: 'admin' }),
      () => client.createWorkspaceInvitation(inWorkspace, { email: creator.email, role: 'admin' }),
      () => client.resendOrganizationInvitation({ orgSlug, id: invited.id }),
      () => client.resendWorkspaceInvitation({ ...inWorkspace, id: here.id }),
      () => client.rotateApiKey({ orgSlug, id: another.id }, {}),
    ]
    await admin.client.removeOrganizationMember({ orgSlug, userId: creator.id })
    for (const url of urls)
      for (const act of grant(world.client(key.headers, url)))
        expect(await refusal(act())).toMatchObject({
          status: 403,
          code: 'creator_gone',
          problem: { detail: expect.stringContaining('Ask an admin to rotate it') },
        })
    expect((await key.client.listOrganizationMembers({ orgSlug })).members).toHaveLength(1)
    await key.client.cancelWorkspaceInvitation({ ...inWorkspace, id: here.id })
    expect((await another.client.getCurrentApiKey()).status).toBe('active')

    const renewed = await key.client.rotateApiKey({ orgSlug, id: key.id }, {})
    expect(renewed.creatorEmail).toBe(creator.email)
    const itself = world.client(world.headersOf({ 'x-api-key': renewed.key }))
    expect(await refusal(grant(itself)[0]!())).toMatchObject({ status: 403, code: 'creator_gone' })

    const rotated = await admin.client.rotateApiKey({ orgSlug, id: renewed.id }, {})
    const adopted = world.client(world.headersOf({ 'x-api-key': rotated.key }))
    const email = 'three@elsewhere.example'
    expect((await adopted.createOrganizationInvitation({ orgSlug }, { email, role: 'viewer' })).inviterEmail).toBe(admin.email)
  })

  it('takes over no other key, whoever comes first: its rotation of another, or the removal of its creator', async () => {
    for (let round = 0; round < 20; round++) {
      const organization = await world.organization()
      const orgSlug = organization.slug
      const creator = await world.join(organization, 'admin')
      const key = await world.key(organization, { level: 'organization', role: 'admin', creator })
      const another = await world.key(organization, { level: 'organization', role: 'admin' })
      const [rotation] = await Promise.allSettled([
        world.client(key.headers, urls[round % 3]).rotateApiKey({ orgSlug, id: another.id }, {}),
        organization.admin.client.removeOrganizationMember({ orgSlug, userId: creator.id, organizationKeys: 'revoke' }),
      ])
      // Rotated before, the new key was the creator's and ended with the others; after, it was refused.
      if (rotation.status === 'rejected') expect([401, 403]).toContain(rotation.reason.status)
      const rest = await world.query<{ id: string }>(
        sql`select id from api_keys where organization_id = ${organization.id} and creator_id = ${creator.id} and revoked_at is null`,
      )
      expect(rest).toEqual([])
    }
  })

  it('works as before when its creator comes back', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const creator = await world.join(organization, 'admin')
    const key = await world.key(organization, { level: 'organization', role: 'admin', creator })
    const invite = (n: number) =>
      key.client.createOrganizationInvitation({ orgSlug }, { email: `back${n}@elsewhere.example`, role: 'viewer' })
    await organization.admin.client.removeOrganizationMember({ orgSlug, userId: creator.id })
    expect(await refusal(invite(1))).toMatchObject({ code: 'creator_gone' })
    await world.join(organization, 'admin', creator)
    expect((await invite(2)).inviterEmail).toBe(creator.email)
  })

  it('inherits in workspaces as people do, whatever its creator was assigned', async () => {
    const organization = await world.organization()
    const workspace = await world.workspace(organization)
    await world.assign(organization, workspace, organization.admin, 'admin')
    const key = await world.key(organization, { level: 'organization', role: 'viewer' })
    const here = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
    expect(await key.client.getWorkspace(here)).toMatchObject({ role: 'viewer', access: 'inherited' })
    expect((await refusal(key.client.updateWorkspace(here, { name: 'Other' }))).status).toBe(403)
  })
})

it.each([-400, 400])('keys live by the database’s clock, also where the service’s own is %i days off', async (days) => {
  const organization = await world.organization()
  const { slug: orgSlug, admin } = organization
  const expired = await world.key(organization, { level: 'user' })
  await world.query(sql`update api_keys set expires_at = now() where organization_id = ${organization.id} and id = ${expired.id}`)
  const truth = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: truth + days * 86_400_000 })
  const made = await admin.client.createApiKey({ orgSlug }, { name: 'Day', level: 'user', expiresInDays: 1 })
  expect(Math.abs(Date.parse(made.createdAt) - truth)).toBeLessThan(600_000)
  expect(Date.parse(made.expiresAt!) - Date.parse(made.createdAt)).toBe(86_400_000)
  const live = world.client(world.headersOf({ 'x-api-key': made.key }))
  expect((await live.getCurrentApiKey()).status).toBe('active')
  expect((await refusal(expired.client.getCurrentApiKey())).problem.detail).toContain('expired')
  expect((await admin.client.getApiKey({ orgSlug, id: expired.id })).status).toBe('expired')
  const next = await live.rotateApiKey({ orgSlug, id: made.id }, { graceHours: 1 })
  expect(Math.abs(Date.parse(next.expiresAt!) - truth - 86_400_000)).toBeLessThan(600_000)
  expect((await live.getCurrentApiKey()).status).toBe('active')
})

it('limits invitations through a key, thirty a minute each, and leaves people alone', async () => {
  const organization = await world.organization()
  const orgSlug = organization.slug
  const key = await world.key(organization, { level: 'organization', role: 'admin' })
  const invite = (client: TestPerson['client'], n: number) =>
    client.createOrganizationInvitation({ orgSlug }, { email: `guest${n}@elsewhere.example`, role: 'viewer' })
  for (let n = 0; n < 30; n++) await invite(key.client, n)
  const limited = await refusal(invite(key.client, 30))
  expect([limited.status, limited.retryAfter! >= 1]).toEqual([429, true])
  expect((await invite(organization.admin.client, 31)).inviterEmail).toBe(organization.admin.email)
  const other = await world.key(organization, { level: 'user' })
  expect((await invite(other.client, 32)).inviterEmail).toBe(organization.admin.email)
})
