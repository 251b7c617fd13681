import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { placeIn } from './workspace-place.ts'
import { createWorld, request, type World } from './world.ts'

let world: World
beforeAll(async () => {
  world = await createWorld()
})
afterAll(() => world.stop())

it('an answer is replayed only to whoever might still ask for it, also where the verb itself decides who may', async () => {
  const { organization, workspace, at, admin } = await placeIn(world)
  const orgSlug = organization.slug
  const bob = await world.join(organization, 'admin')
  const [member, assigned] = [await world.join(organization, 'member'), await world.join(organization, 'member')]
  await world.assign(organization, workspace, assigned, 'admin')
  const old = await admin.client.createApiKey({ orgSlug }, { name: 'Old', level: 'organization', role: 'viewer' })
  const named = await admin.client.createApiKey({ orgSlug }, { name: 'Named', level: 'organization', role: 'viewer' })
  const keys = `/v1/organizations/${orgSlug}/api-keys`
  const requests: [method: string, path: string, body: object | undefined, status: number, then: number][] = [
    ['POST', keys, { name: 'All', level: 'organization', role: 'admin' }, 201, 403],
    ['POST', keys, { name: 'Here', level: 'workspace', role: 'admin', workspaceSlug: at.workspaceSlug }, 201, 403],
    ['POST', `${keys}/${old.id}/rotate`, { graceHours: 1 }, 201, 404],
    ['PATCH', `${keys}/${named.id}`, { name: 'Renamed' }, 200, 404],
    ['POST', `${keys}/${named.id}/disable`, undefined, 200, 404],
    ['POST', `${keys}/${named.id}/enable`, undefined, 200, 404],
    ['DELETE', `${keys}/${named.id}`, undefined, 204, 404],
    ['DELETE', `/v1/organizations/${orgSlug}/workspaces/${at.workspaceSlug}/members/${assigned.id}`, undefined, 204, 403],
    ['DELETE', `/v1/organizations/${orgSlug}/members/${member.id}`, undefined, 204, 403],
  ]
  const sent = requests.map(([method, path, body]) => {
    const headers = { ...bob.headers, 'idempotency-key': randomUUID(), ...(body && { 'content-type': 'application/json' }) }
    return () => request(world.url + path, { method, headers, ...(body && { body: JSON.stringify(body) }) })
  })
  const statuses = async () => {
    const answers: number[] = []
    for (const send of sent) answers.push((await send()).status)
    return answers
  }
  const first = requests.map(([, , , status]) => status)
  expect(await statuses()).toEqual(first)
  expect(await statuses()).toEqual(first)
  await admin.client.updateOrganizationMember({ orgSlug, userId: bob.id }, { role: 'viewer' })
  expect(await statuses()).toEqual(requests.map(([, , , , then]) => then))
})
