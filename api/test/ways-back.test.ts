// Whoever was removed, or lost the power to let people in, finds no way back:
// no invitation to them, none of theirs, no key of theirs.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createWorld, refusal, sql, type TestOrganization, type TestPerson, type TestWorkspace, trail, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld({ limitsFactor: 1000 })
})
afterAll(() => world.stop())

let people = 0
const newcomer = () => `newcomer${++people}@elsewhere.example`
const statusOf = async (id: string) =>
  (await world.query<{ status: string }>(sql`select status from invitations where id = ${id}`))[0]!.status
const named = (metadata: Record<string, unknown>, field: string) =>
  (metadata[field] as { id: string; email: string }[]).map(({ id }) => id).toSorted()

async function place(): Promise<{
  organization: TestOrganization
  orgSlug: string
  here: TestWorkspace
  there: TestWorkspace
  second: TestPerson
}> {
  const organization = await world.organization()
  const [here, there] = [await world.workspace(organization), await world.workspace(organization)]
  return { organization, orgSlug: organization.slug, here, there, second: await world.join(organization, 'admin') }
}
const invite = async (by: Pick<TestPerson, 'client'>, orgSlug: string, email: string, workspace?: TestWorkspace): Promise<string> =>
  (
    await (workspace
      ? by.client.createWorkspaceInvitation({ orgSlug, workspaceSlug: workspace.slug }, { email, role: 'admin' })
      : by.client.createOrganizationInvitation({ orgSlug }, { email, role: 'admin' }))
  ).id

describe.each(['was removed from', 'left'])('a person who %s an organization', (how) => {
  const end = (organization: TestOrganization, person: TestPerson) =>
    (how === 'left' ? person : organization.admin).client.removeOrganizationMember({ orgSlug: organization.slug, userId: person.id })

  it('has no invitation left to it or to its workspaces, under whatever tag; the entry names them', async () => {
    const { organization, orgSlug, here, there, second } = await place()
    const person = await world.person('Intern', `intern@${organization.domain}`)
    await world.join(organization, 'viewer', person)
    const tagged = `intern+1@${organization.domain}`
    const open = [
      await invite(second, orgSlug, person.email),
      await invite(second, orgSlug, person.email, here),
      await invite(second, orgSlug, tagged),
      await invite(second, orgSlug, tagged, there),
    ]
    // Could be sent again.
    await world.query(sql`update invitations set expires_at = now() where id = ${open[1]}`)
    const others = [await invite(second, orgSlug, newcomer()), await invite(second, orgSlug, `intern-1@${organization.domain}`, here)]
    await end(organization, person)
    expect(await Promise.all(open.map(statusOf))).toEqual(Array(4).fill('canceled'))
    expect(await Promise.all(others.map(statusOf))).toEqual(['pending', 'pending'])
    const [entry] = await trail(organization)
    expect(named(entry!.metadata, 'canceledInvitations')).toEqual(open.toSorted())
    expect((await person.client.listMyInvitations()).invitations).toEqual([])
    expect(await refusal(person.client.acceptInvitation({ id: open[0]! }))).toMatchObject({ status: 409, code: 'invitation_closed' })
    expect(await refusal(second.client.resendWorkspaceInvitation({ orgSlug, workspaceSlug: here.slug, id: open[1]! }))).toMatchObject({
      status: 409,
    })
  })

  it('leaves no invitation of theirs behind, by session or key; the entry names whom they invited', async () => {
    const { organization, orgSlug, here, second } = await place()
    const leaver = await world.join(organization, 'admin')
    const keys = [
      await world.key(organization, { level: 'organization', role: 'admin', creator: leaver }),
      await world.key(organization, { level: 'user', creator: leaver }),
    ]
    const accomplice = await world.person('Accomplice')
    const sent = [await invite(leaver, orgSlug, accomplice.email), await invite(leaver, orgSlug, newcomer(), here)]
    for (const key of keys) sent.push(await invite(key, orgSlug, newcomer()))
    const elsewhere = await world.organization()
    await world.join(elsewhere, 'admin', leaver)
    const others = [await invite(second, orgSlug, newcomer()), await invite(leaver, elsewhere.slug, newcomer())]
    await end(organization, leaver)
    expect(await Promise.all(sent.map(statusOf))).toEqual(Array(4).fill('canceled'))
    expect(await Promise.all(others.map(statusOf))).toEqual(['pending', 'pending'])
    const [entry] = await trail(organization)
    expect(entry).toMatchObject({ action: 'member.removed', metadata: { canceledInvitations: [] } })
    expect(named(entry!.metadata, 'canceledSentInvitations')).toEqual(sent.toSorted())
    expect(JSON.stringify(entry!.metadata.canceledSentInvitations)).toContain(accomplice.email)
    expect(await refusal(accomplice.client.acceptInvitation({ id: sent[0]! }))).toMatchObject({ code: 'invitation_closed' })
  })
})

