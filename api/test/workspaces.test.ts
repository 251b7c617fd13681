import { quotas } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  createWorld,
  refusal,
  request,
  sql,
  type TestOrganization,
  type TestPerson,
  type TestWorkspace,
  trail,
  type World,
} from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const slugs = ({ workspaces }: { workspaces: { slug: string }[] }) => workspaces.map(({ slug }) => slug)
const integration = (of: TestOrganization, to: TestWorkspace, status: string) =>
  world.query(
    sql`insert into integrations (organization_id, workspace_id, provider, name, status) values (${of.id}, ${to.id}, 'xandr', 'Seat', ${status})`,
  )

describe('listing workspaces', () => {
  it('shows members all of them, guests the assigned ones, each with the caller’s effective role', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const [first, second] = [await world.workspace(organization, 'first'), await world.workspace(organization, 'second')]
    const viewer = await world.join(organization, 'viewer')
    await world.assign(organization, second, viewer, 'admin')
    const guest = await world.join(organization, 'guest')
    await world.assign(organization, first, guest, 'member')
    await world.workspace(await world.organization(), 'first')

    const seen = async (who: Pick<TestPerson, 'client'>) =>
      (await who.client.listWorkspaces({ orgSlug })).workspaces.map(({ slug, role, access }) => [slug, role, access])
    const all = (role: string) => [
      ['first', role, 'inherited'],
      ['second', role, 'inherited'],
    ]
    expect(await seen(organization.admin)).toEqual(all('admin'))
    const viewers = [
      ['first', 'viewer', 'inherited'],
      ['second', 'admin', 'assigned'],
    ]
    expect(await seen(viewer)).toEqual(viewers)
    expect(await seen(await world.key(organization, { level: 'user', creator: viewer }))).toEqual(viewers)
    // An organization key inherits by its own role, whatever its creator was assigned.
    expect(await seen(await world.key(organization, { level: 'organization', role: 'member', creator: viewer }))).toEqual(all('member'))
    for (const who of [guest, await world.key(organization, { level: 'user', creator: guest })])
      expect(await seen(who)).toEqual([['first', 'member', 'assigned']])
    const workspaceKey = await world.key(organization, { level: 'workspace', role: 'admin', workspace: first })
    expect(await refusal(workspaceKey.client.listWorkspaces({ orgSlug }))).toMatchObject({ status: 401, code: 'credential_refused' })
  })

  it('counts the integrations of each by status', async () => {
    const organization = await world.organization()
    const [full, empty] = [await world.workspace(organization), await world.workspace(organization)]
    for (const status of ['active', 'active', 'error', 'pending', 'disabled']) await integration(organization, full, status)
    const { workspaces } = await organization.admin.client.listWorkspaces({ orgSlug: organization.slug })
    expect(workspaces.map(({ slug, integrationCounts }) => [slug, integrationCounts])).toEqual([
      [full.slug, { pending: 1, active: 2, error: 1, disabled: 1 }],
      [empty.slug, { pending: 0, active: 0, error: 0, disabled: 0 }],
    ])
    const one = await organization.admin.client.getWorkspace({ orgSlug: organization.slug, workspaceSlug: full.slug })
    expect(one).toEqual(workspaces[0])
  })
})

