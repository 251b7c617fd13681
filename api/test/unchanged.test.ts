import { afterAll, beforeAll, expect, test } from 'vitest'
import { placeIn } from './workspace-place.ts'
import { createWorld, trail, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

test('what is set to what it is already is answered as it is, and no change is recorded', async () => {
  const { organization, workspace, at, admin } = await placeIn(world)
  const { client } = admin
  const orgSlug = organization.slug
  const member = await world.join(organization, 'member')
  const key = await client.createApiKey({ orgSlug }, { name: 'Reporting', level: 'organization', role: 'viewer' })
  const { id } = await client.createIntegration(at, { provider: 'xandr', name: 'Publisher' })
  const set = {
    organization: (name: string) => client.updateOrganization({ orgSlug }, { name }),
    member: (role: 'member' | 'viewer') => client.updateOrganizationMember({ orgSlug, userId: member.id }, { role }),
    workspace: (name: string) => client.updateWorkspace(at, { name }),
    assignment: (role: 'admin' | 'member') => client.setWorkspaceMember({ ...at, userId: member.id }, { role }),
    key: (name: string) => client.updateApiKey({ orgSlug, id: key.id }, { name }),
    integration: (name: string) => client.updateIntegration({ ...at, id }, { name }),
  }
  await set.assignment('member')

  const before = (await trail(organization)).length
  expect(await set.organization(organization.name)).toMatchObject({ name: organization.name })
  expect(await set.member('member')).toMatchObject({ role: 'member' })
  expect(await set.workspace(workspace.name)).toMatchObject({ name: workspace.name })
  expect(await set.assignment('member')).toMatchObject({ role: 'member', access: 'assigned' })
  expect(await set.key('Reporting')).toMatchObject({ name: 'Reporting' })
  expect(await set.integration('Publisher')).toMatchObject({ name: 'Publisher' })
  expect(await trail(organization)).toHaveLength(before)

  await set.organization('Renamed')
  await set.workspace('Renamed')
  await set.assignment('admin')
  await set.member('viewer')
  await set.key('Renamed')
  await set.integration('Renamed')
  expect((await trail(organization)).slice(0, -before).map(({ action }) => action)).toEqual([
    'integration.updated',
    'api_key.updated',
    'member.updated',
    'workspace_member.updated',
    'workspace.updated',
    'organization.updated',
  ])
})
