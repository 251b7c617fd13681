import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newestBelow, type TrailFilters } from '../../src/audit/read.ts'
import type { Fragment } from '../../src/db/sql.ts'
import { append, content, fill, verified } from '../audit-chains.ts'
import { createWorld, refusal, request, sql, type TestOrganization, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const list = async (organization: TestOrganization, filters: object) =>
  (await organization.admin.client.listAuditLogs({ orgSlug: organization.slug, ...filters })).auditLogs

describe('a filter of the audit trail', () => {
  it.each<[string, (seen: Awaited<ReturnType<typeof list>>) => object, string[]]>([
    ['an exact action', () => ({ action: 'workspace.created' }), ['b']],
    ['a group of actions, and nothing that only begins like it', () => ({ action: 'workspace.*' }), ['a', 'b']],
    ['a group with an underscore', () => ({ action: 'api_key.*' }), ['d']],
    ['a group that nothing was written of', () => ({ action: 'invitation.*' }), []],
    ['an actor by id', () => ({ actor: 'b1f6c1de-0000-4000-8000-000000000001' }), ['a', 'b']],
    ['an actor by address, in any spelling', () => ({ actor: 'ＧRACE@Agency.Example.' }), ['a', 'b', 'd']],
    ['a key by its id, and not its creator', () => ({ actor: 'b1f6c1de-0000-4000-8000-000000000002' }), ['d']],
    ['an actor whose address only begins like it', () => ({ actor: 'grace@agency.exampl' }), []],
    ['a kind of target', () => ({ targetType: 'member' }), ['c']],
    ['a target', () => ({ targetId: 'b1f6c1de-0000-4000-8000-000000000003' }), ['c']],
    ['a workspace', () => ({ workspace: 'alpha' }), ['b', 'c']],
    ['a workspace that there is none of', () => ({ workspace: 'alph' }), []],
    ['a time on, inclusive', (seen) => ({ from: seen[1]!.createdAt }), ['c', 'd']],
    ['a time up to, inclusive, in another offset', (seen) => ({ to: seen[2]!.createdAt.replace('Z', '+00:00') }), ['a', 'b']],
    ['a span of time', (seen) => ({ from: seen[2]!.createdAt, to: seen[1]!.createdAt }), ['b', 'c']],
    ['a span that ends before it begins', (seen) => ({ from: seen[1]!.createdAt, to: seen[2]!.createdAt }), []],
    ['a year before all years', () => ({ from: '0000-01-01T00:00:00+23:59' }), ['a', 'b', 'c', 'd']],
    ['two things at once', () => ({ workspace: 'alpha', action: 'workspace.created' }), ['b']],
    ['a group in a workspace', () => ({ workspace: 'alpha', action: 'workspace_member.*' }), ['c']],
  ])('on %s shows exactly what matches', async (_, filter, expected) => {
    const organization = await world.organization()
    const grace = {
      type: 'user',
      id: 'b1f6c1de-0000-4000-8000-000000000001',
      email: 'grace@agency.example',
      name: 'Grace',
      keyPrefix: null,
    }
    const key = { ...grace, type: 'apiKey', id: 'b1f6c1de-0000-4000-8000-000000000002', keyPrefix: 'adj_abcdefghijk' }
    const alan = { ...grace, id: 'b1f6c1de-0000-4000-8000-000000000004', email: 'alan@agency.example' }
    const alpha = { slug: 'alpha', name: 'Alpha' }
    const member = { type: 'member', id: 'b1f6c1de-0000-4000-8000-000000000003', name: 'Alan' }
    for (const one of [
      { action: 'workspace.updated', actor: grace, metadata: { name: 'a' } },
      { action: 'workspace.created', actor: grace, workspace: alpha, metadata: { name: 'b' } },
      { action: 'workspace_member.assigned', actor: alan, workspace: alpha, target: member, metadata: { name: 'c' } },
      { action: 'api_key.created', actor: key, workspace: null, metadata: { name: 'd' } },
    ]) {
      await append(world, organization, content(one))
      await world.query(sql`select pg_sleep(0.002)`)
    }
    const found = await list(organization, filter(await list(organization, {})))
    expect(found.map(({ metadata }) => metadata.name).sort()).toEqual(expected)
    expect(found.map(({ sequence }) => sequence)).toEqual(found.map(({ sequence }) => sequence).sort((a, b) => b - a))
  })

  it.each([
    ['action=integration', 'action'],
    ['action=workspace.', 'action'],
    ['action=*', 'action'],
    ['workspace=No+Slug', 'workspace'],
    ['from=yesterday', 'from'],
    ['to=2026-02-30T00:00:00Z', 'to'],
    ['actor=%00', 'actor'],
    ['limit=0', 'limit'],
    ['limit=201', 'limit'],
    ['limit=1.5', 'limit'],
    ['cursor=nonsense', 'cursor'],
    ['color=red', 'color'],
  ])('that is no filter is refused by name: %s', async (query, path) => {
    const { admin, slug } = await world.organization()
    const answer = await request(`${world.url}/v1/organizations/${slug}/audit-logs?${query}`, { headers: admin.headers })
    expect(answer.json()).toMatchObject({ status: 400, title: 'Validation Failed', errors: [{ path }] })
  })
})

describe('a walk by cursor', () => {
  const walk = async ({ admin, slug }: TestOrganization, filters: object, meanwhile: () => Promise<void> = async () => {}) => {
    const seen: number[] = []
    let cursor: string | undefined
    do {
      const page = await admin.client.listAuditLogs({ orgSlug: slug, limit: 7, ...filters, ...(cursor && { cursor }) })
      seen.push(...page.auditLogs.map(({ sequence }) => sequence))
      cursor = page.nextCursor ?? undefined
      await meanwhile()
    } while (cursor)
    return seen
  }
  const descending = (from: number) => Array.from({ length: from }, (_, i) => from - i)

  it('sees every entry that was there exactly once, newest first, while others write', async () => {
    const organization = await world.organization()
    await append(world, organization, ...Array.from({ length: 50 }, () => content()))
    const write = () => append(world, organization, content(), content(), content())
    expect(await walk(organization, {}, write)).toEqual(descending(50))
    expect(await walk(organization, { action: 'workspace.*' }, write)).toEqual(descending(74))
  })

  it('ends without a cursor exactly at the last entry', async () => {
    const organization = await world.organization()
    await append(world, organization, ...Array.from({ length: 14 }, () => content()))
    expect(await walk(organization, {})).toEqual(descending(14))
    expect((await organization.admin.client.listAuditLogs({ orgSlug: organization.slug, limit: 14 })).nextCursor).toBeNull()
  })

  it('goes on with its own cursor only: not with a changed one, nor another organization’s, nor under other filters', async () => {
    const [mine, other] = [await world.organization(), await world.organization()]
    for (const organization of [mine, other]) await append(world, organization, ...Array.from({ length: 3 }, () => content()))
    const { nextCursor } = await mine.admin.client.listAuditLogs({ orgSlug: mine.slug, limit: 1, workspace: 'client' })
    const tries = [
      { orgSlug: mine.slug, workspace: 'client', cursor: nextCursor!.replace(/^./, '2') },
      { orgSlug: mine.slug, workspace: 'client', cursor: `${nextCursor!}A` },
      { orgSlug: mine.slug, workspace: 'client', cursor: '2' },
      { orgSlug: mine.slug, cursor: nextCursor! },
      { orgSlug: mine.slug, workspace: 'other', cursor: nextCursor! },
    ]
    for (const params of tries) {
      const error = await refusal(mine.admin.client.listAuditLogs(params))
      expect([error.status, error.code]).toEqual([400, 'invalid_cursor'])
    }
    const foreign = await refusal(other.admin.client.listAuditLogs({ orgSlug: other.slug, workspace: 'client', cursor: nextCursor! }))
    expect(foreign.code).toBe('invalid_cursor')
    // The page size may change on the way, and a second replica continues what the first began.
    const replica = await world.replica()
    const rest = await world
      .client(mine.admin.headers, replica.url)
      .listAuditLogs({ orgSlug: mine.slug, workspace: 'client', cursor: nextCursor!, limit: 200 })
    expect(rest.auditLogs.map(({ sequence }) => sequence)).toEqual([2, 1])
  })
})

describe('a page of a long trail', () => {
  const LENGTH = 50_000
  let long: TestOrganization
  const rare = content({
    action: 'organization.updated',
    actor: { type: 'user', id: 'rare', email: 'rare@agency.example', name: 'Rare', keyPrefix: null },
    target: { type: 'organization', id: 'rare', name: 'Rare' },
    workspace: { slug: 'rare', name: 'Rare' },
  })
  beforeAll(async () => {
    long = await world.organization()
    await fill(world, long, LENGTH, rare)
  })

  /** Blocks of 8 KB that a statement touched, in memory or on disk. */
  const buffers = async (statement: Fragment) => {
    const [row] = await world.query(sql`explain (analyze, buffers, format json) ${statement}`)
    const plan = row!['QUERY PLAN'][0].Plan
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks']
  }
  const page = (filters: Parameters<typeof newestBelow>[1], below = Number.MAX_SAFE_INTEGER) => newestBelow(long.id, filters, below, 51)

  it('costs at its far end what it costs at its beginning', async () => {
    const [first, last] = [await buffers(page({}, LENGTH - 50)), await buffers(page({}, 60))]
    expect(last).toBeLessThanOrEqual(first + 2)
    expect(first).toBeLessThan(30)
  })

  it.each<TrailFilters>([
    { action: 'organization.updated' },
    { action: 'organization.*' },
    { actor: 'rare' },
    { actor: 'rare@agency.example' },
    { targetType: 'organization' },
    { targetId: 'rare' },
    { workspace: 'rare' },
    { from: '2026-01-01T00:00:00Z', to: '2026-01-01T00:10:00Z' },
    { from: '2999-01-01T00:00:00Z' },
    { workspace: 'rare', action: 'workspace.*' },
    { workspace: 'client', actor: 'rare' },
  ])('is read from an index when it matches rarely: %j', async (filters) => {
    expect(await buffers(page(filters))).toBeLessThan(100)
  })
})

describe('the audit trail in the database', () => {
  it('takes no update, no delete and no truncate', async () => {
    const organization = await world.organization()
    await append(world, organization, content())
    for (const statement of [
      sql`update audit_entries set content = '{}'`,
      sql`delete from audit_entries`,
      sql`truncate audit_entries`,
      sql`truncate audit_entries cascade`,
    ])
      await expect(world.query(statement)).rejects.toThrow('audit entries are append-only')
    expect(await list(organization, {})).toHaveLength(1)
  })

  it('keeps the entries of a person who is gone', async () => {
    const organization = await world.organization()
    const grace = await world.join(organization, 'member')
    await grace.client.updateMe({ name: 'Grace Hopper' })
    await world.query(sql`delete from users where id = ${grace.id}`)
    const [entry] = await list(organization, { actor: grace.email })
    expect(entry).toMatchObject({ action: 'user.updated', actor: { id: grace.id, email: grace.email } })
  })

  it('says who, what, when, from where, and what changed', async () => {
    const organization = await world.organization()
    const { admin } = organization
    await admin.client.updateMe({ name: 'Ada King' }, { headers: { 'user-agent': 'Story/1.0' } })
    const [entry] = await list(organization, {})
    expect(entry).toMatchObject({
      sequence: 1,
      action: 'user.updated',
      outcome: 'success',
      actor: { type: 'user', id: admin.id, email: admin.email, name: 'Ada', keyPrefix: null },
      target: { type: 'user', id: admin.id, name: 'Ada King' },
      workspace: null,
      changes: [{ field: 'name', from: 'Ada', to: 'Ada King' }],
      context: {
        via: 'bearer',
        ip: admin.headers['x-forwarded-for'],
        userAgent: 'Story/1.0',
        requestId: expect.stringMatching(/^[\w-]{36}$/),
      },
      previousHash: '0'.repeat(64),
    })
    expect(entry!.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('never goes back in time, even where the clock does', async () => {
    const organization = await world.organization()
    await world.query(sql`update audit_heads set created_at = '2999-01-01' where organization_id = ${organization.id}`)
    await append(world, organization, content())
    expect((await list(organization, {}))[0]!.createdAt).toBe('2999-01-01T00:00:00.000Z')
    expect((await verified(organization)).outcome).toBe('intact')
  })

  it('is one unbroken chain when three replicas write a thousand entries at once', async () => {
    const organization = await world.organization()
    const urls = [world.url, (await world.replica()).url, (await world.replica()).url]
    const people = await Promise.all(Array.from({ length: 20 }, () => world.join(organization, 'member')))
    await Promise.all(
      people.map(async ({ headers }, i) => {
        for (let n = 0; n < 50; n++) await world.client(headers, urls[(i + n) % 3]).updateMe({ name: `Name ${n}` })
      }),
    )
    expect(await verified(organization)).toMatchObject({ outcome: 'intact', entries: 1001 })
  })
})