describe('creating a workspace', () => {
  it('answers it with its address and is in the trail', async () => {
    const organization = await world.organization()
    const answer = await request(`${world.url}/v1/organizations/${organization.slug}/workspaces`, {
      method: 'POST',
      headers: { ...organization.admin.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'Client One', slug: 'client-one' }),
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('location')).toBe(`/v1/organizations/${organization.slug}/workspaces/client-one`)
    expect(answer.json()).toEqual({
      id: expect.any(String),
      slug: 'client-one',
      name: 'Client One',
      role: 'admin',
      access: 'inherited',
      integrationCounts: { pending: 0, active: 0, error: 0, disabled: 0 },
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    const read = await organization.admin.client.getWorkspace({ orgSlug: organization.slug, workspaceSlug: 'client-one' })
    expect(read).toEqual(answer.json())
    expect(await trail(organization)).toMatchObject([
      { action: 'workspace.created', target: { type: 'workspace', id: read.id, name: 'Client One' }, workspace: { slug: 'client-one' } },
    ])
  })

  it('takes a slug once in an organization, also when many ask at once, and again in another', async () => {
    const [one, other] = [await world.organization(), await world.organization()]
    const create = ({ admin, slug }: TestOrganization) => admin.client.createWorkspace({ orgSlug: slug }, { name: 'Same', slug: 'same' })
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => create(one)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'slug_taken' })
    expect((await create(other)).slug).toBe('same')
  })

  it('is for admins of the organization, by session or key', async () => {
    const organization = await world.organization()
    let n = 0
    const create = ({ client }: Pick<TestPerson, 'client'>) =>
      client.createWorkspace({ orgSlug: organization.slug }, { name: 'New', slug: `new-${++n}` })
    await create(await world.key(organization, { level: 'user' }))
    await create(await world.key(organization, { level: 'organization', role: 'admin' }))
    for (const role of ['guest', 'viewer', 'member'] as const)
      expect(await refusal(create(await world.join(organization, role)))).toMatchObject({ status: 403, code: 'role_too_low' })
    expect(await refusal(create(await world.key(organization, { level: 'organization', role: 'member' })))).toMatchObject({ status: 403 })
  })

  it.each(['', 'Upper', '-dash', 'a'.repeat(64), 'ümlaut', 'a b', 'a/b'])('refuses %o as a slug', async (slug) => {
    const organization = await world.organization()
    const refused = await refusal(organization.admin.client.createWorkspace({ orgSlug: organization.slug }, { name: 'New', slug }))
    expect([refused.status, refused.problem.errors?.[0]?.path]).toEqual([400, 'slug'])
  })

  it('stops at the quota, exactly, when many ask for the last place', async () => {
    const organization = await world.organization()
    await world.query(sql`insert into workspaces (organization_id, slug, name)
      select ${organization.id}, 'w' || n, 'W' from generate_series(1, ${quotas.workspaces - 1}) n`)
    const create = (slug: string) => organization.admin.client.createWorkspace({ orgSlug: organization.slug }, { name: 'New', slug })
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, (_, i) => create(`last-${i}`)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    for (const outcome of outcomes)
      if (outcome.status === 'rejected') expect(outcome.reason).toMatchObject({ status: 409, code: 'quota_reached' })
    expect(await organization.admin.client.listWorkspaces({ orgSlug: organization.slug })).toMatchObject({
      workspaces: { length: quotas.workspaces },
    })
  })
})

describe('renaming a workspace', () => {
  it('is for its effective admins, keeps the slug, and is in the trail', async () => {
    const organization = await world.organization()
    const workspace = await world.workspace(organization)
    const at = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
    const guest = await world.join(organization, 'guest')
    await world.assign(organization, workspace, guest, 'admin')
    const renamed = await guest.client.updateWorkspace(at, { name: 'New name' })
    expect(renamed).toMatchObject({ id: workspace.id, slug: workspace.slug, name: 'New name', role: 'admin', access: 'assigned' })
    expect(Date.parse(renamed.updatedAt)).toBeGreaterThanOrEqual(Date.parse(renamed.createdAt))
    expect(await trail(organization)).toMatchObject([
      { action: 'workspace.updated', actor: { id: guest.id }, changes: [{ field: 'name', from: workspace.name, to: 'New name' }] },
    ])
    const workspaceKey = await world.key(organization, { level: 'workspace', role: 'admin', workspace })
    expect(await workspaceKey.client.updateWorkspace(at, { name: 'By key' })).toMatchObject({ name: 'By key', access: 'assigned' })
    const member = await world.join(organization, 'member')
    expect(await refusal(member.client.updateWorkspace(at, { name: 'x' }))).toMatchObject({ status: 403, code: 'role_too_low' })
    expect(await refusal(guest.client.updateWorkspace(at, { name: 'x', slug: 'y' } as never))).toMatchObject({ status: 400 })
  })
})