describe.each(['was removed from', 'left'])('a person who %s a workspace', (how) => {
  const end = (organization: TestOrganization, workspace: TestWorkspace, person: TestPerson) =>
    (how === 'left' ? person : organization.admin).client.removeWorkspaceMember({
      orgSlug: organization.slug,
      workspaceSlug: workspace.slug,
      userId: person.id,
    })

  it('has no invitation left to that workspace, nor any that they sent there; those elsewhere stay', async () => {
    const { organization, orgSlug, here, there, second } = await place()
    const person = await world.join(organization, 'viewer')
    for (const workspace of [here, there]) await world.assign(organization, workspace, person, 'member')
    const gone = [await invite(second, orgSlug, person.email, here)]
    const kept = [await invite(second, orgSlug, person.email, there), await invite(second, orgSlug, person.email)]
    for (const workspace of [here, there])
      await second.client.setWorkspaceMember({ orgSlug, workspaceSlug: workspace.slug, userId: person.id }, { role: 'admin' })
    const sent = [await invite(person, orgSlug, newcomer(), here)]
    kept.push(await invite(person, orgSlug, newcomer(), there))
    await end(organization, here, person)
    expect(await Promise.all([...gone, ...sent].map(statusOf))).toEqual(['canceled', 'canceled'])
    expect(await Promise.all(kept.map(statusOf))).toEqual(Array(3).fill('pending'))
    const [entry] = await trail(organization)
    expect(named(entry!.metadata, 'canceledInvitations')).toEqual(gone)
    expect(named(entry!.metadata, 'canceledSentInvitations')).toEqual(sent)
  })

  it('keeps what they sent where they may still invite, as an admin of the organization', async () => {
    const { organization, orgSlug, here, second } = await place()
    await world.assign(organization, here, second, 'admin')
    const sent = await invite(second, orgSlug, newcomer(), here)
    await end(organization, here, second)
    expect(await statusOf(sent)).toBe('pending')
  })

  it('and was a guest there only, has no invitation left in the organization', async () => {
    const { organization, orgSlug, here, there, second } = await place()
    const guest = await world.join(organization, 'guest')
    await world.assign(organization, here, guest, 'admin')
    const open = [await invite(second, orgSlug, guest.email, there), await invite(guest, orgSlug, newcomer(), here)]
    await end(organization, here, guest)
    expect(await Promise.all(open.map(statusOf))).toEqual(['canceled', 'canceled'])
    const [entry] = await trail(organization)
    expect(entry!.metadata).toMatchObject({ membershipEnded: true })
    expect([...named(entry!.metadata, 'canceledInvitations'), ...named(entry!.metadata, 'canceledSentInvitations')]).toEqual(open)
  })
})

it('a guest who ends with a deleted workspace has no invitation left', async () => {
  const { organization, orgSlug, here, there, second } = await place()
  const guest = await world.join(organization, 'guest')
  await world.assign(organization, here, guest, 'viewer')
  const open = await invite(second, orgSlug, guest.email, there)
  await second.client.deleteWorkspace({ orgSlug, workspaceSlug: here.slug })
  expect(await statusOf(open)).toBe('canceled')
  expect((await trail(organization))[0]!.metadata).toMatchObject({
    endedMemberships: [{ userId: guest.id, canceledInvitations: [{ id: open, email: guest.email }] }],
  })
})

