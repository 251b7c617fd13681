// Lists of keys and of invitations hold every open one. Of what has ended they hold the newest,
// say when older ones are left out, and lead to them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, refusal, sql, type TestOrganization, type World } from '../world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 1000 })
})
afterAll(() => world.stop())

const numbered = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => String(from + i))

describe('API keys', () => {
  /** Older with every number; those above 1200 are live. */
  const bulk = ({ id }: TestOrganization, creatorId: string) =>
    world.query(sql`insert into api_keys (organization_id, level, name, key_hash, creator_id, created_at, revoked_at)
      select ${id}, 'user', n::text, sha256((${id} || n || ${creatorId})::bytea), ${creatorId}, now() - make_interval(hours => n),
        case when n <= 1200 then now() end from generate_series(1, 1205) n`)

  it('lists the live and the newest ended ones, says that there are more, and goes on to them', async () => {
    const organization = await world.organization()
    const { slug: orgSlug, admin } = organization
    await bulk(organization, admin.id)
    const first = await admin.client.listApiKeys({ orgSlug })
    expect(first.apiKeys.map(({ name }) => name)).toEqual([...numbered(1, 995), ...numbered(1201, 1205)])
    const rest = await admin.client.listApiKeys({ orgSlug, cursor: first.nextCursor! })
    expect(rest.apiKeys.map(({ name }) => name)).toEqual(numbered(996, 1200))
    expect(rest).not.toHaveProperty('nextCursor')
  })

  it('lists those of one status', async () => {
    const organization = await world.organization()
    const { slug: orgSlug, admin } = organization
    await bulk(organization, admin.id)
    await world.query(sql`update api_keys set disabled_at = now() where organization_id = ${organization.id} and name = '1201'`)
    await world.query(sql`update api_keys set expires_at = now() where organization_id = ${organization.id} and name in ('1201', '1202')`)
    await world.query(
      sql`update api_keys set expires_at = now(), disabled_at = now() where organization_id = ${organization.id} and name = '7'`,
    )
    const names = async (status: 'active' | 'disabled' | 'expired' | 'revoked') => {
      const { apiKeys, nextCursor } = await admin.client.listApiKeys({ orgSlug, status })
      expect(apiKeys.every((key) => key.status === status)).toBe(true)
      return { names: apiKeys.map(({ name }) => name), nextCursor }
    }
    expect(await names('active')).toEqual({ names: numbered(1203, 1205), nextCursor: undefined })
    expect(await names('disabled')).toEqual({ names: ['1201'], nextCursor: undefined })
    expect(await names('expired')).toEqual({ names: ['1202'], nextCursor: undefined })
    const revoked = await names('revoked')
    expect(revoked.names).toEqual(numbered(1, 1000))
    const rest = await admin.client.listApiKeys({ orgSlug, status: 'revoked', cursor: revoked.nextCursor! })
    expect(rest.apiKeys.map(({ name }) => name)).toEqual(numbered(1001, 1200))
    expect(await refusal(admin.client.listApiKeys({ orgSlug, cursor: revoked.nextCursor! }))).toMatchObject({ code: 'invalid_cursor' })
  })

  it('are not crowded out by keys that the caller cannot see', async () => {
    const organization = await world.organization()
    const { slug: orgSlug, admin } = organization
    const member = await world.join(organization, 'member')
    const { id } = await member.client.createApiKey({ orgSlug }, { name: 'mine', level: 'user' })
    await world.query(sql`update api_keys set revoked_at = now(), created_at = now() - interval '1 year' where id = ${id}`)
    await bulk(organization, admin.id)
    const { apiKeys, nextCursor } = await member.client.listApiKeys({ orgSlug })
    expect(apiKeys.map(({ name }) => name)).toEqual(['mine'])
    expect(nextCursor).toBeUndefined()
  })
})

describe('invitations', () => {
  /** Older with every number; those above 1200 are open. Every second one of the others ran out by itself. */
  const bulk = ({ id, admin }: TestOrganization, workspaceId: string | null = null) =>
    world.query(sql`insert into invitations (organization_id, email, role, workspace_id, workspace_role, status, token_hash, token_sealed, inviter_id, created_at, expires_at, closed_at)
      select ${id}, n || '@elsewhere.example', ${workspaceId === null ? 'member' : null}, ${workspaceId}, ${workspaceId === null ? null : 'member'},
        case when n > 1200 or n % 2 = 0 then 'pending' else 'canceled' end, sha256((${id} || n || ${workspaceId ?? ''})::bytea), 'sealed', ${admin.id},
        now() - make_interval(mins => n), case when n > 1200 then now() + interval '1 day' else now() - interval '1 minute' end,
        case when n <= 1200 and n % 2 = 1 then now() end from generate_series(1, 1205) n`)
  const names = (invitations: { email: string }[]) => invitations.map(({ email }) => email.split('@')[0]!).reverse()

  it.each(['organization', 'workspace'])('of a(n) %s: the open and the newest others, and then the rest', async (place) => {
    const organization = await world.organization()
    const { slug: orgSlug, admin } = organization
    const workspace = await world.workspace(organization)
    await bulk(organization, place === 'workspace' ? workspace.id : null)
    const list = (query: { cursor?: string; status?: 'pending' | 'expired' | 'canceled' | 'accepted' } = {}) =>
      place === 'workspace'
        ? admin.client.listWorkspaceInvitations({ orgSlug, workspaceSlug: workspace.slug, ...query })
        : admin.client.listOrganizationInvitations({ orgSlug, ...query })
    const first = await list()
    expect(names(first.invitations)).toEqual([...numbered(1, 995), ...numbered(1201, 1205)])
    const rest = await list({ cursor: first.nextCursor! })
    expect(names(rest.invitations)).toEqual(numbered(996, 1200))
    expect(rest).not.toHaveProperty('nextCursor')
    expect(names((await list({ status: 'pending' })).invitations)).toEqual(numbered(1201, 1205))
    expect((await list({ status: 'expired' })).invitations).toHaveLength(600)
    expect(await list({ status: 'accepted' })).toEqual({ invitations: [] })
    expect((await list({ status: 'canceled' })).invitations.every(({ status }) => status === 'canceled')).toBe(true)
    expect(await refusal(list({ cursor: 'made-up' }))).toMatchObject({ code: 'invalid_cursor' })
  })
})
