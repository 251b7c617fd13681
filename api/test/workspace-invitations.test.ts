import type { WorkspaceRole } from '@adjoin/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { guestIn, placeIn } from './workspace-place.ts'
import { createWorld, refusal, type TestOrganization, type TestPerson, type TestWorkspace, trail, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

const place = () => placeIn(world)
const guestOf = (organization: TestOrganization, workspace: TestWorkspace, role?: WorkspaceRole) =>
  guestIn(world, organization, workspace, role)

describe('inviting to a workspace', () => {
  const invite = (by: Pick<TestPerson, 'client'>, at: { orgSlug: string; workspaceSlug: string }, email: string, role: WorkspaceRole) =>
    by.client.createWorkspaceInvitation(at, { email, role })

  it('makes an outsider a guest who sees this workspace alone; the answer tells both roles', async () => {
    const { organization, workspace, at, admin } = await place()
    await world.workspace(organization)
    const outsider = await world.person()
    const invitation = await invite(admin, at, outsider.email, 'member')
    expect(invitation).toMatchObject({ role: 'guest', workspace: { slug: workspace.slug, name: workspace.name, role: 'member' } })
    expect((await world.mails(outsider.email))[0]!.subject).toBe(`Ada invited you to ${workspace.name} (Agency) on Adjoin`)
    expect(await outsider.client.acceptInvitation({ id: invitation.id })).toMatchObject({
      status: 'accepted',
      role: 'guest',
      workspace: { role: 'member' },
    })
    const { workspaces } = await outsider.client.listWorkspaces({ orgSlug: organization.slug })
    expect(workspaces).toMatchObject([{ slug: workspace.slug, role: 'member', access: 'assigned' }])
    expect((await trail(organization))[0]).toMatchObject({
      action: 'invitation.accepted',
      workspace: { slug: workspace.slug },
      changes: [
        { field: 'role', from: null, to: 'guest' },
        { field: 'workspaceRole', from: null, to: 'member' },
      ],
    })
  })

  it('of a member tells the organization role they have, and leaves it alone', async () => {
    const { organization, at, admin } = await place()
    const viewer = await world.join(organization, 'viewer')
    const { id, ...invitation } = await invite(admin, at, viewer.email, 'admin')
    expect(invitation).toMatchObject({ role: 'viewer', workspace: { role: 'admin' } })
    await viewer.client.acceptInvitation({ id })
    expect((await viewer.client.getOrganization({ orgSlug: at.orgSlug })).role).toBe('viewer')
    expect(await viewer.client.getWorkspace(at)).toMatchObject({ role: 'admin', access: 'assigned' })
  })

  it('never lowers an assignment that grew meanwhile', async () => {
    const { organization, workspace, at, admin } = await place()
    const guest = await guestOf(organization, workspace, 'viewer')
    const { id } = await invite(admin, at, guest.email, 'member')
    await admin.client.setWorkspaceMember({ ...at, userId: guest.id }, { role: 'admin' })
    await guest.client.acceptInvitation({ id })
    expect(await guest.client.getWorkspace(at)).toMatchObject({ role: 'admin' })
  })

  it('is refused to whoever holds that role there, inherited or assigned', async () => {
    const { organization, workspace, at, admin } = await place()
    const guest = await guestOf(organization, workspace, 'member')
    const member = await world.join(organization, 'member')
    for (const { email } of [guest, member, admin])
      expect(await refusal(invite(admin, at, email, 'member'))).toMatchObject({ status: 409, code: 'role_held' })
    for (const { email } of [guest, member]) await invite(admin, at, email, 'admin')
  })

  it('is pending once for each workspace and once for the organization, apart from each other', async () => {
    const { organization, at, admin } = await place()
    const other = { ...at, workspaceSlug: (await world.workspace(organization)).slug }
    const email = 'everywhere@elsewhere.example'
    const first = await invite(admin, at, email, 'viewer')
    const second = await invite(admin, other, email, 'viewer')
    const third = await admin.client.createOrganizationInvitation({ orgSlug: at.orgSlug }, { email, role: 'viewer' })
    expect(await refusal(invite(admin, at, email, 'admin'))).toMatchObject({ status: 409, code: 'invitation_pending' })
    const ids = ({ invitations }: { invitations: { id: string }[] }) => invitations.map(({ id }) => id)
    expect(ids(await admin.client.listWorkspaceInvitations(at))).toEqual([first.id])
    expect(ids(await admin.client.listWorkspaceInvitations(other))).toEqual([second.id])
    expect(ids(await admin.client.listOrganizationInvitations({ orgSlug: at.orgSlug }))).toEqual([third.id])
    // Each is managed where it belongs.
    for (const id of [second.id, third.id]) {
      expect(await refusal(admin.client.resendWorkspaceInvitation({ ...at, id }))).toMatchObject({ status: 404 })
      expect(await refusal(admin.client.cancelWorkspaceInvitation({ ...at, id }))).toMatchObject({ status: 404 })
    }
    expect(await refusal(admin.client.resendOrganizationInvitation({ orgSlug: at.orgSlug, id: first.id }))).toMatchObject({ status: 404 })
    const resent = await admin.client.resendWorkspaceInvitation({ ...at, id: first.id })
    expect(Date.parse(resent.expiresAt) - Date.parse(first.expiresAt)).toBe(48 * 3_600_000)
    await admin.client.cancelWorkspaceInvitation({ ...at, id: first.id })
    expect((await admin.client.listWorkspaceInvitations(at)).invitations).toMatchObject([{ id: first.id, status: 'canceled' }])
  })

  it('is for effective admins: guests assigned as such, and admin keys within their scope', async () => {
    const { organization, workspace, at } = await place()
    const guest = await guestOf(organization, workspace, 'admin')
    const member = await world.join(organization, 'member')
    await world.assign(organization, workspace, member, 'admin')
    const admins = [
      guest,
      member,
      await world.key(organization, { level: 'workspace', role: 'admin', workspace, creator: member }),
      await world.key(organization, { level: 'organization', role: 'admin' }),
      await world.key(organization, { level: 'user', creator: guest }),
    ]
    for (const [i, who] of admins.entries()) {
      await invite(who, at, `invited-${i}@elsewhere.example`, 'admin')
      expect((await who.client.listWorkspaceInvitations(at)).invitations).toHaveLength(i + 1)
    }
    const others = [
      await world.join(organization, 'member'),
      await guestOf(organization, workspace, 'member'),
      await world.key(organization, { level: 'workspace', role: 'member', workspace }),
    ]
    for (const who of others) {
      expect(await refusal(invite(who, at, 'no@elsewhere.example', 'viewer'))).toMatchObject({ status: 403, code: 'role_too_low' })
      expect(await refusal(who.client.listWorkspaceInvitations(at))).toMatchObject({ status: 403 })
    }
    const elsewhere = { ...at, workspaceSlug: (await world.workspace(organization)).slug }
    expect(await refusal(invite(admins[2]!, elsewhere, 'no@elsewhere.example', 'viewer'))).toMatchObject({ status: 404 })
  })
})