describe('a person whose role was lowered', () => {
  it('in the organization: what they sent and may no longer send ends, and so does what would raise them again', async () => {
    const { organization, orgSlug, here, there, second } = await place()
    const viewer = await world.join(organization, 'viewer')
    const raise = await invite(second, orgSlug, viewer.email)
    const change = (role: 'admin' | 'member') => second.client.updateOrganizationMember({ orgSlug, userId: viewer.id }, { role })
    await change('admin')
    await world.assign(organization, there, viewer, 'admin')
    const sent = [await invite(viewer, orgSlug, newcomer()), await invite(viewer, orgSlug, newcomer(), here)]
    const backed = await invite(viewer, orgSlug, newcomer(), there)
    expect(await statusOf(raise)).toBe('pending')
    await change('member')
    expect(await Promise.all([raise, ...sent].map(statusOf))).toEqual(Array(3).fill('canceled'))
    expect(await statusOf(backed)).toBe('pending') // still an admin of that workspace
    const [entry] = await trail(organization)
    expect(entry!.action).toBe('member.updated')
    expect(named(entry!.metadata, 'canceledInvitations')).toEqual([raise])
    expect(named(entry!.metadata, 'canceledSentInvitations')).toEqual(sent.toSorted())
    expect(await refusal(viewer.client.acceptInvitation({ id: raise }))).toMatchObject({ code: 'invitation_closed' })
  })

  it('in a workspace likewise', async () => {
    const { organization, orgSlug, here, second } = await place()
    const guest = await world.join(organization, 'guest')
    await world.assign(organization, here, guest, 'member')
    const raise = await invite(second, orgSlug, guest.email, here)
    const set = (role: 'admin' | 'viewer') =>
      second.client.setWorkspaceMember({ orgSlug, workspaceSlug: here.slug, userId: guest.id }, { role })
    await set('admin')
    const sent = await invite(guest, orgSlug, newcomer(), here)
    await set('viewer')
    expect(await Promise.all([raise, sent].map(statusOf))).toEqual(['canceled', 'canceled'])
    const [entry] = await trail(organization)
    expect(entry).toMatchObject({
      action: 'workspace_member.updated',
      metadata: { canceledInvitations: [{ id: raise }], canceledSentInvitations: [{ id: sent }] },
    })
  })
})

describe('the organization keys of someone who is removed', () => {
  const scene = async () => {
    const { organization, orgSlug, second } = await place()
    const leaver = await world.join(organization, 'admin')
    const live = await world.key(organization, { level: 'organization', role: 'admin', creator: leaver })
    const disabled = await world.key(organization, { level: 'organization', role: 'viewer', creator: leaver })
    await second.client.disableApiKey({ orgSlug, id: disabled.id })
    const other = await world.key(organization, { level: 'organization', role: 'viewer', creator: second })
    const userKey = await world.key(organization, { level: 'user', creator: leaver })
    return { organization, orgSlug, second, leaver, live, disabled, other, userKey }
  }

  it('are kept unless asked otherwise, and named', async () => {
    for (const organizationKeys of [undefined, 'keep'] as const) {
      const { organization, orgSlug, second, leaver, live, disabled, userKey } = await scene()
      await second.client.removeOrganizationMember({ orgSlug, userId: leaver.id, ...(organizationKeys && { organizationKeys }) })
      expect((await live.client.getOrganization({ orgSlug })).role).toBe('admin')
      const { metadata } = (await trail(organization))[0]!
      expect(named(metadata, 'organizationKeys')).toEqual([live.id, disabled.id].toSorted())
      expect(named(metadata, 'revokedKeys')).toEqual([userKey.id])
    }
  })

  it('are revoked when that is asked for, disabled ones too, on every replica, each named in the one entry', async () => {
    const { organization, orgSlug, second, leaver, live, disabled, other, userKey } = await scene()
    const replica = await world.replica()
    const before = (await trail(organization)).length
    await second.client.removeOrganizationMember({ orgSlug, userId: leaver.id, organizationKeys: 'revoke' })
    for (const url of [world.url, replica.url])
      expect(await refusal(world.client(live.headers, url).getOrganization({ orgSlug }))).toMatchObject({ status: 401 })
    expect((await other.client.getOrganization({ orgSlug })).role).toBe('viewer')
    expect(await refusal(second.client.enableApiKey({ orgSlug, id: disabled.id }))).toMatchObject({ code: 'key_revoked' })
    const entries = await trail(organization)
    expect(entries).toHaveLength(before + 1)
    expect(named(entries[0]!.metadata, 'organizationKeys')).toEqual([])
    expect(named(entries[0]!.metadata, 'revokedKeys')).toEqual([live.id, disabled.id, userKey.id].toSorted())
  })

  it('are theirs to end when they leave', async () => {
    const { orgSlug, leaver, live } = await scene()
    await leaver.client.removeOrganizationMember({ orgSlug, userId: leaver.id, organizationKeys: 'revoke' })
    expect(await refusal(live.client.getOrganization({ orgSlug }))).toMatchObject({ status: 401 })
  })

  it('take no other word', async () => {
    const { orgSlug, second, leaver } = await scene()
    const remove = second.client.removeOrganizationMember({ orgSlug, userId: leaver.id, organizationKeys: 'all' as 'keep' })
    expect(await refusal(remove)).toMatchObject({ status: 400, code: 'validation_failed' })
  })
})