describe('deleting a workspace', () => {
  it('ends everything in it: keys, invitations, integrations with their credentials, and guests who were only there', async () => {
    const organization = await world.organization()
    const orgSlug = organization.slug
    const [gone, kept] = [await world.workspace(organization), await world.workspace(organization)]
    const at = { orgSlug, workspaceSlug: gone.slug }
    const [onlyHere, alsoThere] = [await world.join(organization, 'guest'), await world.join(organization, 'guest')]
    await world.assign(organization, gone, onlyHere, 'viewer')
    await world.assign(organization, gone, alsoThere, 'viewer')
    await world.assign(organization, kept, alsoThere, 'viewer')
    const guestKey = await world.key(organization, { level: 'user', creator: onlyHere })
    const workspaceKey = await world.key(organization, { level: 'workspace', role: 'admin', workspace: gone })
    const otherKey = await world.key(organization, { level: 'workspace', role: 'admin', workspace: kept })
    await integration(organization, gone, 'error')
    await organization.admin.client.createWorkspaceInvitation(at, { email: 'someone@elsewhere.example', role: 'viewer' })

    await organization.admin.client.deleteWorkspace(at)
    for (const client of [organization.admin.client, alsoThere.client])
      expect(await refusal(client.getWorkspace(at))).toMatchObject({ status: 404 })
    expect(slugs(await alsoThere.client.listWorkspaces({ orgSlug }))).toEqual([kept.slug])
    expect(await refusal(onlyHere.client.getOrganization({ orgSlug }))).toMatchObject({ status: 404 })
    for (const { client } of [guestKey, workspaceKey]) expect(await refusal(client.getWorkspace(at))).toMatchObject({ status: 401 })
    await otherKey.client.getWorkspace({ orgSlug, workspaceSlug: kept.slug })
    for (const table of [sql`integrations`, sql`invitations`, sql`workspace_members`, sql`api_keys`])
      expect(await world.query(sql`select from ${table} where workspace_id = ${gone.id}`)).toHaveLength(0)
    expect((await trail(organization))[0]).toMatchObject({
      action: 'workspace.deleted',
      target: { id: gone.id, name: gone.name },
      metadata: {
        revokedKeys: [{ name: expect.any(String), prefix: expect.stringMatching(/^adj_/) }],
        integrations: { error: 1 },
        endedMemberships: [{ userId: onlyHere.id, email: onlyHere.email }],
      },
    })
  })

  it('is refused while an integration is active, unless forced', async () => {
    const organization = await world.organization()
    const workspace = await world.workspace(organization)
    const at = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
    await integration(organization, workspace, 'active')
    for (const query of [{}, { force: 'false' }])
      expect(await refusal(organization.admin.client.deleteWorkspace({ ...at, ...query }))).toMatchObject({
        status: 409,
        code: 'workspace_in_use',
      })
    expect(await refusal(organization.admin.client.deleteWorkspace({ ...at, force: 'yes' }))).toMatchObject({ status: 400 })
    await organization.admin.client.deleteWorkspace({ ...at, force: 'true' })
    expect(await refusal(organization.admin.client.getWorkspace(at))).toMatchObject({ status: 404 })
  })

  it('is for admins of the organization, in person; an admin of the workspace alone is refused', async () => {
    const organization = await world.organization()
    const workspace = await world.workspace(organization)
    const at = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
    const workspaceAdmin = await world.join(organization, 'member')
    await world.assign(organization, workspace, workspaceAdmin, 'admin')
    expect(await refusal(workspaceAdmin.client.deleteWorkspace(at))).toMatchObject({ status: 403, code: 'role_too_low' })
    const key = await world.key(organization, { level: 'organization', role: 'admin' })
    expect(await refusal(key.client.deleteWorkspace(at))).toMatchObject({ status: 401, code: 'credential_refused' })
  })

  it('at the same moment as changes in it, leaves nothing half done', async () => {
    const organization = await world.organization()
    const member = await world.join(organization, 'member')
    for (let round = 0; round < 10; round++) {
      const workspace = await world.workspace(organization)
      const at = { orgSlug: organization.slug, workspaceSlug: workspace.slug }
      const { client } = organization.admin
      const outcomes = await Promise.allSettled([
        client.createWorkspaceInvitation(at, { email: `late-${round}@elsewhere.example`, role: 'viewer' }),
        client.deleteWorkspace(at),
        client.setWorkspaceMember({ ...at, userId: member.id }, { role: 'admin' }),
        client.updateWorkspace(at, { name: 'Late' }),
        client.createIntegration(at, { provider: 'xandr', name: 'Late' }),
        client.deleteWorkspace(at),
      ])
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.status] : []))
      expect(new Set(refused)).toEqual(new Set([404]))
      expect(await world.query(sql`select from workspaces where id = ${workspace.id}`)).toHaveLength(0)
    }
    const deleted = (await trail(organization)).filter(({ action }) => action === 'workspace.deleted')
    expect(deleted).toHaveLength(10)
  })

  it('frees the slug, and nothing of the old one reaches the new one', async () => {
    const organization = await world.organization()
    const old = await world.workspace(organization, 'reused')
    const at = { orgSlug: organization.slug, workspaceSlug: 'reused' }
    const guest = await world.join(organization, 'guest')
    await world.assign(organization, old, guest, 'admin')
    const key = await world.key(organization, { level: 'workspace', role: 'admin', workspace: old })
    const guestKey = await world.key(organization, { level: 'user', creator: guest })
    const invitee = await world.person()
    const { id } = await organization.admin.client.createWorkspaceInvitation(at, { email: invitee.email, role: 'admin' })
    const token = /#token=([\w-]{43})/.exec((await world.mails(invitee.email))[0]!.text)![1]!

    await organization.admin.client.deleteWorkspace(at)
    await organization.admin.client.createWorkspace({ orgSlug: organization.slug }, { name: 'New', slug: 'reused' })
    for (const { client } of [key, guestKey]) expect(await refusal(client.getWorkspace(at))).toMatchObject({ status: 401 })
    expect(await refusal(guest.client.getWorkspace(at))).toMatchObject({ status: 404 })
    expect(await refusal(invitee.client.acceptInvitation({ id }))).toMatchObject({ status: 404 })
    expect(await refusal(world.client().getInvitation({ token }))).toMatchObject({ status: 404 })
    expect(await organization.admin.client.listWorkspaceInvitations(at)).toEqual({ invitations: [] })
    const { members } = await organization.admin.client.listWorkspaceMembers(at)
    expect(members.map(({ userId }) => userId)).toEqual([organization.admin.id])
  })
})
