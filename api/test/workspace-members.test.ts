import type { WorkspaceRole } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guestIn, placeIn } from './workspace-place.ts'
import { createWorld, refusal, sql, type TestOrganization, type TestPerson, type TestWorkspace, trail, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const place = () => placeIn(world)
const guestOf = (organization: TestOrganization, workspace: TestWorkspace, role?: WorkspaceRole) =>
  guestIn(world, organization, workspace, role)

describe('the members of a workspace', () => {
  it('are those assigned and those who inherit, each with the effective role', async () => {
    const { organization, workspace, at, admin } = await place()
    const viewer = await world.join(organization, 'viewer')
    const raised = await world.join(organization, 'viewer')
    await world.assign(organization, workspace, raised, 'admin')
    const lowered = await world.join(organization, 'member')
    await world.assign(organization, workspace, lowered, 'viewer')
    const guest = await guestOf(organization, workspace, 'member')
    await guestOf(organization, await world.workspace(organization))
    const { members } = await viewer.client.listWorkspaceMembers(at)
    expect(members.map(({ userId, email, role, access }) => [userId, email, role, access]).sort()).toEqual(
      [
        [admin.id, admin.email, 'admin', 'inherited'],
        [viewer.id, viewer.email, 'viewer', 'inherited'],
        [raised.id, raised.email, 'admin', 'assigned'],
        [lowered.id, lowered.email, 'member', 'assigned'],
        [guest.id, guest.email, 'member', 'assigned'],
      ].sort(),
    )
  })

  it('are shown to guests and workspace keys only as far as they are assigned: nobody else’s address reaches them', async () => {
    const { organization, workspace, at } = await place()
    const member = await world.join(organization, 'member')
    const [guest, colleague] = [await guestOf(organization, workspace), await guestOf(organization, workspace)]
    const workspaceKey = await world.key(organization, { level: 'workspace', role: 'admin', workspace, creator: member })
    for (const { client } of [guest, await world.key(organization, { level: 'user', creator: guest }), workspaceKey]) {
      const { members } = await client.listWorkspaceMembers(at)
      expect(members.map(({ email }) => email).sort()).toEqual([guest.email, colleague.email].sort())
    }
    const organizationKey = await world.key(organization, { level: 'organization', role: 'viewer' })
    expect((await organizationKey.client.listWorkspaceMembers(at)).members).toHaveLength(4)
  })
})

describe('assigning', () => {
  it('gives a member of the organization a role in the workspace, changes it, and is in the trail as what it was', async () => {
    const { organization, at, admin } = await place()
    const viewer = await world.join(organization, 'viewer')
    const set = (role: WorkspaceRole) => admin.client.setWorkspaceMember({ ...at, userId: viewer.id }, { role })
    expect(await set('member')).toMatchObject({
      userId: viewer.id,
      email: viewer.email,
      name: 'viewer',
      role: 'member',
      access: 'assigned',
    })
    expect(await viewer.client.getWorkspace(at)).toMatchObject({ role: 'member', access: 'assigned' })
    expect(await set('admin')).toMatchObject({ role: 'admin' })
    expect(await viewer.client.getWorkspace(at)).toMatchObject({ role: 'admin' })
    expect((await trail(organization)).map(({ action, changes }) => [action, changes])).toEqual([
      ['workspace_member.updated', [{ field: 'role', from: 'member', to: 'admin' }]],
      ['workspace_member.assigned', [{ field: 'role', from: null, to: 'member' }]],
    ])
  })

  it('never lowers what is inherited', async () => {
    const { organization, at, admin } = await place()
    const member = await world.join(organization, 'member')
    const set = await admin.client.setWorkspaceMember({ ...at, userId: member.id }, { role: 'viewer' })
    expect(set).toMatchObject({ role: 'member', access: 'assigned' })
  })

  it('knows nobody outside the organization', async () => {
    const { organization, at, admin } = await place()
    const elsewhere = await world.organization()
    for (const userId of [(await world.person()).id, elsewhere.admin.id, crypto.randomUUID()])
      expect(await refusal(admin.client.setWorkspaceMember({ ...at, userId }, { role: 'viewer' }))).toMatchObject({ status: 404 })
    expect(await trail(organization)).toHaveLength(0)
  })

  it('is for effective admins of the workspace, in person', async () => {
    const { organization, workspace, at } = await place()
    const member = await world.join(organization, 'member')
    const set = ({ client }: Pick<TestPerson, 'client'>) => client.setWorkspaceMember({ ...at, userId: member.id }, { role: 'viewer' })
    expect(await refusal(set(member))).toMatchObject({ status: 403, code: 'role_too_low' })
    await set(await guestOf(organization, workspace, 'admin'))
    const keys = [
      await world.key(organization, { level: 'user' }),
      await world.key(organization, { level: 'organization', role: 'admin' }),
      await world.key(organization, { level: 'workspace', role: 'admin', workspace }),
    ]
    for (const key of keys) expect(await refusal(set(key))).toMatchObject({ status: 401, code: 'credential_refused' })
  })
})

describe('removing an assignment', () => {
  it('leaves a member what they inherit, and revokes their keys of this workspace alone', async () => {
    const { organization, workspace, at, admin } = await place()
    const other = await world.workspace(organization)
    const viewer = await world.join(organization, 'viewer')
    for (const one of [workspace, other]) await world.assign(organization, one, viewer, 'admin')
    const here = await world.key(organization, { level: 'workspace', role: 'viewer', workspace, creator: viewer })
    const there = await world.key(organization, { level: 'workspace', role: 'viewer', workspace: other, creator: viewer })
    const own = await world.key(organization, { level: 'user', creator: viewer })
    const somebodys = await world.key(organization, { level: 'workspace', role: 'viewer', workspace })
    await admin.client.removeWorkspaceMember({ ...at, userId: viewer.id })
    expect(await viewer.client.getWorkspace(at)).toMatchObject({ role: 'viewer', access: 'inherited' })
    expect(await refusal(here.client.getWorkspace(at))).toMatchObject({ status: 401 })
    await there.client.getWorkspace({ ...at, workspaceSlug: other.slug })
    for (const { client } of [own, somebodys]) await client.getWorkspace(at)
    expect((await trail(organization))[0]).toMatchObject({
      action: 'workspace_member.removed',
      workspace: { slug: workspace.slug },
      target: { type: 'workspace_member', id: viewer.id },
      changes: [{ field: 'role', from: 'admin', to: null }],
      metadata: { left: false, membershipEnded: false, revokedKeys: [{ id: here.id }] },
    })
  })

  it('of inherited access does not exist: 404, also for oneself', async () => {
    const { organization, at, admin } = await place()
    const member = await world.join(organization, 'member')
    for (const who of [admin, member]) {
      const remove = who.client.removeWorkspaceMember({ ...at, userId: member.id })
      expect(await refusal(remove)).toMatchObject({ status: 404, code: 'not_found' })
    }
  })

  it.each(['viewer', 'member', 'admin'] as const)(
    'is open to its own holder as %s: a guest’s last one takes membership and all keys along',
    async (role) => {
      const { organization, workspace, at } = await place()
      const other = await world.workspace(organization)
      const guest = await guestOf(organization, workspace, role)
      await world.assign(organization, other, guest, 'viewer')
      const userKey = await world.key(organization, { level: 'user', creator: guest })
      await guest.client.removeWorkspaceMember({ ...at, userId: guest.id })
      expect(await refusal(guest.client.getWorkspace(at))).toMatchObject({ status: 404 })
      await userKey.client.getWorkspace({ ...at, workspaceSlug: other.slug })

      await guest.client.removeWorkspaceMember({ ...at, workspaceSlug: other.slug, userId: guest.id })
      expect(await refusal(guest.client.getOrganization({ orgSlug: organization.slug }))).toMatchObject({ status: 404 })
      expect(await refusal(userKey.client.getOrganization({ orgSlug: organization.slug }))).toMatchObject({ status: 401 })
      expect(await world.query(sql`select from members where user_id = ${guest.id}`)).toHaveLength(0)
      expect(await world.query(sql`select from member_removals where user_id = ${guest.id}`)).toHaveLength(1)
      expect((await trail(organization))[0]).toMatchObject({
        actor: { id: guest.id },
        metadata: { left: true, membershipEnded: true, revokedKeys: [{ id: userKey.id }] },
      })
    },
  )

  it('of others is for admins of the workspace: by session and by keys', async () => {
    const { organization, workspace, at } = await place()
    const victims = await Promise.all(Array.from({ length: 4 }, () => guestOf(organization, workspace)))
    const admins = [
      await guestOf(organization, workspace, 'admin'),
      await world.key(organization, { level: 'user' }),
      await world.key(organization, { level: 'organization', role: 'admin' }),
      await world.key(organization, { level: 'workspace', role: 'admin', workspace }),
    ]
    const [last] = victims
    for (const who of [await guestOf(organization, workspace, 'member'), await world.join(organization, 'member')])
      expect(await refusal(who.client.removeWorkspaceMember({ ...at, userId: last!.id }))).toMatchObject({
        status: 403,
        code: 'role_too_low',
      })
    const weak = await world.key(organization, { level: 'workspace', role: 'member', workspace })
    expect(await refusal(weak.client.removeWorkspaceMember({ ...at, userId: last!.id }))).toMatchObject({ status: 403 })
    for (const [i, { client }] of admins.entries()) await client.removeWorkspaceMember({ ...at, userId: victims[i]!.id })
    for (const { client } of victims) expect(await refusal(client.getWorkspace(at))).toMatchObject({ status: 404 })
  })

  it('cannot be done by a key for its creator', async () => {
    const { organization, workspace, at } = await place()
    const creator = await world.join(organization, 'admin')
    await world.assign(organization, workspace, creator, 'admin')
    const keys = [
      await world.key(organization, { level: 'user', creator }),
      await world.key(organization, { level: 'organization', role: 'admin', creator }),
      await world.key(organization, { level: 'workspace', role: 'admin', workspace, creator }),
    ]
    for (const { client } of keys) {
      const refused = await refusal(client.removeWorkspaceMember({ ...at, userId: creator.id }))
      expect([refused.status, refused.code]).toEqual([401, 'credential_refused'])
    }
    expect(await creator.client.getWorkspace(at)).toMatchObject({ access: 'assigned' })
  })
})
